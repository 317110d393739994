import Glibc

/// Folders that are made where they are missing.
package enum FolderChain {
  /// Makes the folders above `path`, with what the umask leaves of `mode`. Symbolic links are
  /// followed: for paths that the author or the system chose, as logs and state.
  package static func create(above path: String, mode: UInt32 = 0o777) throws(FileError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    try create(String(path[..<slash]), mode: mode)
  }

  /// Makes the folder `path` and those above it.
  package static func create(_ path: String, mode: UInt32 = 0o777) throws(FileError) {
    if unsafe mkdir(path, mode) == 0 { return }
    switch errno {
    case ENOENT:
      try create(above: path, mode: mode)
      if unsafe mkdir(path, mode) != 0, errno != EEXIST { throw .last("make the folder", path) }
    case EEXIST:
      var facts = stat()
      if unsafe stat(path, &facts) != 0 { throw .last("look at", path) }
      if facts.st_mode & S_IFMT != S_IFDIR {
        throw FileError(.system(ENOTDIR), "make the folder", path)
      }
    default: throw .last("make the folder", path)
    }
  }
}
