/// One line of a file and the carets below a part of it, cut to a width.
struct Snippet {
  private(set) var line = ""
  private(set) var carets = ""

  private static let tabWidth = 4

  /// - Parameters:
  ///   - marked: 0-based columns in scalars; an empty range, or one past the end, gets one caret.
  ///   - width: columns of the terminal, at least 20.
  init(_ scalars: [Unicode.Scalar], marked: Range<Int>, width: Int) {
    let widths = scalars.map {
      $0 == "\t" ? Self.tabWidth : DisplayWidth.of(Printable.scalar($0))
    }
    let start = min(marked.lowerBound, scalars.count)
    let end = min(max(marked.upperBound, start), scalars.count)
    let window = Self.window(widths, around: start..<end, width: width)
    if window.lowerBound > 0 { line = "…" }
    for index in window { line += Self.shown(scalars[index]) }
    if window.upperBound < scalars.count { line += "…" }
    let shown = max(start, window.lowerBound)..<max(start, min(end, window.upperBound))
    let before = widths[window.lowerBound..<shown.lowerBound].reduce(0, +)
    let under = widths[shown].reduce(0, +)
    carets =
      String(repeating: " ", count: before + (window.lowerBound > 0 ? 1 : 0))
      + String(repeating: "^", count: max(1, under))
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    scalar == "\t"
      ? String(repeating: " ", count: tabWidth) : String(Printable.scalar(scalar))
  }

  /// The scalars to show: all of them when they fit, otherwise those around the marked part.
  private static func window(
    _ widths: [Int], around marked: Range<Int>, width: Int
  ) -> Range<Int> {
    let total = widths.reduce(0, +)
    guard total > width else { return 0..<widths.count }
    let room = width - 2
    let markedWidth = min(widths[marked].reduce(0, +), room)
    let after = widths[marked.upperBound...].reduce(0, +)
    let lead = max((room - markedWidth) / 2, room - markedWidth - after)
    var start = marked.lowerBound
    var used = 0
    while start > 0, used + widths[start - 1] <= lead {
      start -= 1
      used += widths[start]
    }
    var end = marked.lowerBound
    while end < widths.count, used + widths[end] <= room {
      used += widths[end]
      end += 1
    }
    return start..<end
  }
}
