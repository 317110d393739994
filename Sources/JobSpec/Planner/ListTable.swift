import TransferCore

/// The job's checksum lists from addresses: one for each session and address.
struct ListTable {
  private struct Key: Hashable {
    var session: Int
    var url: PlanText
  }

  private(set) var lists: [ListPlan] = []
  private var index: [Key: Int32] = [:]

  /// The index of a list, made when it is new.
  mutating func intern(_ url: PlanText, session: Int, headers: [HeaderField]) -> Int32 {
    let key = Key(session: session, url: url)
    if let known = index[key] { return known }
    let made = Int32(lists.count)
    // A list is asked for whole and without conditions, whatever the files are.
    let headers = headers.filter { !ResolvedHeaders.partial.contains($0.name.lowercased()) }
    lists.append(ListPlan(session: session, url: url, headers: headers))
    index[key] = made
    return made
  }
}
