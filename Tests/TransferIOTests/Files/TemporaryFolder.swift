import Glibc

/// A fresh folder, removed with all that is in it when it goes.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/jobrun-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { preconditionFailure("mkdtemp: \(errno)") }
    path = String(cString: made)
  }

  deinit { Self.removeAll(path) }

  private static func removeAll(_ path: String) {
    chmod(path, 0o700)
    for name in TestFile.names(in: path) {
      let entry = "\(path)/\(name)"
      if unlink(entry) != 0 { removeAll(entry) }
    }
    rmdir(path)
  }

  static func / (folder: TemporaryFolder, name: String) -> String { "\(folder.path)/\(name)" }
}

/// Small helps for looking at files.
enum TestFile {
  static func write(_ text: String, to path: String, mode: mode_t = 0o644) {
    write(Array(text.utf8), to: path, mode: mode)
  }

  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
    precondition(file >= 0, "open \(path): \(errno)")
    precondition(Glibc.write(file, bytes, bytes.count) == bytes.count)
    close(file)
  }

  static func bytes(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    if file < 0 { return nil }
    defer { close(file) }
    var facts = stat()
    fstat(file, &facts)
    var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
    let count = read(file, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  static func text(_ path: String) -> String? {
    bytes(path).map { String(decoding: $0, as: UTF8.self) }
  }

  static func mode(_ path: String) -> mode_t? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : nil
  }

  static func size(_ path: String) -> off_t? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_size : nil
  }

  static func names(in folder: String) -> [String] {
    guard let open = opendir(folder) else { return [] }
    defer { closedir(open) }
    var names: [String] = []
    while let entry = readdir(open) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
