import TransferCore
import TransferIO

/// What stands at a task's target, and what the state claims of it.
enum DiskWords {
  static func sentences(_ path: String, _ past: JobPast, _ task: String) -> [String] {
    let committed = past.file(task)
    let found: FileFacts?
    do { found = try FileFacts.read(path) } catch {
      return ["It can't be looked at: \(error.failure.detail)."]
    }
    var words = [self.target(found, committed, path)]
    if let committed, committed.path == path { words += known(committed) }
    words += part(past.checkpoint(task))
    return words
  }

  private static func target(
    _ found: FileFacts?, _ committed: CommittedFile?, _ path: String
  ) -> String {
    guard let found else {
      let was = committed?.path == path ? "; the one that this task wrote is gone" : " yet"
      return "No file is there\(was)."
    }
    switch found.kind {
    case .folder: return "A folder stands there."
    case .symbolicLink: return "A symbolic link stands there."
    case .other: return "What stands there is neither a file nor a link."
    case .regular: break
    }
    let facts = "A file of \(size(found.size)) is there, changed at \(time(found))"
    guard let committed, committed.path == path else {
      return "\(facts). The state knows nothing of it."
    }
    if found.size != committed.size {
      return "\(facts). This task wrote one of \(size(committed.size)): something changed it since."
    }
    if found.modificationNanoseconds != committed.modificationNanoseconds {
      return "\(facts). It has another time than the one that this task wrote."
    }
    if found.inode != committed.inode {
      return "\(facts). It looks like a copy of the one that this task wrote (another inode)."
    }
    return "\(facts). It is the one that this task wrote."
  }

  private static func known(_ file: CommittedFile) -> [String] {
    var words = ["What was written came from \(file.url)."]
    let validators = self.validators(file.validator)
    words.append(
      validators.isEmpty
        ? "The server gave no validator with it." : "Its version there: \(validators).")
    if let digest = file.sha256 { words.append("Its SHA-256: \(digest)") }
    return words
  }

  private static func part(_ checkpoint: Checkpoint?) -> [String] {
    guard let checkpoint else { return ["No part file is known of."] }
    let of = checkpoint.total.map { " of \(size($0))" } ?? ""
    let durable = checkpoint.durable
    let ranges = durable.ranges.count > 1 ? ", in \(durable.ranges.count) ranges," : ""
    let claim = "\(size(durable.count))\(of)\(ranges) are known to be on disk"
    let version = validators(checkpoint.validator)
    let whose = version.isEmpty ? "" : ", of the version \(version)"
    guard let found = try? FileFacts.read(checkpoint.path), found.kind == .regular else {
      return ["A part file was kept, and is gone: \(checkpoint.path)."]
    }
    if found.inode != checkpoint.inode || found.size < checkpoint.durableBytes {
      return ["The part file isn't the one that was kept: it is of no use. \(checkpoint.path)"]
    }
    return ["A part file is there: \(claim)\(whose): \(checkpoint.path)"]
  }

  private static func validators(_ validator: Validator) -> String {
    let parts = [
      validator.etag.map { "ETag \($0)" }, validator.lastModified.map { "Last-Modified \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// `650 MiB (681574400 bytes)`; small ones are told once.
  static func size(_ bytes: Int64) -> String {
    bytes < 1024 ? Prose.count(Int(bytes), "byte") : "\(HumanText.size(bytes)) (\(bytes) bytes)"
  }

  private static func time(_ facts: FileFacts) -> String {
    EndWords.time(WallTime(microseconds: facts.modificationNanoseconds / 1000))
  }
}
