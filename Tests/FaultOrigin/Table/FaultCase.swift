/// One situation: what the servers answer, the job, and what must come of it. The tests play it to
/// the real binary, `Benchmarks/faults` to other clients, and `docs/faults.md` shows it as a row.
package struct FaultCase: Sendable {
  /// The promise of the contract that it is about, in the page's order.
  package enum Promise: String, Sendable, CaseIterable {
    case head = "No byte of a body before the head was looked at"
    case truncation = "Truncation"
    case resume = "Resume"
    case digest = "Checksums and checksum files"
    case mirrors = "Mirrors"
    case segments = "Segments"
    case refresh = "Refresh"
    case retry = "Retry"
    case redirects = "Redirects"
    case disk = "Disk and targets"
    case requests = "Data and uploads"
  }

  /// What stands under the target's name at the end.
  package enum Ending: Sendable, Equatable {
    case none
    case bytes([UInt8])
  }

  /// One start of the program.
  package struct Run: Sendable {
    /// What happens to the files before it.
    package var before = Change.nothing
    package var arguments: [String] = []
    package var exit: Int32 = 0
    /// `error.code` of the task; nil when it succeeds.
    package var error: String?
    /// Stands in what it tells.
    package var tells = ""
    /// What remains in the target's folder beside the target: part files.
    package var leavesPart = false
  }

  package enum Change: Sendable {
    case nothing
    /// A file below the job's folder gets this content; `nil` takes it away.
    case file(String, [UInt8]?)
    case folder(String)
    /// Bytes are added to the part file, or taken from its end.
    case lengthenPart([UInt8])
    case shortenPart(Int)
    /// The part file, or the target, becomes another file with the same bytes.
    case copyPart
    case copyTarget
  }

  /// What a client without a job can make of it.
  package enum PeerUse: Sendable {
    case none
    /// One fetch of the address.
    case fetch
    /// A fetch, and another with the client's option to continue.
    case resume
    /// A fetch that goes well, and another of the same file.
    case refresh
    /// A fetch with a secret header, which no other origin may see.
    case secret
  }

  /// In kebab case: the row's key.
  package let name: String
  package let promise: Promise
  package var situation: String
  /// Of an RFC, or of the contract where no RFC speaks of it.
  package var section: String
  package var does: String
  /// The keys of the task `f`, as a flow map's inside. `HTTP`, `OTHER` and `HTTPS` stand for the
  /// origins.
  package var task = "download: HTTP/file.bin, to: out/file.bin"
  /// Lines of the job's top level.
  package var settings = ""
  /// Keys of the session, as a flow map's inside.
  package var session = ""
  package var script: @Sendable (FaultExchange) -> [OriginStep]
  package var beforeBody: (@Sendable (FaultExchange) -> [OriginStep]?)?
  package var handshake = OriginHandshake.right
  package var runs = [Run()]
  /// Requests that the origins saw in all runs.
  package var requests = 1
  package var ending = Ending.bytes(FaultContent.one)
  package var peers = PeerUse.none
  /// What is wrong with what the origins saw; nil is nothing.
  package var complaint: @Sendable ([FaultExchange]) -> String? = { _ in nil }

  package init(
    _ promise: Promise, _ name: String, _ situation: String, _ section: String, _ does: String,
    script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) {
    self.promise = promise
    self.name = name
    self.situation = situation
    self.section = section
    self.does = does
    self.script = script
  }

  /// A copy, changed.
  func with(_ change: (inout FaultCase) -> Void) -> FaultCase {
    var copy = self
    change(&copy)
    return copy
  }
}

/// A request of a case, and what was asked before it.
package struct FaultExchange: Sendable {
  package enum Place: String, Sendable { case http, other, https }
  package var request: SeenRequest
  /// Where it arrived.
  package var place: Place
  /// How many requests of the case came before it.
  package var number: Int
  /// On the monotonic clock.
  package var milliseconds: Int64
  /// The origins' addresses, without a slash at the end.
  package var addresses: [Place: String]

  package func url(_ place: Place, _ path: String) -> String { (addresses[place] ?? "") + path }

  /// The first byte that a `Range: bytes=N-` asks for, however far out it is.
  private var asked: Int? {
    guard let text = request["Range"], text.hasPrefix("bytes=") else { return nil }
    let number = text.dropFirst(6).prefix { $0 != "-" }
    return Int(number)
  }

  /// The same, held within the file.
  package var rangeStart: Int? { asked.map { min(max(0, $0), FaultContent.large.count) } }
}

extension FaultCase {
  /// Whether an origin must speak TLS.
  package var isSecure: Bool { task.contains("HTTPS") || task.contains("PORTS") }

  /// The whole job, with the origins' names in it.
  package func job(authority: String?) -> String {
    let more = session.isEmpty ? "" : ", " + session
    let file = session.contains("tls:") ? nil : authority
    let trust = file.map { ", tls: { ca_file: \($0) }" } ?? ""
    return """
      version: 1
      name: fault
      sessions:
        default: { retry: { backoff: 1ms, max_backoff: 2ms }\(trust)\(more) }
      \(settings)
      tasks:
        - { id: f, \(task) }

      """
  }
}

extension FaultCase {
  /// The address that the task fetches, with the origin's name in it.
  package var address: String {
    let from = task.firstRange(of: ": ").map { task[$0.upperBound...] } ?? ""
    return String(from.prefix { $0 != "," }.filter { $0 != "'" })
  }

  /// The file as it must be, where there is one to be had.
  package var truth: [UInt8] {
    if case .bytes(let bytes) = ending { return bytes }
    return FaultContent.one
  }
}
