import Glibc
import JobSpec

/// A job file's bytes, or why they can't be had.
struct JobInput {
  /// As the user named it; `-` is standard input.
  var path: String
  var bytes: [UInt8]

  /// A file that can't be read, in words without a full stop.
  struct Problem: Error {
    var message: String
  }

  /// No job is that long; past it a wrong file is more likely (256 MiB).
  static let sizeLimit = 268_435_456

  /// Reads the whole file.
  init(reading path: String) throws(Problem) {
    self.path = path
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.problem(path, errno) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    bytes = try Self.contents(of: descriptor, path)
  }

  private static func contents(of descriptor: Int32, _ path: String) throws(Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 262_144)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw problem(path, errno)
      }
      bytes += chunk[..<count]
      if bytes.count > sizeLimit {
        throw Problem(message: "more than 256 MiB: no job is that long")
      }
    }
  }

  private static func problem(_ path: String, _ number: Int32) -> Problem {
    if number == EISDIR { return Problem(message: "it is a folder; name a file in it") }
    return Problem(message: SystemError.text(number))
  }
}

extension Diagnostic {
  /// A file that can't be read, so that every form of output tells it.
  init(unreadable problem: JobInput.Problem) {
    let start = SourcePosition(line: 1, column: 1)
    self.init(
      .error, "unreadable-file", "the file can't be read: \(problem.message)",
      at: SourceRange(start: start, end: start))
  }
}
