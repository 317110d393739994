/// The shapes in which a secret may turn up once percent-encoding and JSON's escapes are undone.
enum SecretForms {
  /// Lines of a value that are shorter don't count as secrets by themselves.
  private static let shortestLine = 8
  private static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlSafe = standard.dropLast(2) + Array("-_".utf8)

  /// None for an empty value.
  static func all(of value: String) -> Set<[UInt8]> {
    var forms: Set<[UInt8]> = []
    for secret in secrets(in: Array(value.utf8)) {
      forms.insert(secret)
      // application/x-www-form-urlencoded.
      forms.insert(secret.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 })
      for lead in 0...2 { forms.formUnion(base64(secret, after: lead)) }
    }
    return forms
  }

  private static func secrets(in value: [UInt8]) -> [[UInt8]] {
    if value.isEmpty { return [] }
    let lines = value.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    let counted = lines.filter { $0.count >= shortestLine }.map(Array.init)
    return [value] + counted.filter { $0 != value }
  }

  /// The characters of the base64 of a text that hold nothing but bits of `secret`, when it stands
  /// at a position of the text that is `lead` more than a multiple of 3: once as it is inside of
  /// the text, once as it is at its end.
  private static func base64(_ secret: [UInt8], after lead: Int) -> [[UInt8]] {
    let bytes = [UInt8](repeating: 0, count: lead) + secret
    // A character that also holds bits of what comes before can't be foreseen.
    let first = lead == 0 ? 0 : lead + 1
    let whole = bytes.count * 8 / 6
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (3 - bytes.count % 3) % 3)
    return [standard, Array(urlSafe)].flatMap { alphabet -> [[UInt8]] in
      let characters = encode(bytes, alphabet)
      let inside = Array(characters[min(first, whole)..<whole])
      let last = Array(characters[min(first, characters.count)...])
      return [inside, last, last + padding].filter { $0.contains { $0 != UInt8(ascii: "=") } }
    }
  }

  /// RFC 4648, section 4, without padding.
  private static func encode(_ bytes: [UInt8], _ alphabet: [UInt8]) -> [UInt8] {
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count * 8 + 5) / 6)
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        characters.append(alphabet[Int(bits >> UInt32(count) & 63)])
      }
      bits &= 63
    }
    if count > 0 { characters.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
    return characters
  }
}
