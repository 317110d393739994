/// HTTP/2 as bytes (RFC 9113, section 4), for one stream of a client that knows it beforehand.
package enum OriginFrames {
  package static func frame(
    _ kind: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []
  ) -> [UInt8] {
    let length = payload.count
    return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
      + [kind, flags, 0, 0, 0, stream] + payload
  }

  /// Settings, and the acknowledgement of the client's.
  package static let opening = frame(4) + frame(4, flags: 1)

  /// A head, its fields as literals without an index (RFC 7541, section 6.2.2).
  package static func head(_ fields: [(String, String)], ends: Bool = false) -> [UInt8] {
    var block: [UInt8] = []
    for (name, value) in fields {
      block += [0, UInt8(name.utf8.count)] + name.utf8 + [UInt8(value.utf8.count)] + value.utf8
    }
    return frame(1, flags: ends ? 5 : 4, stream: 1, block)
  }

  package static func data(_ bytes: [UInt8], ends: Bool = false) -> [UInt8] {
    frame(0, flags: ends ? 1 : 0, stream: 1, bytes)
  }

  /// RST_STREAM with INTERNAL_ERROR.
  package static let reset = frame(3, stream: 1, [0, 0, 0, 2])
  /// GOAWAY that says that no stream was worked on.
  package static let goAway = frame(7, [0, 0, 0, 0, 0, 0, 0, 0])
}
