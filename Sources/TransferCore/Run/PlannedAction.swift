/// What a run would do with a task now.
package enum PlannedAction: String, Sendable, CaseIterable {
  /// Transfer it from its first byte.
  case fetch
  /// Go on with a part file.
  case resume
  /// Ask the server whether the file on disk is still the current one.
  case revalidate
  /// Leave the file as it is, without a request.
  case keep
  case upload
  /// A data task's request.
  case request
  /// It can't start yet, and this run waits for it.
  case wait
  /// It can't start in this run.
  case `defer`
  /// It is not to be done.
  case skip

  /// `plan --exit-code` counts it as something to do.
  package var isWork: Bool { self != .keep && self != .skip }
}

/// What a run would do with one task now, and why.
package struct PlannedTask: Equatable, Sendable {
  /// Index into the plan's tasks.
  package var task: Int32
  package var action: PlannedAction
  /// In words, without a full stop.
  package var reason: String
  /// Which of the task's addresses is asked first: 0 is the first of them.
  package var mirror = 0
  /// `resume`: the first byte that is asked for.
  package var fromByte: Int64?

  package init(task: Int32, action: PlannedAction, reason: String, fromByte: Int64? = nil) {
    self.task = task
    self.action = action
    self.reason = reason
    self.fromByte = fromByte
  }
}
