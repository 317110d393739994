import CLinux
import Glibc
import TransferCore

/// Hashes files in slices between the loop's turns, so that a large one holds up nothing.
final class HashQueue {
  /// Who asked: a task's target before anything is sent, or its part file at the end.
  enum Purpose { case target, part }

  struct Answer {
    var task: Int32
    var purpose: Purpose
    var digests: Result<[ChecksumAlgorithm: String], TransferFailure>
  }

  private final class Job {
    let task: Int32
    let purpose: Purpose
    let path: String
    let descriptor: Int32
    let digests: [Digest]
    /// Bytes that are still to be hashed, at most.
    var left: Int64
    var offset: off_t = 0

    init(
      _ task: Int32, _ purpose: Purpose, path: String, descriptor: Int32, upTo size: Int64,
      digests: [Digest]
    ) {
      self.task = task
      self.purpose = purpose
      self.path = path
      self.descriptor = descriptor
      left = size
      self.digests = digests
    }

    deinit { close(descriptor) }
  }

  /// Bytes hashed in one turn: some milliseconds.
  private static let slice = 4 * 1_048_576

  private let methods = DigestMethods()
  private var jobs: [Job] = []
  private var buffer: [UInt8] = []
  private var refused: [Answer] = []

  var isEmpty: Bool { jobs.isEmpty && refused.isEmpty }

  /// - Parameter size: so many bytes from the file's start, or all that there are if these are
  ///   fewer.
  func add(
    task: Int32, _ purpose: Purpose, path: String, upTo size: Int64 = .max,
    _ algorithms: [ChecksumAlgorithm]
  ) {
    do throws(TransferFailure) {
      var digests: [Digest] = []
      for algorithm in algorithms {
        do { digests.append(try methods.start(algorithm)) } catch { throw error.failure }
      }
      let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
      let descriptor = unsafe jobrun_openat(AT_FDCWD, path, flags, 0)
      if descriptor < 0 { throw FileError.last("open", path).failure }
      jobs.append(
        Job(task, purpose, path: path, descriptor: descriptor, upTo: size, digests: digests))
    } catch {
      refused.append(Answer(task: task, purpose: purpose, digests: .failure(error)))
    }
  }

  /// Drops what a task has under way.
  func cancel(_ task: Int32) { jobs.removeAll { $0.task == task } }

  /// Hashes one slice of the oldest job; the answers that are ready.
  func turn() -> [Answer] {
    var answers = refused
    refused = []
    guard let job = jobs.first else { return answers }
    switch hashSlice(of: job) {
    case .success(true): return answers
    case .success(false):
      let made = job.digests.map { ($0.algorithm, $0.finish()) }
      let digests = Dictionary(made, uniquingKeysWith: { first, _ in first })
      answers.append(Answer(task: job.task, purpose: job.purpose, digests: .success(digests)))
    case .failure(let error):
      answers.append(
        Answer(task: job.task, purpose: job.purpose, digests: .failure(error.failure)))
    }
    jobs.removeFirst()
    return answers
  }

  /// Whether there is more of the file.
  private func hashSlice(of job: Job) -> Result<Bool, FileError> {
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.slice) }
    let wanted = Int(min(Int64(Self.slice), job.left))
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe pread(job.descriptor, bytes.baseAddress, wanted, job.offset)
    }
    if count < 0 { return errno == EINTR ? .success(true) : .failure(.last("read", job.path)) }
    job.offset += count
    job.left -= Int64(count)
    unsafe buffer.withUnsafeBytes { bytes in
      let read = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
      for digest in job.digests { unsafe digest.update(read.bytes) }
    }
    return .success(count > 0)
  }
}
