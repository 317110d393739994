import Glibc
import Synchronization

/// The origins of one case, on loopback: two that differ by their port, and one over TLS.
package final class FaultSite: Sendable {
  private final class Memory: Sendable {
    let exchanges = Mutex<[FaultExchange]>([])
    let addresses = Mutex<[FaultExchange.Place: String]>([:])
  }

  package let fault: FaultCase
  private let memory = Memory()
  private let origins: [FaultExchange.Place: ScriptedOrigin]

  package init(_ fault: FaultCase, _ identity: OriginIdentity?) throws {
    self.fault = fault
    let memory = memory
    func origin(_ place: FaultExchange.Place) throws -> ScriptedOrigin {
      let early: (@Sendable (SeenRequest) -> [OriginStep]?)?
      if let script = fault.beforeBody {
        early = { (request: SeenRequest) in script(Self.peek(request, place, memory)) }
      } else {
        early = nil
      }
      return try ScriptedOrigin(
        identity: place == .https ? identity : nil, handshake: fault.handshake, beforeBody: early
      ) { request in fault.script(Self.note(request, place, memory)) }
    }
    var made: [FaultExchange.Place: ScriptedOrigin] = [
      .http: try origin(.http), .other: try origin(.other),
    ]
    if identity != nil { made[.https] = try origin(.https) }
    origins = made
    let addresses = made.mapValues { $0.url("") }
    memory.addresses.withLock { $0 = addresses }
  }

  /// An exchange that is not counted yet: its body is still to come.
  private static func peek(
    _ request: SeenRequest, _ place: FaultExchange.Place, _ memory: Memory
  ) -> FaultExchange {
    let addresses = memory.addresses.withLock { $0 }
    let number = memory.exchanges.withLock { $0.count }
    return FaultExchange(
      request: request, place: place, number: number, milliseconds: Self.now, addresses: addresses)
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func note(
    _ request: SeenRequest, _ place: FaultExchange.Place, _ memory: Memory
  ) -> FaultExchange {
    let addresses = memory.addresses.withLock { $0 }
    return memory.exchanges.withLock { exchanges in
      let exchange = FaultExchange(
        request: request, place: place, number: exchanges.count, milliseconds: Self.now,
        addresses: addresses)
      exchanges.append(exchange)
      return exchange
    }
  }

  package func url(_ place: FaultExchange.Place, _ path: String = "") -> String {
    (origins[place]?.url("") ?? "") + path
  }

  /// Requests that were answered in whole, in order.
  package var exchanges: [FaultExchange] { memory.exchanges.withLock { $0 } }

  /// Requests that the origins saw, those too that were answered before their body.
  package var requestCount: Int { origins.values.reduce(0) { $0 + $1.seen.count } }

  package var connectionCount: Int { origins.values.reduce(0) { $0 + $1.connections } }

  /// `text` with the origins' addresses in place of their names.
  package func filled(_ text: String) -> String {
    text.replacing("HTTPS", with: url(.https)).replacing("HTTP", with: url(.http))
      .replacing("OTHER", with: url(.other))
      .replacing("PORTS", with: "\(origins[.https]?.port ?? 0)")
  }
}
