/// What came of one request. An object: it is handed on some times, and a copy of it is no small
/// thing. Whoever was given one changes it no more.
package final class TransferReport {
  package var task: Int32
  /// As in its request.
  package var segment: Int32 = 0
  /// The final answer's head; nil when none came whole.
  package var head: ResponseHead?
  /// What the head meant; nil when none came whole.
  package var verdict: HeadVerdict?
  /// Why the transfer ended early; nil when it ended as its framing declares.
  package var failure: TransferFailure?
  /// Body bytes that went to the sink in this transfer (decoded, where codings were undone).
  package var bodyBytes: Int64
  /// For a part file, or the `whole` that stands for one: its length now.
  package var partSize: Int64
  /// Memory sink: the body. Other answers: the bounded start of their body.
  package var body: [UInt8]
  /// The file's bytes, when they came in one piece and no part file was needed.
  package var whole: [UInt8]?
  /// Digests of the whole part file, lower-case hex, when every byte of it passed by.
  package var digests: [(algorithm: ChecksumAlgorithm, hex: String)]
  package var transaction: Transaction
  /// 1xx answers that came before.
  package var interim: [ResponseHead]
  /// Bytes of request body that were sent: a POST may be repeated only before any was.
  package var bodyBytesSent: Int64
  /// A 417 to our own Expect that libcurl did not follow up.
  package var refusedExpect = false

  func digest(_ algorithm: ChecksumAlgorithm) -> String? {
    digests.first { $0.algorithm == algorithm }?.hex
  }

  package init(task: Int32, transaction: Transaction) {
    self.task = task
    self.transaction = transaction
    bodyBytes = 0
    partSize = 0
    body = []
    digests = []
    interim = []
    bodyBytesSent = 0
  }
}
