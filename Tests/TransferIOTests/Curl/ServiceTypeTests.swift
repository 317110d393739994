import Glibc
import Testing
import TransferCore

@testable import TransferIO

/// `network_service_type` marks the sockets (RFC 2474).
@Suite struct ServiceTypeTests {
  /// The marks of this process's sockets that lead to a port.
  private func marks(to port: UInt16) -> [Int32] {
    (3..<1_024).compactMap { descriptor in
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let code = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          getpeername(Int32(descriptor), pointer, &length)
        }
      }
      guard code == 0, address.sin_port == port.bigEndian else { return nil }
      var value: Int32 = -1
      length = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(Int32(descriptor), Int32(IPPROTO_IP), IP_TOS, &value, &length)
      return value >> 2
    }
  }

  @Test(arguments: NetworkServiceType.allCases)
  func eachKindHasItsMark(kind: NetworkServiceType) throws {
    let origin = try Origin { _ in .answer(200, body: "x") }
    let bench = try EngineBench()
    let request = TransferRequest.test(origin.url())
    request.serviceType = kind
    #expect(try bench.fetch(request).failure == nil)
    #expect(marks(to: origin.port) == [Int32(kind.dscp)])
  }

  /// Its connection goes on to serve requests of other kinds.
  @Test func aReusedConnectionIsMarkedForItsNextRequest() throws {
    let origin = try Origin { _ in .answer(200, body: "x") }
    let bench = try EngineBench()
    for kind in [NetworkServiceType.default, .voice, .background, .default] {
      let request = TransferRequest.test(origin.url())
      request.serviceType = kind
      #expect(try bench.fetch(request).failure == nil)
      #expect(marks(to: origin.port) == [Int32(kind.dscp)], "\(kind)")
    }
    #expect(Set(origin.seen.map(\.connection)) == [0])
  }
}
