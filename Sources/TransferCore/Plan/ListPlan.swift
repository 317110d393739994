/// A checksum list from an address: fetched once a run, by the first task that needs it, in the
/// session that it belongs to and with that session's headers alone.
package struct ListPlan: Equatable, Sendable {
  /// The most bytes of a list, wherever it comes from.
  package static let bound: Int64 = 64 << 20

  /// Index into the plan's sessions.
  package var session: Int
  package var url: PlanText
  /// The session's, without those that ask for a part or lay a condition.
  package var headers: [HeaderField]

  package init(session: Int, url: PlanText, headers: [HeaderField]) {
    self.session = session
    self.url = url
    self.headers = headers
  }
}
