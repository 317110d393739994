/// What is to be made durable together, in the order of its members. Every descriptor stays open
/// until the batch's result was collected: that is the caller's to see to.
package struct FlushBatch: Sendable {
  /// A file whose data is flushed.
  package struct File: Sendable {
    package var descriptor: Int32
    package var device: UInt64
    package init(descriptor: Int32, device: UInt64) {
      self.descriptor = descriptor
      self.device = device
    }
  }

  /// The caller's number for it.
  package var id: UInt64
  /// First: each file's data; of a device with many of them, the file system's.
  package var files: [File] = []
  /// Then: folders, so that the names in them outlive a power cut.
  package var folders: [Int32] = []
  /// Then, in this order: the write-ahead log and the completion log, which claim what came before.
  package var logs: [Int32] = []
  /// Last: the state database whose write-ahead log is worked in.
  package var checkpoint: String?

  package init(id: UInt64) { self.id = id }
}

/// What came of a batch.
package struct FlushResult: Sendable {
  package var id: UInt64
  /// Descriptors whose flush failed, with errno. None: all that the batch names is durable.
  package var failed: [Int32: Int32] = [:]
}
