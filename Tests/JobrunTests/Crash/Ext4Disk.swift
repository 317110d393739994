import Glibc
import Testing

/// An ext4 on a loop device, in a mount namespace of its own, whose power can be cut. Needs root.
final class Ext4Disk {
  /// Where it is in its namespace.
  let path: String
  let space: MountSpace
  private let folder: TemporaryFolder
  private let image: String

  init(megabytes: Int) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.memory)
    path = folder.path + "/disk"
    image = folder.path + "/image"
    mkdir(path, 0o700)
    space = try MountSpace(
      mounting: "truncate -s \(megabytes)M \(image) && /usr/sbin/mkfs.ext4 -q -F \(image)"
        + " && mount -o loop \(image) \(path)",
      needs: "This needs root, a loop device (/dev/loop-control) and mkfs.ext4 (e2fsprogs).",
      asUser: false)
  }

  /// As if the power had gone: what was not flushed is lost, and the file system is there again.
  func cutPower() throws {
    let descriptor = open(space.view + path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH.
    var flags: UInt32 = 2
    let code = ioctl(descriptor, 0x8004_587D, &flags)
    let number = errno
    close(descriptor)
    guard code == 0 else { throw space.failure("EXT4_IOC_SHUTDOWN: errno \(number)") }
    try unmount()
    try space.run(["/usr/bin/mount", "-o", "loop", image, path])
  }

  private func unmount() throws {
    // A program that another test is just starting may hold a descriptor until its exec.
    for _ in 1..<100 {
      do { return try space.run(["/usr/bin/umount", path]) } catch { continue }
    }
    try space.run(["/usr/bin/umount", path])
  }
}
