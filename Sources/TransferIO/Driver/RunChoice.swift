/// What of a job is run, and whether from its start.
package struct RunChoice {
  /// The ids that were chosen; nil is the whole job.
  package var tasks: [String]?
  /// Forget how far the tasks had come.
  package var isFresh: Bool

  package init(tasks: [String]? = nil, isFresh: Bool = false) {
    self.tasks = tasks
    self.isFresh = isFresh
  }
}
