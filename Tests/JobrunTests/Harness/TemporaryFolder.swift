import Glibc

/// A fresh folder that goes away with the value that names it.
final class TemporaryFolder {
  struct Failure: Error {
    var what: String
    var number: Int32
  }

  /// Absolute, without a slash at its end.
  let path: String

  /// - Parameter base: where it is made.
  init(in base: String = "/tmp") throws {
    var template = Array("\(base)/jobrun-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(what: "mkdtemp", number: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Where flushes cost nothing, when there is such a place.
  static let memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

  deinit { Self.removeAll(path) }

  static func removeAll(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        if name == "." || name == ".." { continue }
        let child = path + "/" + name
        if entry.pointee.d_type == UInt8(DT_DIR) { removeAll(child) } else { unlink(child) }
      }
      closedir(folder)
    }
    rmdir(path)
  }

  /// Writes a file below the folder, and the folders on its way; returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let target = path + "/" + name
    for index in target.indices where target[index] == "/" && index > target.startIndex {
      mkdir(String(target[..<index]), 0o700)
    }
    guard let file = fopen(target, "we") else { throw Failure(what: target, number: errno) }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw Failure(what: target, number: errno)
    }
    return target
  }

  /// The text of a file below the folder; nil if there is none.
  func read(_ name: String) -> String? { Self.text(of: path + "/" + name) }

  /// The text of any file.
  static func text(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
