/// Sizes as jobs write them: `4096`, `16 KiB`, `20 MB`; and rates: a size and `/s`.
package enum SizeText {
  private static let units: [String: Int64] = [
    "": 1, "B": 1,
    "kB": 1_000, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
    "PB": 1_000_000_000_000_000,
    "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50,
  ]
  private static let allowed = "write it like `4096`, `16 KiB` (1024s) or `20 MB` (1000s)"

  /// Bytes, from zero up; a fraction of a byte is dropped.
  package static func parse(_ text: String) throws(ScalarProblem) -> Int64 {
    var rest = text.trimmingSpaces
    if rest.isEmpty { throw ScalarProblem("a size is missing", hint: allowed) }
    try refuseSpecial(rest, of: text, what: "size", allowed: allowed)
    let number = try number(from: &rest, of: text)
    let name = String(rest.drop { $0 == " " })
    if name.hasSuffix("/s") {
      throw ScalarProblem("`\(text)` is a rate, and a size is due", hint: "leave out the `/s`")
    }
    guard let unit = units[name] else { throw unknown(name, of: text) }
    guard let bytes = number.times(unit) else { throw tooLarge(text) }
    return bytes
  }

  private static func number(
    from rest: inout Substring, of text: String
  ) throws(ScalarProblem) -> DecimalText {
    do throws(DecimalText.Problem) {
      return try DecimalText(takenFrom: &rest)
    } catch {
      switch error {
      case .none: throw ScalarProblem("`\(text)` is no size", hint: allowed)
      case .tooLarge: throw tooLarge(text)
      }
    }
  }

  static func refuseSpecial(
    _ rest: Substring, of text: String, what: String, allowed: String
  ) throws(ScalarProblem) {
    if rest.hasPrefix("-") {
      throw ScalarProblem("`\(text)` is negative", hint: "a \(what) is zero or more")
    }
    if case .float(let value) = CoreSchema.value(of: String(rest)), !value.isFinite {
      throw ScalarProblem("`\(text)` is no finite number", hint: allowed)
    }
  }

  private static func unknown(_ name: String, of text: String) -> ScalarProblem {
    if let letter = name.first, name.count == 1, let big = prefix(letter) {
      let number = text.trimmingSpaces.prefix { !$0.isLetter && $0 != " " }
      let small = big == "K" ? "kB" : "\(big)B"
      return ScalarProblem(
        "`\(text)` could be 1000s or 1024s",
        hint: "write `\(number) \(big)iB` (1024s) or `\(number) \(small)` (1000s)")
    }
    if let bits = bits(name, of: text) { return bits }
    if let exact = units.keys.first(where: { $0.lowercased() == name.lowercased() }) {
      return ScalarProblem(
        "`\(text)` has an unknown unit `\(name)`", hint: "did you mean `\(exact)`?")
    }
    let separators: Set<Character> = ["_", ",", "'"]
    if let first = name.first, separators.contains(first) {
      return ScalarProblem(
        "`\(text)` is no size", hint: "write the digits without `\(first)` between them")
    }
    return ScalarProblem(
      "`\(text)` has an unknown unit `\(name)`",
      hint: "the units are B, kB, MB, GB, TB (1000s) and KiB, MiB, GiB, TiB (1024s)")
  }

  private static func bits(_ name: String, of text: String) -> ScalarProblem? {
    let isShort = name.count == 2 && name.first?.isUppercase == true && name.hasSuffix("b")
    let isBits = isShort || ["bit", "bits", "bps"].contains { name.hasSuffix($0) }
    guard isBits, let letter = name.first, let big = prefix(letter) else { return nil }
    return ScalarProblem(
      "`\(text)` looks like bits", hint: "sizes are in bytes: 8 \(big)bit are 1 \(big)B")
  }

  private static func prefix(_ letter: Character) -> String? {
    let big = letter.uppercased()
    return ["K", "M", "G", "T", "P"].contains(big) ? big : nil
  }

  private static func tooLarge(_ text: String) -> ScalarProblem {
    ScalarProblem("`\(text)` is too large", hint: "a size is less than 8192 PiB")
  }
}

/// Rates as jobs write them: `10 MiB/s`.
package enum RateText {
  private static let allowed = "write it like `512 KiB/s` or `10 MB/s`"

  /// Bytes a second, from zero up.
  package static func parse(_ text: String) throws(ScalarProblem) -> Int64 {
    let rest = text.trimmingSpaces
    if rest.isEmpty { throw ScalarProblem("a rate is missing", hint: allowed) }
    try SizeText.refuseSpecial(rest, of: text, what: "rate", allowed: allowed)
    if rest == "unlimited" {
      throw ScalarProblem("a rate can't be `unlimited` here", hint: allowed)
    }
    if let bits = bits(rest, of: text) { throw bits }
    guard rest.hasSuffix("/s") else {
      let isSize = (try? SizeText.parse(String(rest))) != nil
      throw ScalarProblem(
        "`\(text)` is no rate",
        hint: isSize
          ? "a rate is a size and `/s`: `\(rest)/s`"
          : rest.contains("/") ? "a rate is for one second: `/s`" : allowed)
    }
    return try SizeText.parse(String(rest.dropLast(2)))
  }

  private static func bits(_ rest: Substring, of text: String) -> ScalarProblem? {
    guard rest.hasSuffix("bps") || rest.hasSuffix("bit/s") || rest.hasSuffix("bits/s") else {
      return nil
    }
    return ScalarProblem(
      "`\(text)` is in bits", hint: "rates are in bytes: 8 Mbit/s are `1 MB/s`")
  }
}
