import Glibc
import Testing
import TransferCore

@testable import TransferIO

/// A host whose IPv6 doesn't answer costs its head start once a run.
@Suite struct AddressFamilyTests {
  /// A port of `::1` that takes no more connections and refuses none: one that nobody accepts from,
  /// with its queue full.
  private final class Silent {
    private var descriptors: [Int32] = []

    init?(port: UInt16) {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      let listener = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
      descriptors = [listener]
      guard Self.with(&address, { bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else {
        return nil
      }
      for _ in 0..<3 {
        let filler = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        descriptors.append(filler)
        _ = Self.with(&address) { connect(filler, $0, $1) }
      }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    private static func with(
      _ address: inout sockaddr_in6, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          call($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
  }

  /// Fetches from a host of which only IPv4 answers; what libcurl says of its attempts, by request.
  /// The origin ends before the last `deadFor` of them.
  private func attempts(requests: Int, deadFor dead: Int = 0) throws -> [[String]] {
    let origin = try Origin { _ in .answer(200, ["Connection: close"], body: "x") }
    let silent = try #require(Silent(port: origin.port))
    defer { withExtendedLifetime(silent) {} }
    var plan = SessionPlan(name: "s")
    plan.resolve = ["both.example:\(origin.port):[::1],127.0.0.1"]
    plan.connectTimeout = .milliseconds(dead > 0 ? 3_000 : 15_000)
    let lines = Lines()
    let bench = try EngineBench([plan]) { _, line in lines.all.append(line) }
    return try (0..<requests).map { number in
      lines.all = []
      if number == requests - dead { origin.stop() }
      let report = try bench.fetch(.test("http://both.example:\(origin.port)/"))
      let isServed = report.body == Array("x".utf8)
      #expect(isServed == (number < requests - dead), "\(String(describing: report.failure))")
      return lines.all.filter { $0.contains("Trying ") }
    }
  }

  private final class Lines { var all: [String] = [] }

  @Test func aFamilyThatLostIsNotTriedAgainInTheRun() throws {
    let attempts = try attempts(requests: 3)
    #expect(attempts[0].count == 2 && attempts[0][0].contains("::1"), "\(attempts)")
    for later in attempts.dropFirst() {
      #expect(later.count == 1 && later[0].contains("127.0.0.1"), "\(attempts)")
    }
  }

  @Test func whereNoConnectionComesAboutBothAreTriedAgain() throws {
    let attempts = try attempts(requests: 3, deadFor: 2)
    #expect(attempts[1].count == 1, "\(attempts)")
    #expect(attempts[2].contains { $0.contains("::1") }, "\(attempts)")
  }
}
