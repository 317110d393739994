/// One line of a checksum list.
package struct ChecksumLine: Equatable, Sendable {
  /// From 1.
  package var number: Int
  /// As the list has it, without `./`.
  package var name: String
  /// Lower-case hexadecimal.
  package var digest: String
  /// nil for one that we don't know.
  package var algorithm: ChecksumAlgorithm?
  /// What the line, or the list's name, calls an algorithm that we don't know. With an `algorithm`
  /// beside it the digest's length speaks for that one and the list's name against it, so that the
  /// line counts only for who asks for just that algorithm.
  package var unknownLabel: String?

  /// The algorithm when the line counts for who asks for `asked` (nil: for any).
  func algorithm(asking asked: ChecksumAlgorithm?) -> ChecksumAlgorithm? {
    if unknownLabel != nil && asked == nil { return nil }
    return asked == nil || asked == algorithm ? algorithm : nil
  }
}
