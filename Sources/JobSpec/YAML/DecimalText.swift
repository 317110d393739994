/// A number in front of its unit, exact: `1.5` is 15 tenths.
struct DecimalText {
  enum Problem: Error { case none, tooLarge }

  private static let placesAtMost = 18

  /// All digits, without the point.
  private let digits: UInt128
  /// Ten to the power of the number of digits after the point.
  private let divisor: UInt128

  /// Takes digits, and a point with digits after it, off the front of `text`; digits past the
  /// eighteenth after the point are dropped.
  init(takenFrom text: inout Substring) throws(Problem) {
    let whole = text.prefix(while: Self.isDigit)
    guard !whole.isEmpty else { throw .none }
    text = text.dropFirst(whole.count)
    var fraction: Substring = ""
    if text.first == ".", text.dropFirst().first.map(Self.isDigit) ?? false {
      fraction = text.dropFirst().prefix(while: Self.isDigit)
      text = text.dropFirst(1 + fraction.count)
    }
    fraction = fraction.prefix(Self.placesAtMost)
    guard Int64(whole) != nil, let digits = UInt128(String(whole) + fraction) else {
      throw .tooLarge
    }
    self.digits = digits
    divisor = fraction.reduce(1) { power, _ in power * 10 }
  }

  /// The number times `unit`, rounded down; nil when it overflows.
  func times(_ unit: Int64) -> Int64? {
    let (product, overflow) = digits.multipliedReportingOverflow(by: UInt128(unit))
    return overflow ? nil : Int64(exactly: product / divisor)
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isWholeNumber
  }
}
