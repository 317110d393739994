/// What is wrong with a text.
struct TextProblem {
  /// To stand after the text.
  var message: String
  var hint: String?
}

extension TextRule {
  /// What is wrong with a text by this rule; nil when nothing is.
  func problem(in text: String) -> TextProblem? {
    switch self {
    case .any: nil
    case .url, .nonEmpty: text.isEmpty ? TextProblem(message: "must not be empty") : nil
    case .path: pathProblem(text)
    case .headerValue: lineProblem(text)
    case .checksum: ChecksumText.problem(in: text)
    case .mode: ModeText.value(of: text) == nil ? unlike : nil
    case .dateTime, .window: timeProblem(text)
    case .hostPort: HostPort(text) == nil ? unlike : nil
    default: matches(text) ? nil : unlike
    }
  }

  private var unlike: TextProblem { TextProblem(message: "is not \(words)") }

  private func matches(_ text: String) -> Bool {
    let bytes = text.utf8
    switch self {
    case .jobName:
      return isWord(bytes, first: isAlphanumeric) { isAlphanumeric($0) || ".-_".utf8.contains($0) }
    case .name: return isWord(bytes, first: isNameStart, rest: isNameByte)
    case .scheme:
      return isWord(bytes, first: isLetter) { isAlphanumeric($0) || "+.-".utf8.contains($0) }
    case .token: return isWord(bytes, first: isTokenByte, rest: isTokenByte)
    case .taskID: return isTaskID(text)
    case .statusClass: return isStatusClass(text)
    case .mediaType: return isMediaType(text)
    case .entityTag: return isEntityTag(text)
    case .jsonPointer: return text.isEmpty || text.hasPrefix("/")
    case .numberFormat: return NumberFormat(text) != nil
    default: return true
    }
  }

  private func isNameStart(_ byte: UInt8) -> Bool { isLetter(byte) || byte == UInt8(ascii: "_") }

  private func isNameByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "_-".utf8.contains(byte)
  }

  private func isWord(
    _ bytes: String.UTF8View, first: (UInt8) -> Bool, rest: (UInt8) -> Bool
  ) -> Bool {
    guard let start = bytes.first, first(start) else { return false }
    return bytes.dropFirst().allSatisfy(rest)
  }

  private func isTaskID(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 512
      && text.utf8.span.allSatisfy { byte in
        byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "[") && byte != UInt8(ascii: "]")
          && byte != UInt8(ascii: ",")
      }
  }

  private func isStatusClass(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 3 && (UInt8(ascii: "1")...UInt8(ascii: "5")).contains(bytes[0])
      && bytes[1] == UInt8(ascii: "x") && bytes[2] == UInt8(ascii: "x")
  }

  private func isMediaType(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isTokenByte) }
  }

  private func isEntityTag(_ text: String) -> Bool {
    if text == "*" { return true }
    let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
    guard opaque.utf8.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\"") else {
      return false
    }
    return opaque.dropFirst().dropLast().utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
  }

  private func pathProblem(_ text: String) -> TextProblem? {
    if text.isEmpty { return TextProblem(message: "must not be empty") }
    guard text.utf8.span.contains("\0") else { return nil }
    return TextProblem(message: "holds a NUL, which no path can")
  }

  private func lineProblem(_ text: String) -> TextProblem? {
    guard let bad = text.utf8.first(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
      return nil
    }
    let name = bad == 0 ? "a NUL" : "a line break"
    return TextProblem(
      message: "holds \(name), which would begin another header",
      hint: "a folded text (`>-`) drops the last line break")
  }

  private func timeProblem(_ text: String) -> TextProblem? {
    let isGood = self == .window ? ClockText.isWindow(text) : ClockText.isDateTime(text)
    return isGood ? nil : unlike
  }
}

func isLetter(_ byte: UInt8) -> Bool {
  let small = byte | 0x20
  return small >= UInt8(ascii: "a") && small <= UInt8(ascii: "z")
}

func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

/// RFC 9110, section 5.6.2.
func isTokenByte(_ byte: UInt8) -> Bool {
  isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
}

func isHexDigit(_ byte: UInt8) -> Bool {
  let small = byte | 0x20
  return isDigit(byte) || (small >= UInt8(ascii: "a") && small <= UInt8(ascii: "f"))
}
