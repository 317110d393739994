import CLinux
import Glibc
import TransferCore

/// The folders of a run's targets, opened once each and made where they are missing.
///
/// Beneath the job's `root`, or a session's container, no symbolic link leads out of it; a path
/// elsewhere is the author's word, and links are followed. Not Sendable: the loop's thread alone
/// uses it.
package final class TargetFolders {
  /// The innermost first.
  private let roots: [String]
  private let limit: Int
  private var open: [String: TargetFolder] = [:]
  private var order: [String] = []
  private var changed: [TargetFolder] = []
  private var beneath = FolderOpening.kernel

  /// - Parameters:
  ///   - root: the job's, absolute.
  ///   - containers: those of background sessions, absolute.
  ///   - limit: folders kept open at most; those in use stay open beside them.
  package init(root: String, containers: [String] = [], limit: Int = 256) {
    let all = ([root] + containers).map {
      $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0
    }
    roots = all.sorted { $0.utf8.count > $1.utf8.count }
    self.limit = limit
  }

  /// The folder that the target `path` (absolute) stands in, and the target's name in it.
  package func folder(
    of path: String
  ) throws(TransferFailure) -> (folder: TargetFolder, name: String) {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), bytes.last != UInt8(ascii: "/") else {
      throw TransferFailure(.localFile, "\(path) names no file")
    }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (try self.folder(folder), String(path[bytes.index(after: slash)...]))
  }

  /// Folders in which other folders were made since the last call: flushed together with what was
  /// put in place below them, so that the way there outlives a power cut too.
  package func takeChanged() -> [TargetFolder] {
    defer { changed = [] }
    return changed
  }

  private func folder(_ path: String) throws(TransferFailure) -> TargetFolder {
    if let known = open[path] {
      let now = Clock.monotonic()
      // Asked for each file it would cost as much as a stat of the file itself.
      if now < known.trustedUntil { return known }
      known.trustedUntil = now + .milliseconds(100)
      if known.isStillThere { return known }
      open[path] = nil
      order.removeAll { $0 == path }
    }
    let folder = try opened(path)
    keep(folder)
    return folder
  }

  private func keep(_ folder: TargetFolder) {
    if order.count >= limit { open[order.removeFirst()] = nil }
    open[folder.path] = folder
    order.append(folder.path)
  }

  private func opened(_ path: String) throws(TransferFailure) -> TargetFolder {
    do throws(FileError) {
      return try attempt(path)
    } catch {
      guard error.cause == .system(ENOENT), path != "/" else { throw failure(error, path) }
    }
    try make(path)
    do throws(FileError) { return try attempt(path) } catch { throw failure(error, path) }
  }

  private func make(_ path: String) throws(TransferFailure) {
    let (parent, name) = try folder(of: path)
    if unsafe mkdirat(parent.descriptor, name, 0o777) == 0 {
      if !changed.contains(where: { $0 === parent }) { changed.append(parent) }
    } else if errno != EEXIST {
      throw FileError.last("make the folder", path).failure
    }
  }

  private func attempt(_ path: String) throws(FileError) -> TargetFolder {
    guard let (root, inside) = beneathRoot(path) else {
      return try TargetFolder(path: path, descriptor: try FolderOpening.follow(path))
    }
    let base = try FolderOpening.follow(root)
    if inside.isEmpty { return try TargetFolder(path: path, descriptor: base) }
    defer { close(base) }
    let descriptor = try beneath.open(inside, beneath: base, path)
    return try TargetFolder(path: path, descriptor: descriptor)
  }

  /// The root that a path lies in, and the path as seen from there; nil when it lies elsewhere.
  private func beneathRoot(_ path: String) -> (root: String, inside: String)? {
    for root in roots {
      if path == root { return (root, "") }
      let start = root == "/" ? root : root + "/"
      if path.hasPrefix(start) { return (root, String(path.dropFirst(start.count))) }
    }
    return nil
  }

  private func failure(_ error: FileError, _ path: String) -> TransferFailure {
    switch error.cause {
    case .system(EXDEV), .system(ELOOP):
      TransferFailure(
        .localFile,
        """
        can't write to \(path): a symbolic link leads out of the job's root \
        \(beneathRoot(path)?.root ?? ""); \
        set `root` to where it leads, or write the target as an absolute path there
        """)
    default: error.failure
    }
  }
}
