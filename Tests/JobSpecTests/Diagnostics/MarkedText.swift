import JobSpec

/// A text that says with `⟪` and `⟫` which part of it is meant.
struct MarkedText {
  let text: String
  let ranges: [SourceRange]

  init(_ marked: String) {
    var (text, ranges, open) = ("", [SourceRange](), [SourcePosition]())
    var place = SourcePosition(line: 1, column: 1)
    for scalar in marked.unicodeScalars {
      switch scalar {
      case "⟪": open.append(place)
      case "⟫": ranges.append(SourceRange(start: open.removeLast(), end: place))
      default:
        text.unicodeScalars.append(scalar)
        place =
          scalar == "\n"
          ? SourcePosition(line: place.line + 1, column: 1)
          : SourcePosition(line: place.line, column: place.column + 1)
      }
    }
    (self.text, self.ranges) = (text, ranges)
  }

  var bytes: [UInt8] { Array(text.utf8) }
}
