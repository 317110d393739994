import CLinux
import Glibc

/// Flushes a batch; runs on the helper thread and touches nothing but the batch's values.
enum FlushWork {
  /// From so many files of one file system on, flushing all of it once is cheaper than each file by
  /// itself (measured: MEASURED's 0.7 s against 4.5 s and more for 10,000 small files).
  static let wholeDeviceFrom = 8

  static func perform(_ batch: FlushBatch) -> FlushResult {
    var result = FlushResult(id: batch.id)
    for files in Dictionary(grouping: batch.files, by: \.device).values {
      if files.count < wholeDeviceFrom {
        for file in files { note(&result, file.descriptor, fdatasync(file.descriptor)) }
      } else if syncfs(files[0].descriptor) != 0 {
        // Which file it was is not told: each by itself is.
        for file in files { note(&result, file.descriptor, fdatasync(file.descriptor)) }
      }
    }
    for folder in batch.folders { note(&result, folder, fsync(folder)) }
    // What a log claims must not outlive what it claims.
    if result.failed.isEmpty {
      for log in batch.logs { note(&result, log, fdatasync(log)) }
    } else {
      for log in batch.logs { result.failed[log] = ECANCELED }
    }
    if let path = batch.checkpoint { checkpoint(path) }
    return result
  }

  /// Devices and pipes have nothing to flush: EINVAL and EROFS are no failures.
  private static func note(_ result: inout FlushResult, _ descriptor: Int32, _ code: Int32) {
    if code == 0 { return }
    let number = errno
    if number == EINVAL || number == EROFS { return }
    result.failed[descriptor] = number
  }

  /// A checkpoint that fails leaves the log as it is: the next one takes it along, and damage shows
  /// where the state is used.
  private static func checkpoint(_ path: String) {
    do throws(SQLiteError) {
      let database = try SQLiteDatabase(path: path, access: .readWrite)
      database.keepLogAtClose()
      try database.checkpoint()
    } catch { return }
  }
}
