import CLinux
import Glibc
import TransferCore

extension DigestMethods {
  /// The digests of a whole file, in the order of `algorithms`, read `buffer` bytes at a time.
  /// Blocks until done: large files belong on a helper thread.
  package func hashFile(
    _ path: String, _ algorithms: [ChecksumAlgorithm], buffer: Int = 262_144
  ) throws(TransferFailure) -> [String] {
    let descriptor = unsafe path.withCString { path in
      unsafe jobrun_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    }
    if descriptor < 0 { throw FileError.last("open", path).failure }
    defer { close(descriptor) }
    return try hash(descriptor, path, algorithms, buffer: buffer)
  }

  /// The same of an open file, from its start; `path` is for messages.
  package func hash(
    _ descriptor: Int32, _ path: String, _ algorithms: [ChecksumAlgorithm], buffer: Int = 262_144
  ) throws(TransferFailure) -> [String] {
    var digests: [Digest] = []
    for algorithm in algorithms { digests.append(try started(algorithm)) }
    var bytes = [UInt8](repeating: 0, count: buffer)
    var offset: off_t = 0
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe pread(descriptor, bytes.baseAddress, bytes.count, offset)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError.last("read", path).failure
      }
      if count == 0 { return digests.map { $0.finish() } }
      offset += count
      for digest in digests { unsafe digest.update(bytes.span.bytes.extracting(0..<count)) }
    }
  }

  private func started(_ algorithm: ChecksumAlgorithm) throws(TransferFailure) -> Digest {
    do { return try start(algorithm) } catch { throw error.failure }
  }
}
