import Glibc
import Testing

/// A file system of a test's own, mounted for as long as the value lives. Needs root.
final class Mounted {
  struct Failure: Error {
    var words: String
  }

  let path: String
  private let folder: TemporaryFolder
  /// The ext4 image; nil for memory.
  private let image: String?

  /// In memory, with so much room.
  init(memory size: String) throws {
    folder = try TemporaryFolder()
    path = folder.path
    image = nil
    try Self.run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path])
  }

  /// An ext4 of so many MiB in a file, by a loop device.
  init(ext4 megabytes: Int) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.memory)
    path = folder.path + "/disk"
    let image = folder.path + "/image"
    self.image = image
    mkdir(path, 0o700)
    try Self.run("/usr/bin/truncate", ["-s", "\(megabytes)M", image])
    try Self.run("/usr/bin/env", ["mkfs.ext4", "-q", "-F", image])
    try mount()
  }

  deinit { unmount() }

  /// `remount` and other options.
  func change(_ options: String) throws {
    try Self.run("/usr/bin/mount", ["-o", "remount," + options, path])
  }

  /// As if the power had gone: what was not flushed is lost, and the file system is there again.
  func cutPower() throws {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH.
    var flags: UInt32 = 2
    let code = ioctl(descriptor, 0x8004_587D, &flags)
    let number = errno
    close(descriptor)
    guard code == 0 else { throw Failure(words: "EXT4_IOC_SHUTDOWN: errno \(number)") }
    unmount()
    try mount()
  }

  private func mount() throws {
    try Self.run("/usr/bin/mount", ["-o", "loop", image ?? "", path])
  }

  private func unmount() {
    // A program that another test is just starting may hold a descriptor until its exec.
    var problem: (any Error)?
    for _ in 1...100 {
      do {
        try Self.run("/usr/bin/umount", [path])
        return
      } catch { problem = error }
    }
    Issue.record("\(path) stays mounted: \(String(describing: problem))")
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let ended = try Clone.run(program, arguments)
    if ended.code != 0 { throw Failure(words: "\(program) \(arguments): \(ended.err)") }
  }

  // MARK: What this machine lets a test do

  /// Why no file system can be mounted; nil when one can.
  static let obstacle: String? = {
    if geteuid() != 0 { return "mounting needs root" }
    do {
      _ = try Mounted(memory: "64k")
      return nil
    } catch { return "mounting isn't allowed here: \(error)" }
  }()

  /// Why no ext4 can be had whose power can be cut; nil when one can.
  static let cutObstacle: String? = {
    if let obstacle { return obstacle }
    do {
      try Mounted(ext4: 8).cutPower()
      return nil
    } catch { return "no loop device or no ext4 here: \(error)" }
  }()
}
