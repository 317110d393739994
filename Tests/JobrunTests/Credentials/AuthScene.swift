import FaultOrigin
import Glibc
import Testing
import TransferCore

/// A job of a test and its folder: run by the real binary, with an environment of its own.
final class AuthScene {
  let folder: TemporaryFolder
  /// `NAME=VALUE`, beside PATH and XDG_STATE_HOME.
  var environment: [String] = []

  init() throws { folder = try TemporaryFolder() }

  /// What a run came to.
  struct Outcome {
    var ended: ChildProcess.Ended
    var document: JSONNode

    /// The result of a task.
    func task(_ id: String) -> JSONNode? {
      document["tasks"]?.elements.first { $0["task"]?.text == id }
    }
    func code(_ id: String) -> String? { task(id)?["error"]?["code"]?.text }
    func message(_ id: String) -> String { task(id)?["error"]?["message"]?.text ?? "" }
    /// The statuses of its requests, in order.
    func statuses(_ id: String) -> [Int64?] {
      task(id)?["transactions"]?.elements.map { $0["status"]?.integer } ?? []
    }
  }

  func write(_ job: String) throws {
    try folder.write("job.yaml", "version: 1\nname: sample\n" + job)
  }

  func start(_ arguments: [String]) throws -> ChildProcess {
    try Jobrun.start(
      arguments, environment: environment + ["XDG_STATE_HOME=\(folder.path)/state"],
      folder: folder.path)
  }

  /// Runs the job once, results as JSON.
  @discardableResult
  func run(
    _ job: String, _ more: String..., location: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    try write(job)
    let ended = try start(["--json", "--fresh"] + more + ["job.yaml"]).wait()
    let document = try #require(
      JSONNode(ended.out.utf8), "\(ended.err)", sourceLocation: location)
    return Outcome(ended: ended, document: document)
  }
}

extension SeenRequest {
  /// The user and password of Basic; nil when it carries none.
  var basic: String? {
    guard let field = self["Authorization"], field.hasPrefix("Basic ") else { return nil }
    return AuthText.decoded(String(field.dropFirst("Basic ".count)))
  }
}

enum AuthText {
  /// Base64 undone (RFC 4648, section 4).
  static func bytes(_ text: String) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (bits, count): (UInt32, Int) = (0, 0)
    var bytes: [UInt8] = []
    for character in text.utf8 {
      guard let value = alphabet.firstIndex(of: character) else { break }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  static func decoded(_ text: String) -> String { String(decoding: bytes(text), as: UTF8.self) }

  static func base64(_ text: String) -> String { base64(Array(text.utf8)) }

  static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var characters: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      let bits = piece.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - piece.count))
      for index in 0..<4 {
        let value = Int(bits >> UInt32(18 - 6 * index) & 63)
        characters.append(index <= piece.count ? alphabet[value] : UInt8(ascii: "="))
      }
    }
    return String(decoding: characters, as: UTF8.self)
  }
}
