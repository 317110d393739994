import TransferCore

/// A file system with a page cache: what a program sees, and what would be there after a power
/// cut. A cut keeps any part of what was not flushed, in any order.
final class SimulatedDisk {
  struct File {
    var content = Content()
    /// As on the platter.
    var durable = Content()
    /// So many bytes from the start were not touched since they were flushed.
    var flushed: Int64 = 0
    /// A write failed and was told of: what is not flushed by now never will be, whatever later
    /// flushes say, unless it is written again.
    var isSpoilt = false
    /// Seconds since 1970, in nanoseconds.
    var modified: Int64 = 0
  }

  enum Change {
    case put(String, inode: UInt64, from: String?)
    case remove(String)
  }

  private let chance: Chance
  private(set) var files: [UInt64: File] = [:]
  private(set) var names: [String: UInt64] = [:]
  private var durableNames: [String: UInt64] = [:]
  private var changes: [Change] = []
  /// Inodes that somebody has open live on without a name.
  var open: Set<UInt64> = []
  /// No room for another byte.
  var isFull = false

  init(chance: Chance) { self.chance = chance }

  func file(at path: String) -> File? { names[path].flatMap { files[$0] } }

  func facts(of path: String) -> FileFacts? {
    guard let inode = names[path], let file = files[inode] else { return nil }
    return FileFacts(
      kind: .regular, device: 1, inode: inode, size: file.content.size,
      modificationNanoseconds: file.modified, mode: 0o644)
  }

  // MARK: Names

  /// Opens the file or makes one: as ext4 does, with the lowest number that is free.
  func openOrCreate(_ path: String) -> UInt64 {
    if let inode = names[path] { return inode }
    let inode = create(path)
    open.insert(inode)
    return inode
  }

  private func create(_ path: String) -> UInt64 {
    var inode: UInt64 = 11
    while files[inode] != nil { inode += 1 }
    files[inode] = File()
    change(.put(path, inode: inode, from: nil))
    return inode
  }

  func rename(_ from: String, to path: String) {
    guard let inode = names[from] else { return }
    change(.put(path, inode: inode, from: from))
  }

  func remove(_ path: String) {
    if names[path] != nil { change(.remove(path)) }
  }

  private func change(_ change: Change) {
    changes.append(change)
    Self.apply(change, to: &names)
  }

  private static func apply(_ change: Change, to names: inout [String: UInt64]) {
    switch change {
    case .put(let path, let inode, let from):
      if let from, names[from] == inode { names[from] = nil }
      names[path] = inode
    case .remove(let path): names[path] = nil
    }
  }

  /// Somebody else puts a whole file there, and it stays there.
  func place(_ path: String, _ content: Content, modified: Int64) {
    let inode = create(path)
    files[inode]?.content = content
    files[inode]?.modified = modified
    flush(inode)
    flushNames()
  }

  // MARK: Bytes

  /// - Returns: whether there was room.
  func append(_ piece: Content.Piece, to inode: UInt64) -> Bool {
    if isFull { return false }
    files[inode]?.content.append(piece)
    return true
  }

  func truncate(_ inode: UInt64, to length: Int64) {
    guard var file = files[inode], file.content.size != length else { return }
    file.content.truncate(to: length)
    file.flushed = min(file.flushed, length)
    if file.flushed == length { file.isSpoilt = false }
    files[inode] = file
  }

  func setModified(_ inode: UInt64, _ nanoseconds: Int64) { files[inode]?.modified = nanoseconds }

  func flush(_ inode: UInt64) {
    guard let file = files[inode], !file.isSpoilt else { return }
    files[inode]?.durable = file.content
    files[inode]?.flushed = file.content.size
  }

  /// A flush that fails: the kernel says so once.
  func spoil(_ inode: UInt64) {
    if let file = files[inode], file.flushed < file.content.size { files[inode]?.isSpoilt = true }
  }

  func flushNames() {
    durableNames = names
    changes = []
    collect()
  }

  // MARK: Ends

  /// What was open is closed; a file without a name goes.
  func kill() {
    open = []
    isFull = false
    collect()
  }

  func cutPower() {
    for change in changes where chance.once(in: 2) { Self.apply(change, to: &durableNames) }
    names = durableNames
    changes = []
    for (inode, file) in files.sorted(by: { $0.key < $1.key }) {
      let left = remains(of: file)
      var fresh = File()
      fresh.content = left
      fresh.durable = left
      fresh.flushed = left.size
      fresh.modified = file.modified
      files[inode] = fresh
    }
    kill()
  }

  /// What the platter has of a file: what was flushed, and any part of the rest.
  private func remains(of file: File) -> Content {
    if file.flushed == file.content.size, !file.isSpoilt { return file.content }
    if chance.once(in: 3) { return file.durable }
    var left = file.content
    left.truncate(to: file.flushed)
    let rest = file.content.size - file.flushed
    let hole = chance.below(rest + 1)
    let end = chance.from(hole...rest)
    let filled = file.isSpoilt ? 0 : hole
    for piece in file.content.stretch(file.flushed..<(file.flushed + filled)) { left.append(piece) }
    left.append(.init(version: Content.zeros, start: left.size, length: end - filled))
    guard !file.isSpoilt, chance.once(in: 2) else { return left }
    let tail = (file.flushed + end)..<file.content.size
    for piece in file.content.stretch(tail) { left.append(piece) }
    return left
  }

  private func collect() {
    var live = open.union(names.values).union(durableNames.values)
    for case .put(_, let inode, _) in changes { live.insert(inode) }
    for inode in files.keys where !live.contains(inode) { files[inode] = nil }
  }
}
