/// Takes secret values out of text that is going to be shown, logged or stored: whatever is one,
/// plain or in a common encoding, becomes `***`.
///
/// Found are the value itself, its base64 at each of the three places that it can have in a longer
/// text (RFC 4648, both alphabets, with and without padding), and each of these percent-encoded
/// (any choice of bytes, either case, `+` for a space) or JSON-escaped. Of a value of several lines
/// each line of 8 bytes or more counts too: a trace shows lines.
///
/// A form of fewer than 4 bytes is masked only where no letter or digit adjoins it: the secret `7`
/// must not take every 7 out of a log. Two secrets that overlap in a text are masked as one.
package struct SecretMask: Sendable {
  static let shortest = 4
  private static let stars = Array("***".utf8)

  /// By their first byte, the longest first.
  private var forms: [[[UInt8]]] = []

  /// - Parameter values: the secrets; empty ones are passed over.
  package init(_ values: [String] = []) {
    let all = values.reduce(into: Set<[UInt8]>()) { $0.formUnion(SecretForms.all(of: $1)) }
    if all.isEmpty { return }
    forms = Array(repeating: [], count: 256)
    for form in all.sorted(by: { $0.count > $1.count }) { forms[Int(form[0])].append(form) }
  }

  /// There is nothing to mask.
  package var isEmpty: Bool { forms.isEmpty }

  package func mask(_ text: String) -> String {
    if isEmpty { return text }
    let bytes = Array(text.utf8)
    guard let masked = masked(bytes) else { return text }
    return String(decoding: masked, as: UTF8.self)
  }

  package func mask(_ text: String?) -> String? { text.map { mask($0) } }

  /// The same of bytes that may be no text.
  package func mask(_ bytes: [UInt8]) -> [UInt8] { isEmpty ? bytes : masked(bytes) ?? bytes }

  /// nil when there is no secret in it.
  private func masked(_ bytes: [UInt8]) -> [UInt8]? {
    var found = places(in: bytes)
    for view in [DecodedView(percentDecoding: bytes), DecodedView(unescapingJSON: bytes)] {
      if let view { found += places(in: view.bytes).map(view.original) }
    }
    if found.isEmpty { return nil }
    found.sort { $0.lowerBound < $1.lowerBound }
    var masked: [UInt8] = []
    var end = -1
    for place in found {
      if place.lowerBound > end {
        masked += bytes[max(end, 0)..<place.lowerBound]
        masked += Self.stars
      }
      end = max(end, place.upperBound)
    }
    return masked + bytes[end...]
  }

  /// Where a form begins, each with its longest, in order; they may overlap.
  private func places(in bytes: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    for index in bytes.indices {
      let candidates = forms[Int(bytes[index])]
      if candidates.isEmpty { continue }
      if let form = candidates.first(where: { Self.stands($0, in: bytes, at: index) }) {
        places.append(index..<index + form.count)
      }
    }
    return places
  }

  private static func stands(_ form: [UInt8], in bytes: [UInt8], at start: Int) -> Bool {
    let end = start + form.count
    if end > bytes.count { return false }
    for offset in 1..<max(form.count, 1) where bytes[start + offset] != form[offset] {
      return false
    }
    if form.count >= shortest { return true }
    let adjoinsBefore = start > 0 && isWord(bytes[start - 1])
    return !adjoinsBefore && !(end < bytes.count && isWord(bytes[end]))
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: byte >= 0x80
    }
  }
}
