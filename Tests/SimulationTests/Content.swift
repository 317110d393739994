/// What a file holds, without its bytes: which stretch of which version of which resource stands
/// where. Two files are the same when these are, so a splice or a hole shows, however small.
struct Content: Equatable {
  /// A stretch of a version's bytes.
  struct Piece: Equatable {
    var version: Int
    var start: Int64
    var length: Int64
  }

  /// The version of bytes that nobody wrote, or that a power cut left as zeros.
  static let zeros = 0

  private(set) var pieces: [Piece] = []
  private(set) var size: Int64 = 0

  init() {}

  /// All of a version.
  init(version: Int, length: Int64) {
    append(Piece(version: version, start: 0, length: length))
  }

  mutating func append(_ piece: Piece) {
    if piece.length == 0 { return }
    size += piece.length
    if let last = pieces.last, last.version == piece.version,
      last.start + last.length == piece.start
    {
      pieces[pieces.count - 1].length += piece.length
    } else {
      pieces.append(piece)
    }
  }

  /// Writes over what is there; what lies between its end and `position` becomes a hole.
  mutating func write(_ piece: Piece, at position: Int64) {
    if piece.length == 0 { return }
    extend(to: position)
    if position == size { return append(piece) }
    var made = self
    made.truncate(to: position)
    made.append(piece)
    for rest in stretch(min(size, position + piece.length)..<size) { made.append(rest) }
    self = made
  }

  /// Makes it longer, with zeros.
  mutating func extend(to length: Int64) {
    if length > size {
      append(Piece(version: Self.zeros, start: size, length: length - size))
    }
  }

  mutating func truncate(to length: Int64) {
    while size > length, let last = pieces.last {
      let excess = size - length
      if last.length > excess {
        pieces[pieces.count - 1].length -= excess
        size = length
      } else {
        pieces.removeLast()
        size -= last.length
      }
    }
  }

  /// The version that the file is a beginning of, or all of; nil for a splice or a hole.
  var version: Int? { pieces.count == 1 && pieces[0].start == 0 ? pieces[0].version : nil }

  /// Whose bytes stand in `range`, each at its place; nil for those of several, or a hole.
  func version(of range: Range<Int64>) -> Int? {
    let found = stretch(range)
    guard found.count == 1, found[0].start == range.lowerBound,
      found[0].length == Int64(range.count)
    else { return nil }
    return found[0].version
  }

  /// The stretches in `range`, clamped to what is there.
  func stretch(_ range: Range<Int64>) -> [Piece] {
    var found: [Piece] = []
    var place: Int64 = 0
    for piece in pieces {
      let lower = max(range.lowerBound, place)
      let upper = min(range.upperBound, place + piece.length)
      if lower < upper {
        found.append(
          Piece(version: piece.version, start: piece.start + lower - place, length: upper - lower))
      }
      place += piece.length
    }
    return found
  }

  /// Stands for a digest: equal for equal bytes alone.
  var digest: String {
    pieces.map { "\($0.version).\($0.start).\($0.length)" }.joined(separator: "-")
  }
}
