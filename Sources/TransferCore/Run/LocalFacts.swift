/// What `stat` says of a path.
package struct FileFacts: Equatable, Sendable {
  package enum Kind: Sendable { case regular, folder, symbolicLink, other }
  package var kind: Kind
  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  /// Nanoseconds since 1970.
  package var modificationNanoseconds: Int64
  /// Permission bits.
  package var mode: UInt32

  package init(
    kind: Kind, device: UInt64, inode: UInt64, size: Int64, modificationNanoseconds: Int64,
    mode: UInt32
  ) {
    self.kind = kind
    self.device = device
    self.inode = inode
    self.size = size
    self.modificationNanoseconds = modificationNanoseconds
    self.mode = mode
  }
}

/// What the state remembers of a file that a task committed.
package struct CommittedFile: Equatable, Sendable {
  /// The address that it came from, without user info and secrets.
  package var url: String
  /// The task's own address then, where redirects led from it to `url`; nil when none did.
  package var askedURL: String?
  /// Absolute.
  package var path: String
  package var inode: UInt64
  package var size: Int64
  package var modificationNanoseconds: Int64
  package var validator: Validator
  /// Lower-case hex, when it was hashed.
  package var sha256: String?

  package init(
    url: String, path: String, inode: UInt64, size: Int64, modificationNanoseconds: Int64,
    validator: Validator, sha256: String?
  ) {
    self.url = url
    self.path = path
    self.inode = inode
    self.size = size
    self.modificationNanoseconds = modificationNanoseconds
    self.validator = validator
    self.sha256 = sha256
  }
}

/// Durable progress of a part file: what the state claims is on disk.
package struct Checkpoint: Equatable, Sendable {
  /// The address that the bytes came from, without user info and secrets.
  package var url: String
  /// The part file, absolute.
  package var path: String
  package var inode: UInt64
  /// Bytes from the start that are known to be on disk.
  package var durableBytes: Int64
  /// Ranges beyond those that are known to be on disk too, of a file that came in segments.
  package var beyond = ByteRanges()
  /// The whole length, where the server declared it.
  package var total: Int64?
  package var validator: Validator
  /// What the part file was marked with when it was begun; nil where its file system keeps none.
  /// Another state's run, or a later one than a restored state knows of, begins with another.
  package var mark: UInt64?

  package init(
    url: String, path: String, inode: UInt64, durableBytes: Int64, total: Int64?,
    validator: Validator
  ) {
    self.url = url
    self.path = path
    self.inode = inode
    self.durableBytes = durableBytes
    self.total = total
    self.validator = validator
  }
}
