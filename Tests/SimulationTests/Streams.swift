import TransferCore

/// One of a task's requests at one time.
struct StreamID: Hashable, Comparable {
  var task: Int32
  var segment: Int32 = 0
  static func < (left: Self, right: Self) -> Bool {
    (left.task, left.segment) < (right.task, right.segment)
  }
}

extension TransferRequest {
  var stream: StreamID { StreamID(task: task, segment: segment) }
}

/// A request under way.
struct LiveTransfer {
  var request: TransferRequest
  var algorithms: [ChecksumAlgorithm]
  var serial: Int
  var answer: Answer?
  var verdict: HeadVerdict?
  /// What is still to come.
  var body: [Content.Piece] = []
  /// The part file takes this answer's bytes.
  var isStoring = false
  /// What came.
  var passed = Content()
  /// Where the next byte goes in the part file.
  var position: Int64 = 0
  /// Others fetch the bytes from here on.
  var bound: Int64?
  /// It has come so far.
  var hasEnough = false
  var chunk: Int64 = 1
  /// Nanoseconds a chunk takes.
  var pace = Duration.milliseconds(1)

  /// The next piece of the body, cut at the bound.
  mutating func next() -> Content.Piece? {
    guard var piece = body.first else { return nil }
    var length = min(piece.length, chunk)
    if let bound { length = min(length, max(0, bound - position)) }
    body[0].start += length
    body[0].length -= length
    if body[0].length == 0 { body.removeFirst() }
    piece.length = length
    return piece
  }
}

/// A part file that this run has open.
struct Part {
  var inode: UInt64
  var resumed: Validator?
  /// What of the file is known to be the body's: kept from earlier, and written since.
  var written = ByteRanges()
  var isDistrusted = false
}

/// A file being hashed.
struct Hashing {
  var serial: Int
  var path: String
  /// So much of a part file; nil is all of a target.
  var partSize: Int64?
  var algorithms: [ChecksumAlgorithm]
}
