/// Decides what the head of an answer means for its request.
package enum HeadDecision {
  package static func decide(_ request: TransferRequest, _ head: ResponseHead) -> HeadVerdict {
    .fail(TransferFailure(.protocol, "undecided"))
  }
}
