/// A number in front of its unit, exact: `1.5` is 15 tenths.
struct DecimalText {
  /// All digits, without the point.
  var digits: Int64
  /// How many of them stand after the point.
  var places: Int

  enum Problem: Error { case none, tooLarge }

  /// Takes digits, and a point with digits after it, off the front of `text`.
  init(takenFrom text: inout Substring) throws(Problem) {
    let whole = text.prefix { $0.isASCII && $0.isWholeNumber }
    guard !whole.isEmpty else { throw .none }
    text = text.dropFirst(whole.count)
    var fraction: Substring = ""
    if text.first == ".", let next = text.dropFirst().first, next.isASCII, next.isWholeNumber {
      fraction = text.dropFirst().prefix { $0.isASCII && $0.isWholeNumber }
      text = text.dropFirst(1 + fraction.count)
    }
    while fraction.last == "0" { fraction.removeLast() }
    guard let digits = Int64(String(whole) + fraction) else { throw .tooLarge }
    self.digits = digits
    places = fraction.count
  }

  /// The number times `unit`, rounded down; nil when it overflows.
  func times(_ unit: Int64) -> Int64? {
    let product = digits.multipliedFullWidth(by: unit)
    var divisor: Int64 = 1
    for _ in 0..<places { divisor *= 10 }
    guard product.high < divisor else { return nil }
    let (quotient, _) = UInt64(divisor).dividingFullWidth((UInt64(product.high), product.low))
    return Int64(exactly: quotient)
  }
}
