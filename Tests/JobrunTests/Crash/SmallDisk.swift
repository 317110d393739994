import Glibc

/// A file system in memory with so much room, in a mount namespace of its own.
final class SmallDisk {
  /// Where it is in its namespace.
  let path: String
  let space: MountSpace
  private let folder: TemporaryFolder

  /// - Parameter size: as tmpfs takes it, `400k`.
  init(_ size: String) throws {
    folder = try TemporaryFolder()
    path = folder.path
    space = try MountSpace(
      mounting: "mount -t tmpfs -o size=\(size) tmpfs \(path)",
      needs: "This needs root, or a kernel that lets every user make namespaces "
        + "(user.max_user_namespaces).",
      asUser: geteuid() != 0)
  }

  /// Remounts it with other options.
  func change(_ options: String) throws {
    // The device named, mount doesn't repeat the old options, of which a user may not set all.
    try space.run(["/usr/bin/mount", "-o", "remount," + options, "tmpfs", path])
  }
}
