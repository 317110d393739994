/// Colour on a terminal (ECMA-48, select graphic rendition), or none.
struct Style: Equatable {
  enum Mark: String {
    case good = "32"
    case bad = "31"
    case attention = "33"
    case faint = "2"
    case bold = "1"
  }

  var isColored: Bool

  /// What `--color` (nil is `auto`), `NO_COLOR`, `TERM` and the descriptor come to.
  init(option: String?, environment: (String) -> String?, isTerminal: Bool) {
    switch option {
    case "always": isColored = true
    case "never": isColored = false
    default:
      let isRefused = environment("NO_COLOR").map { !$0.isEmpty } ?? false
      isColored = isTerminal && !isRefused && environment("TERM") != "dumb"
    }
  }

  func paint(_ text: String, _ mark: Mark) -> String {
    isColored ? "\u{1B}[\(mark.rawValue)m\(text)\u{1B}[0m" : text
  }
}
