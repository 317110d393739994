/// One copy of a task as it is written, before it is a plan.
struct TaskDraft {
  var id: String
  var kind: TaskKinds
  var object: ObjectValue
  var path: DocumentPath
  /// Of the whole task.
  var range: SourceRange
  var session: Int

  /// The place of a field's value, or of one of its inner ones.
  func place(_ entry: ObjectValue.Entry, _ steps: DocumentPath.Step...) -> Place {
    place(entry, entry.range, steps)
  }

  /// The place of a field's key.
  func keyPlace(_ entry: ObjectValue.Entry) -> Place { place(entry, entry.keyRange, []) }

  func place(
    _ entry: ObjectValue.Entry, _ range: SourceRange, _ steps: [DocumentPath.Step]
  ) -> Place {
    var path = entry.home ?? path
    path.push(.key(entry.field.key))
    for step in steps { path.push(step) }
    return Place(range: range, path: path)
  }
}

/// What ties tasks to one another, resolved when all are known.
struct TaskLinks {
  struct After {
    var task: Int32
    var id: String
    var place: Place
  }
  struct Write {
    var task: Int32
    var path: String
    var place: Place
  }
  struct ChecksumFile {
    var task: Int32
    var path: String
  }
  struct Capture {
    var task: Int32
    var use: Interpolator.CaptureUse
  }

  /// More than one connection for one file.
  struct Segments {
    var task: Int32
    var count: Int
    var place: Place
  }

  var after: [After] = []
  var segments: [Segments] = []
  var writes: [Write] = []
  var checksumFiles: [ChecksumFile] = []
  var captures: [Capture] = []
  /// Names that each task captures, by the task's index.
  var captured: [Int32: [String]] = [:]
}
