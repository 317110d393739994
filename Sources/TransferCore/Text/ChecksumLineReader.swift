/// Reads single lines of a checksum list.
struct ChecksumLineReader {
  /// What the list's name says the digests are, when that is nothing we know.
  private let unknownLabel: String?
  /// The file that `name.sha256` speaks of.
  private let onlyFile: String?

  /// - Parameter fileName: the list's last path segment.
  init(fileName: String) {
    unknownLabel = Self.unknownLabel(in: fileName)
    onlyFile = Self.onlyFile(of: fileName)
  }

  /// nil for what is no line of a list.
  func read(_ line: ArraySlice<UInt8>, number: Int) -> ChecksumLine? {
    let isEscaped = line.first == UInt8(ascii: "\\")
    let body = isEscaped ? line.dropFirst() : line
    guard let parts = plain(body) ?? Self.tagged(body) else { return nil }
    guard let bytes = isEscaped ? Self.unescaped(parts.name) : Array(parts.name) else {
      return nil
    }
    return ChecksumLine(
      number: number, name: Self.normalized(String(decoding: bytes, as: UTF8.self)),
      digest: String(decoding: parts.digest, as: UTF8.self).lowercased(),
      algorithm: parts.algorithm, unknownLabel: parts.unknownLabel)
  }

  /// A path without `.` segments and doubled slashes.
  static func normalized(_ path: String) -> String {
    let utf8 = path.utf8
    var previous: UInt8 = 0
    var isNormal = true
    for byte in utf8 {
      if byte == UInt8(ascii: "/") && (previous == byte || previous == UInt8(ascii: ".")) {
        isNormal = false
      }
      previous = byte
    }
    if isNormal { return path }
    let segments = path.split(separator: "/").filter { $0 != "." }
    return (utf8.first == UInt8(ascii: "/") ? "/" : "") + segments.joined(separator: "/")
  }

  static func lastSegment(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }
}

extension ChecksumLineReader {
  private struct Parts {
    var digest: ArraySlice<UInt8>
    var name: ArraySlice<UInt8>
    var algorithm: ChecksumAlgorithm?
    var unknownLabel: String?
  }

  /// `HEX  name`, `HEX *name`, `HEX name`, and `HEX` or `HEX  -` for the list's only file.
  private func plain(_ line: ArraySlice<UInt8>) -> Parts? {
    let digest = line.prefix(while: Self.isHexadecimal)
    guard let algorithm = ChecksumAlgorithm(digitCount: digest.count) else { return nil }
    var name = line[digest.endIndex...]
    if let gap = name.popFirst() {
      guard gap == 0x20 || gap == 0x09 else { return nil }
      if name.first == 0x20 || name.first == UInt8(ascii: "*") { name = name.dropFirst() }
    }
    if name.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) || name.elementsEqual("-".utf8) {
      guard let onlyFile else { return nil }
      name = Array(onlyFile.utf8)[...]
    }
    return Parts(digest: digest, name: name, algorithm: algorithm, unknownLabel: unknownLabel)
  }

  /// `SHA256 (name) = HEX`.
  private static func tagged(_ line: ArraySlice<UInt8>) -> Parts? {
    let tag = line.prefix { $0 != 0x20 && $0 != UInt8(ascii: "(") }
    var rest = line[tag.endIndex...].drop { $0 == 0x20 }
    guard
      !tag.isEmpty, rest.popFirst() == UInt8(ascii: "("),
      let end = rest.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let name = rest[..<end]
    var digest = rest[(end + 1)...].drop { $0 == 0x20 }
    guard !name.isEmpty, digest.popFirst() == UInt8(ascii: "=") else { return nil }
    digest = digest.drop { $0 == 0x20 }
    if digest.isEmpty { return nil }
    let label = String(decoding: tag, as: UTF8.self)
    guard let algorithm = ChecksumAlgorithm(label: label) else {
      return Parts(digest: digest, name: name, algorithm: nil, unknownLabel: label)
    }
    let isWhole = digest.count == 2 * algorithm.byteCount && digest.allSatisfy(isHexadecimal)
    return isWhole ? Parts(digest: digest, name: name, algorithm: algorithm) : nil
  }

  /// coreutils escapes backslash, line feed and carriage return; nil for another escape.
  private static func unescaped(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "\\") {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "\\"): bytes.append(byte)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      default: return nil
      }
    }
    return bytes
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  /// Words of a list's name: `SHA256SUMS`, `sha256`, `txt`.
  private static func words(_ fileName: String) -> [Substring] {
    fileName.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
  }

  private static func unknownLabel(in fileName: String) -> String? {
    let words = words(fileName).map { $0.lowercased() }
    let isKnown = words.contains { word in
      ChecksumAlgorithm.allCases.contains { word.hasPrefix($0.rawValue) }
    }
    if isKnown { return nil }
    for (prefix, label) in [
      ("b2sum", "BLAKE2"), ("blake2", "BLAKE2"), ("b3sum", "BLAKE3"), ("blake3", "BLAKE3"),
      ("sha3", "SHA-3"), ("sm3", "SM3"), ("rmd160", "RIPEMD-160"), ("ripemd160", "RIPEMD-160"),
    ] where words.contains(where: { $0.hasPrefix(prefix) }) { return label }
    return nil
  }

  private static func onlyFile(of fileName: String) -> String? {
    guard let dot = fileName.lastIndex(of: "."), dot != fileName.startIndex else { return nil }
    let ending = fileName[fileName.index(after: dot)...].lowercased()
    let isDigest = ChecksumAlgorithm.allCases.contains {
      ending == $0.rawValue || ending == $0.rawValue + "sum"
    }
    return isDigest ? String(fileName[..<dot]) : nil
  }
}

extension ChecksumAlgorithm {
  /// The one whose digest has so many hexadecimal digits.
  init?(digitCount: Int) {
    guard let known = Self.allCases.first(where: { 2 * $0.byteCount == digitCount }) else {
      return nil
    }
    self = known
  }

  /// As a list tags it: `SHA256`, `SHA2-256`, `SHA-256`, `MD5`.
  init?(label: String) {
    let plain = label.lowercased().filter { $0 != "-" }
    let bare = plain.hasPrefix("sha2") && plain.count == 7 ? "sha" + plain.dropFirst(4) : plain
    guard let known = Self(rawValue: bare) ?? Self(rawValue: plain) else { return nil }
    self = known
  }
}
