import Glibc

/// A fresh folder with files in it, removed when it goes.
final class ScratchFolder {
  let path: String

  init() {
    var template = Array("/tmp/jobrun-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { preconditionFailure("mkdtemp: \(errno)") }
    path = String(cString: made)
  }

  deinit { Self.removeAll(path) }

  private static func removeAll(_ path: String) {
    if unlink(path) == 0 { return }
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        if name != "." && name != ".." { removeAll("\(path)/\(name)") }
      }
      closedir(folder)
    }
    rmdir(path)
  }

  /// Writes a file and gives its path.
  @discardableResult
  func file(_ name: String, _ bytes: some Collection<UInt8>, mode: mode_t = 0o600) -> String {
    let path = "\(path)/\(name)"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(file >= 0, "open \(path): \(errno)")
    precondition(write(file, Array(bytes), bytes.count) == bytes.count)
    fchmod(file, mode)
    close(file)
    return path
  }

  @discardableResult
  func file(_ name: String, _ text: String, mode: mode_t = 0o600) -> String {
    file(name, text.utf8, mode: mode)
  }
}
