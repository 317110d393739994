import Glibc

/// Files with a mode, for what is looked at before it is read.
extension TemporaryFolder {
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
