import Glibc

/// What is known of the terminal behind a descriptor.
struct Terminal {
  var isTerminal: Bool
  /// Columns; 80 where it doesn't tell.
  var width: Int

  /// Looks at `descriptor`.
  init(descriptor: Int32) {
    isTerminal = isatty(descriptor) == 1
    var size = winsize()
    let isKnown = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    width = isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}
