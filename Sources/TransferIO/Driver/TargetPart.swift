import Glibc
import TransferCore

/// A task's part file and the target that it becomes. Opened when a body for it is accepted, and
/// not before: a task whose file is current touches nothing.
final class TargetPart {
  /// The target, absolute.
  let path: String
  private let task: String
  private let names: PartNames
  private(set) lazy var partName = names.name(ofTask: task)
  /// The part file, absolute.
  private(set) lazy var partPath = String(Self.folder(of: path)) + partName
  private let folders: TargetFolders
  private let plan: DownloadPlan
  private var place: (folder: TargetFolder, name: String)?
  private var file: PartFile?
  private var expected: FileFacts?
  private var hasClaim = false
  /// What the bytes belong to that were there before this run.
  var resumed: Validator?
  /// Why a flush failed: what the file holds may be lost, whatever later flushes say.
  private(set) var flushFault: Int32?

  /// - Parameters:
  ///   - plan: the download, or what a data task's `save` is as one.
  ///   - task: the task's id, which the part file is named after.
  init(_ plan: DownloadPlan, task: String, names: PartNames, folders: TargetFolders) {
    self.plan = plan
    path = plan.path
    self.task = task
    self.names = names
    self.folders = folders
  }

  private static func folder(of path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
  }
  deinit { giveBack() }

  var isOpen: Bool { file != nil }
  var size: Int64 { file?.size ?? 0 }
  var written: ByteRanges { file?.written ?? ByteRanges() }
  var device: UInt64 { file?.device ?? 0 }
  var inode: UInt64 { file?.inode ?? 0 }
  var mark: UInt64? { file?.mark }
  var descriptor: Int32 { file?.descriptor ?? -1 }
  /// Only the owner's until the wanted mode is set.
  private var creationMode: UInt32 { plan.mode == nil ? 0o644 : 0o600 }
  var folderDescriptor: Int32 { place?.folder.descriptor ?? -1 }
  /// Opens and locks the part file, with the folders above it.
  func open() throws(TransferFailure) -> PartFile {
    if let file { return file }
    let place = try found()
    do throws(FileError) {
      try claim(place)
      let opened = try PartFile(
        folder: place.folder.descriptor, name: partName, path: partPath, mode: creationMode)
      file = opened
      return opened
    } catch {
      giveBack()
      throw error.failure
    }
  }

  /// Finds the target's folder, and makes it where it is missing; before the part file goes to
  /// another thread than that of the folders.
  func find() throws(TransferFailure) { _ = try found() }

  private func found() throws(TransferFailure) -> (folder: TargetFolder, name: String) {
    if let place { return place }
    let found = try folders.folder(of: path)
    place = found
    return found
  }

  /// The file that takes a whole body: one without a name, where the folder can have such and no
  /// part file lies there that another run may be writing.
  private func openWhole() throws(TransferFailure) -> PartFile {
    if let file { return file }
    let place = try found()
    do throws(FileError) {
      let folder = place.folder
      if try !hasPart(in: folder) {
        try folder.claims.expectFree(place.name)
        file = try PartFile(unnamedIn: folder, path: path, mode: creationMode)
      }
    } catch { throw error.failure }
    return try open()
  }

  /// Whether a part file lies there.
  private func hasPart(in folder: TargetFolder) throws(FileError) -> Bool {
    guard folder.mayHave(part: partName) else { return false }
    return try FileFacts.read(folder.descriptor, partName, partPath) != nil
  }

  /// Gives the whole part file what the target shall have; what to remember of it.
  func finish(_ request: CommitRequest) throws(TransferFailure) -> CommittedFile {
    let file = try request.bytes == nil ? open() : openWhole()
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
      if request.bytes == nil { try file.keep(upTo: request.size, and: ByteRanges()) }
      let modified =
        plan.keepsModificationTime
        ? request.validator.lastModified.flatMap { HTTPDate.seconds($0, now: 0) } : nil
      let facts = try Placement.finish(
        descriptor: file.descriptor, mode: plan.mode ?? (file.isNew ? nil : Placement.defaultMode),
        modified: modified, path: file.path)
      expected = facts
      return CommittedFile(
        url: request.url, path: path, inode: facts.inode, size: facts.size,
        modificationNanoseconds: facts.modificationNanoseconds, validator: request.validator,
        sha256: request.sha256)
    } catch { throw error.failure }
  }

  /// Gives the finished part file its target's name, and lets go of it.
  func rename(replacing replaces: Bool) throws(TransferFailure) {
    guard let place, let file, let expected else {
      preconditionFailure("a part file that was not finished")
    }
    do throws(FileError) {
      if file.isUnnamed {
        try Placement.link(
          file, partName, as: place.name, in: place.folder, replaces: replaces)
      } else {
        try Placement.put(
          partName, as: place.name, in: place.folder, expected: expected, replaces: replaces)
      }
    } catch { throw error.failure }
    // Not before: a kill would have left a part file that its claim doesn't know.
    if !file.isUnnamed { PartMark.remove(file.descriptor) }
    self.file = nil
    giveBack()
  }

  /// Keeps other runs from the target while this one writes it.
  private func claim(_ place: (folder: TargetFolder, name: String)) throws(FileError) {
    if hasClaim { return }
    try place.folder.claims.take(place.name)
    hasClaim = true
  }

  /// Other runs may write the target.
  private func giveBack() {
    if hasClaim, let place { place.folder.claims.giveBack(place.name) }
    hasClaim = false
  }

  /// Removes the part file, if this run opened it.
  /// - Returns: whether it is gone.
  @discardableResult
  func discard() -> Bool {
    guard let place, let file else { return false }
    self.file = nil
    if file.isUnnamed { return true }
    do throws(FileError) { try Placement.remove(partName, in: place.folder) } catch {
      return false
    }
    return true
  }

  /// A flush of it failed: nothing more of it is claimed or put in place. The registrar's alone.
  func distrust(_ number: Int32) { flushFault = number }

  /// Flushes what the part file holds, and its name, so that it may be claimed. nil when that
  /// fails, or when there is nothing.
  func flushed(_ validator: Validator, _ total: Int64?, _ url: String) -> Checkpoint? {
    guard flushFault == nil, let file, file.written.prefix > 0, let place,
      fdatasync(file.descriptor) == 0,
      fsync(place.folder.descriptor) == 0
    else { return nil }
    var checkpoint = Checkpoint(
      url: url, path: partPath, inode: inode, durableBytes: file.written.prefix, total: total,
      validator: validator)
    checkpoint.beyond = file.written.beyondPrefix
    checkpoint.mark = file.mark
    return checkpoint
  }
}
