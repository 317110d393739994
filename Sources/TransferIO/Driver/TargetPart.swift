import Glibc
import TransferCore

/// A task's part file and the target that it becomes. Opened when a body for it is accepted, and
/// not before: a task whose file is current touches nothing.
final class TargetPart {
  /// The target, absolute.
  let path: String
  /// The part file, absolute.
  let partPath: String
  private let partName: String
  private let folders: TargetFolders
  private let plan: DownloadPlan
  private var place: (folder: TargetFolder, name: String)?
  private var file: PartFile?
  private var expected: FileFacts?
  /// What the bytes belong to that were there before this run.
  var resumed: Validator?
  /// Why a flush failed: what the file holds may be lost, whatever later flushes say.
  private(set) var flushFault: Int32?

  /// - Parameters:
  ///   - plan: the download, or what a data task's `save` is as one.
  ///   - partName: the part file's name in the target's folder.
  init(_ plan: DownloadPlan, partName: String, folders: TargetFolders) {
    self.plan = plan
    path = plan.path
    let target = plan.path
    let folder = target.utf8.lastIndex(of: UInt8(ascii: "/")).map { target[...$0] } ?? ""
    partPath = folder + partName
    self.partName = partName
    self.folders = folders
  }

  var isOpen: Bool { file != nil }
  var size: Int64 { file?.size ?? 0 }
  var device: UInt64 { file?.device ?? 0 }
  var inode: UInt64 { file?.inode ?? 0 }
  var descriptor: Int32 { file?.descriptor ?? -1 }
  var folderDescriptor: Int32 { place?.folder.descriptor ?? -1 }
  /// Opens and locks the part file, with the folders above it.
  func open() throws(TransferFailure) -> PartFile {
    if let file { return file }
    let place = try folders.folder(of: path)
    do throws(FileError) {
      let mode: UInt32 = plan.mode == nil ? 0o644 : 0o600
      let opened = try PartFile(
        folder: place.folder.descriptor, name: partName, path: partPath, mode: mode)
      self.place = place
      file = opened
      return opened
    } catch { throw error.failure }
  }

  /// Gives the whole part file what the target shall have; what to remember of it.
  func finish(_ request: CommitRequest) throws(TransferFailure) -> CommittedFile {
    let file = try open()
    do throws(FileError) {
      if let flushFault { throw FileError(.system(flushFault), "flush", partPath) }
      if let bytes = request.bytes {
        try file.truncate(to: 0)
        unsafe try file.write(bytes.span.bytes)
      }
      if file.size < request.size {
        throw FileError(.changed, "put in place", partPath)
      }
      // After a crash a part file may be longer than what was known to be on disk of it.
      try file.truncate(to: request.size)
      let modified =
        plan.keepsModificationTime
        ? request.validator.lastModified.flatMap { HTTPDate.seconds($0, now: 0) } : nil
      let facts = try Placement.finish(
        descriptor: file.descriptor, mode: plan.mode ?? (file.isNew ? nil : Placement.defaultMode),
        modified: modified, path: partPath)
      expected = facts
      return CommittedFile(
        url: request.url, path: path, inode: facts.inode, size: facts.size,
        modificationNanoseconds: facts.modificationNanoseconds, validator: request.validator,
        sha256: request.sha256)
    } catch { throw error.failure }
  }

  /// Gives the finished part file its target's name, and lets go of it.
  func rename(replacing replaces: Bool) throws(TransferFailure) {
    guard let place, let expected else { preconditionFailure("a part file that was not finished") }
    do throws(FileError) {
      try Placement.put(
        partName, as: place.name, in: place.folder, expected: expected, replaces: replaces)
    } catch { throw error.failure }
    file = nil
  }

  /// Removes the part file, if this run opened it.
  /// - Returns: whether it is gone.
  @discardableResult
  func discard() -> Bool {
    guard let place, file != nil else { return false }
    file = nil
    do throws(FileError) { try Placement.remove(partName, in: place.folder) } catch {
      return false
    }
    return true
  }

  /// A flush of it failed: nothing more of it is claimed or put in place.
  func distrust(_ number: Int32) { flushFault = number }

  /// Flushes what the part file holds, and its name, so that it may be claimed. nil if that fails.
  func flushed() -> Int64? {
    guard flushFault == nil, let file, let place, fdatasync(file.descriptor) == 0,
      fsync(place.folder.descriptor) == 0
    else { return nil }
    return file.size
  }
}
