/// A group of intents as the state keeps it, in one row: a JSON array with an object for each. What
/// is nil is left out.
package enum IntentEncoding {
  package static func bytes(_ intents: [CommitIntent]) -> [UInt8] {
    var json = JSONWriter(capacity: 512 * intents.count)
    json.beginArray()
    for intent in intents {
      json.beginObject()
      json.member("task", intent.task)
      json.member("url", intent.file.url)
      json.member("asked", intent.file.askedURL)
      json.member("path", intent.file.path)
      json.member("inode", Int64(bitPattern: intent.file.inode))
      json.member("size", intent.file.size)
      json.member("modified", intent.file.modificationNanoseconds)
      json.member("etag", intent.file.validator.etag)
      json.member("last_modified", intent.file.validator.lastModified)
      json.member("date", intent.file.validator.date)
      json.member("sha256", intent.file.sha256)
      json.endObject()
    }
    json.endArray()
    return json.bytes
  }

  /// Those of them that can be read: one that can't is as one whose rename never was, and its
  /// target is looked at afresh.
  package static func intents(_ bytes: [UInt8]) -> [CommitIntent] {
    JSONNode(bytes)?.elements.compactMap(intent) ?? []
  }

  private static func intent(_ node: JSONNode) -> CommitIntent? {
    guard let task = node["task"]?.text, let url = node["url"]?.text,
      let path = node["path"]?.text, let inode = node["inode"]?.integer,
      let size = node["size"]?.integer, let modified = node["modified"]?.integer
    else { return nil }
    var file = CommittedFile(
      url: url, path: path, inode: UInt64(bitPattern: inode), size: size,
      modificationNanoseconds: modified,
      validator: Validator(
        etag: node["etag"]?.text, lastModified: node["last_modified"]?.text,
        date: node["date"]?.text),
      sha256: node["sha256"]?.text)
    file.askedURL = node["asked"]?.text
    return CommitIntent(task: task, file: file)
  }
}
