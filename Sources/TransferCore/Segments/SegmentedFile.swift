/// A file of which several ranges are being fetched at one time.
final class SegmentedFile {
  /// Why what is still under way is of no use.
  enum Ending {
    /// The file is another one now.
    case changed(String, TransferReport)
    /// Bytes are not those that the server declared.
    case mismatch(TransferFailure)
    /// The part file can't be written.
    case failed(TransferFailure, TransferReport)
    /// Nothing is missing any more.
    case complete
  }

  let total: Int64
  let validator: Validator
  let url: String
  /// Where the first request would end if nobody else fetched anything.
  let firstLimit: Int64
  /// What is being fetched, by segment.
  var streams: [Int32: Range<Int64>]
  /// Those of them that were answered with their range.
  var accepted: Set<Int32> = []
  /// What is there, of the requests that have ended and of earlier ones.
  var done: ByteRanges
  var ending: Ending?
  /// A request that broke off in the middle of its body.
  var broken: (failure: TransferFailure, report: TransferReport)?
  /// The first request's report.
  var first: TransferReport?

  init(
    total: Int64, validator: Validator, url: String, first: Range<Int64>, limit: Int64,
    done: ByteRanges
  ) {
    self.total = total
    self.validator = validator
    self.url = url
    firstLimit = limit
    streams = [0: first]
    self.done = done
  }

  /// Where the first request may end now: others have, or fetch, what follows. nil when that has
  /// not changed.
  func moveFirstEnd() -> Int64? {
    guard let first = streams[0] else { return nil }
    let others = accepted.compactMap { streams[$0]?.lowerBound }
    let end = ([firstLimit, done.start(after: first.lowerBound)].compactMap(\.self) + others).min()
    guard let end, end != first.upperBound else { return nil }
    streams[0] = first.lowerBound..<end
    return end
  }
}
