import TransferCore

/// Finds tasks that write one file.
struct Collisions {
  let findings: Findings
  let tasks: [TaskPlan]

  /// Which task writes a path.
  struct Targets {
    fileprivate var writes: [TaskLinks.Write]
    /// Indices of `writes` by path without case.
    fileprivate var index: [String: Int] = [:]

    func task(writing path: String) -> Int32? {
      guard let found = index[Collisions.folded(path)], writes[found].path == path else {
        return nil
      }
      return writes[found].task
    }
  }

  /// Tells every collision.
  func check(_ writes: [TaskLinks.Write]) -> Targets {
    var targets = Targets(writes: writes)
    targets.index.reserveCapacity(writes.count)
    var told: Set<SourceRange> = []
    for (index, write) in writes.enumerated() {
      let key = Self.folded(write.path)
      guard let earlier = targets.index[key] else {
        targets.index[key] = index
        continue
      }
      if told.insert(write.place.range).inserted { tell(write, writes[earlier]) }
    }
    checkFolders(writes, targets.index)
    return targets
  }

  private func tell(_ write: TaskLinks.Write, _ earlier: TaskLinks.Write) {
    let names = "`\(name(earlier))` and `\(name(write))`"
    let isSame = write.path == earlier.path
    let what =
      isSame
      ? "\(names) both write \(write.path)"
      : "\(names) write \(earlier.path) and \(write.path), which differ by case alone"
    let isCopy = write.place.range == earlier.place.range
    findings.error(
      .collision, what, at: write.place,
      hint: isCopy
        ? "put `${matrix.NAME}` or `${item}` into the path" : "give one of them another path",
      notes: isCopy
        ? [] : [Diagnostic.Note(message: "the other is here", range: earlier.place.range)])
  }

  private func name(_ write: TaskLinks.Write) -> String { tasks[Int(write.task)].id }

  /// A file that another task needs as a folder.
  private func checkFolders(_ writes: [TaskLinks.Write], _ folded: [String: Int]) {
    // Each folder, with a write below it.
    var folders: [String: Int] = [:]
    var last = ""
    for (index, write) in writes.enumerated() {
      var folder = JobPaths.folder(of: Self.folded(write.path))
      if folder == last { continue }
      last = folder
      while folder != "/", folders[folder] == nil {
        folders[folder] = index
        folder = JobPaths.folder(of: folder)
      }
    }
    for folder in folders.keys.sorted() {
      guard let file = folded[folder], let below = folders[folder] else { continue }
      let outer = writes[file]
      let inner = writes[below]
      let (earlier, later) = file < below ? (outer, inner) : (inner, outer)
      findings.error(
        .collision,
        "`\(name(outer))` writes the file \(outer.path), which `\(name(inner))` needs as a folder",
        at: later.place, hint: "give one of them another path",
        notes: [Diagnostic.Note(message: "the other is here", range: earlier.place.range)])
    }
  }

  /// Without case, as some file systems compare.
  fileprivate static func folded(_ path: String) -> String {
    let isSmall = path.utf8.span.allSatisfy { $0 < 0x80 && !($0 >= 0x41 && $0 <= 0x5A) }
    return isSmall ? path : path.lowercased()
  }
}
