/// A netrc file: who the user is on which machine (the format of ftp(1) and curl).
package struct Netrc: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    /// In lower case; nil is the `default` entry.
    package var machine: String?
    package var login = ""
    package var password = ""
  }

  package private(set) var entries: [Entry] = []

  /// What can't be understood is passed over, as curl does.
  package init(parsing text: String) {
    var scanner = NetrcScanner(text)
    while let word = scanner.word() {
      switch word {
      case "machine":
        guard let name = scanner.word() else { return }
        entries.append(Entry(machine: name.lowercased()))
      case "default": entries.append(Entry(machine: nil))
      case "login": take(scanner.word(), \.login)
      case "password": take(scanner.word(), \.password)
      case "account": _ = scanner.word()
      case "macdef": scanner.skipMacro()
      default: break
      }
    }
  }

  private mutating func take(_ word: String?, _ field: WritableKeyPath<Entry, String>) {
    guard let word, !entries.isEmpty else { return }
    entries[entries.count - 1][keyPath: field] = word
  }

  /// Its machines alone.
  package var withoutValues: Netrc {
    var bare = self
    for index in entries.indices {
      (bare.entries[index].login, bare.entries[index].password) = ("", "")
    }
    return bare
  }

  /// The entry of a host, the first as curl takes it.
  /// - Parameter allowsDefault: whether the `default` entry will do. It speaks for any host at
  ///   all, so that it must not be asked for one that a server named.
  package func entry(for host: String, allowsDefault: Bool) -> Int? {
    let bare = host.first == "[" ? String(host.dropFirst().dropLast()) : host
    let own = entries.firstIndex { $0.machine == host || $0.machine == bare }
    return own ?? (allowsDefault ? entries.firstIndex { $0.machine == nil } : nil)
  }
}

/// Words of a netrc file: parted by blanks, perhaps in double quotes; `#` begins a comment where a
/// line does.
private struct NetrcScanner {
  private let bytes: [UInt8]
  private var index = 0
  private var isAtLineStart = true

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func word() -> String? {
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A || byte == 0x0D {
        isAtLineStart = true
        index += 1
      } else if Self.isBlank(byte) {
        index += 1
      } else if byte == UInt8(ascii: "#"), isAtLineStart {
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
      } else {
        isAtLineStart = false
        return byte == UInt8(ascii: "\"") ? quoted() : plain()
      }
    }
    return nil
  }

  private mutating func plain() -> String {
    let start = index
    while index < bytes.count, !Self.isBlank(bytes[index]), bytes[index] >= 0x20 { index += 1 }
    // A control character that stands alone must not hold us here.
    if index == start { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// `\n`, `\r`, `\t` and escaped characters, as curl has them.
  private mutating func quoted() -> String {
    index += 1
    var text: [UInt8] = []
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      var byte = bytes[index]
      if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
        index += 1
        switch bytes[index] {
        case UInt8(ascii: "n"): byte = 0x0A
        case UInt8(ascii: "r"): byte = 0x0D
        case UInt8(ascii: "t"): byte = 0x09
        default: byte = bytes[index]
        }
      }
      text.append(byte)
      index += 1
    }
    index += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// A macro ends at an empty line.
  mutating func skipMacro() {
    while index < bytes.count {
      if bytes[index] == 0x0A, index + 1 < bytes.count, bytes[index + 1] == 0x0A { break }
      index += 1
    }
    isAtLineStart = true
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
