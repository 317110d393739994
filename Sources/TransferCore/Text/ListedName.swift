/// By which names a checksum list from an address may have a file.
package enum ListedName {
  /// The file's path from the list's folder, where its address is beneath it, else the last segment
  /// of its address; then the name under which it is kept here.
  package static func candidates(url: String, target: String, list: String) -> [String] {
    var names: [String] = []
    for name in [path(of: url, from: list), lastSegment(target)] {
      if let name, !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The last segment of an address's path.
  package static func ofList(_ url: String) -> String {
    decoded(lastSegment(withoutQuery(url))) ?? ""
  }

  private static func path(of url: String, from list: String) -> String? {
    let (file, list) = (withoutQuery(url), withoutQuery(list))
    let folder = list.dropLast(lastSegment(list).count)
    let isBeneath = RunMachine.authority(list) != list && file.hasPrefix(folder)
    return decoded(isBeneath ? String(file.dropFirst(folder.count)) : lastSegment(file))
  }

  private static func withoutQuery(_ url: String) -> String {
    String(url.prefix { $0 != "?" && $0 != "#" })
  }

  private static func lastSegment(_ path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) }
      ?? path
  }

  /// With `%XX` undone; nil when that makes no text.
  private static func decoded(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
