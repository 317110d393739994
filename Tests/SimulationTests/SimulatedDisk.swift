import TransferCore

/// A file system with a page cache: what a program sees, and what would be there after a power
/// cut. A cut keeps any part of what was not flushed, in any order.
final class SimulatedDisk {
  struct File {
    var content = Content()
    /// As on the platter.
    var durable = Content()
    /// What was written since the last flush.
    var dirty = ByteRanges()
    /// How short it has been since then.
    var shortest = Int64.max
    /// A write failed and was told of: these bytes will never be flushed, whatever later flushes
    /// say, unless they are written again.
    var lost = ByteRanges()
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
  func write(_ piece: Content.Piece, at position: Int64, to inode: UInt64) -> Bool {
    if isFull { return false }
    let range = position..<(position + piece.length)
    files[inode]?.content.write(piece, at: position)
    files[inode]?.dirty.insert(range)
    files[inode]?.lost.remove(range)
    return true
  }

  func truncate(_ inode: UInt64, to length: Int64) {
    guard var file = files[inode], file.content.size != length else { return }
    file.content.truncate(to: length)
    file.shortest = min(file.shortest, length)
    file.dirty.remove(length..<Int64.max)
    file.lost.remove(length..<Int64.max)
    files[inode] = file
  }

  func setModified(_ inode: UInt64, _ nanoseconds: Int64) { files[inode]?.modified = nanoseconds }

  func flush(_ inode: UInt64) {
    guard var file = files[inode] else { return }
    file.durable = file.content
    for range in file.lost.ranges { file.durable.write(.zeros(range), at: range.lowerBound) }
    file.dirty = ByteRanges()
    file.shortest = .max
    files[inode] = file
  }

  /// A flush that fails: the kernel says so once.
  func spoil(_ inode: UInt64) {
    guard let dirty = files[inode]?.dirty else { return }
    for range in dirty.ranges { files[inode]?.lost.insert(range) }
    files[inode]?.dirty = ByteRanges()
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
      fresh.modified = file.modified
      files[inode] = fresh
    }
    kill()
  }

  /// What the platter has of a file: what was flushed, and any part of the rest.
  private func remains(of file: File) -> Content {
    if chance.once(in: 3) { return file.durable }
    var left = file.durable
    left.truncate(to: file.shortest)
    for range in file.dirty.ranges { write(range, of: file.content, to: &left) }
    for range in file.lost.ranges where chance.once(in: 2) { left.extend(to: range.upperBound) }
    return left
  }

  /// The start of what was written, then what was there before, or zeros; perhaps the end of it.
  private func write(_ range: Range<Int64>, of content: Content, to left: inout Content) {
    let hole = range.lowerBound + chance.below(Int64(range.count) + 1)
    let end = chance.from(hole...range.upperBound)
    left.copy(range.lowerBound..<hole, of: content)
    left.extend(to: end)
    if chance.once(in: 2) { left.copy(end..<range.upperBound, of: content) }
  }

  private func collect() {
    var live = open.union(names.values).union(durableNames.values)
    for case .put(_, let inode, _) in changes { live.insert(inode) }
    for inode in files.keys where !live.contains(inode) { files[inode] = nil }
  }
}

extension Content {
  fileprivate mutating func copy(_ range: Range<Int64>, of other: Content) {
    var position = range.lowerBound
    for piece in other.stretch(range) {
      write(piece, at: position)
      position += piece.length
    }
  }
}

extension Content.Piece {
  fileprivate static func zeros(_ range: Range<Int64>) -> Self {
    Self(version: Content.zeros, start: range.lowerBound, length: Int64(range.count))
  }
}

extension ByteRanges {
  mutating func remove(_ range: Range<Int64>) {
    if isEmpty || range.lowerBound >= end { return }
    self = ByteRanges(
      ranges.flatMap { there in
        [there.clamped(to: 0..<range.lowerBound), there.clamped(to: range.upperBound..<Int64.max)]
      })
  }

  func overlaps(_ range: Range<Int64>) -> Bool { ranges.contains { $0.overlaps(range) } }
}
