/// AWS Signature Version 4: what is signed of a request, and how the signature is put together.
/// libcurl 7.88 signs a query as it stands and knows no digest of a body, so that S3 refuses it.
package struct RequestSignature {
  /// What a hash and a keyed hash are made by (SHA-256, HMAC-SHA-256).
  package struct Hashing: Sendable {
    package var hash: @Sendable ([UInt8]) -> [UInt8]
    /// Key first.
    package var keyed: @Sendable ([UInt8], [UInt8]) -> [UInt8]

    package init(
      hash: @escaping @Sendable ([UInt8]) -> [UInt8],
      keyed: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8]
    ) {
      self.hash = hash
      self.keyed = keyed
    }
  }

  /// The service takes the body unsigned (S3 alone).
  package static let unsignedPayload = "UNSIGNED-PAYLOAD"

  package var method: String
  /// As it is sent.
  package var path: String
  /// As it is sent, without the question mark.
  package var query: String
  /// Those that are signed, `host` among them.
  package var headers: [(name: String, value: String)]
  /// The body's SHA-256 in lower-case hexadecimal, or `unsignedPayload`.
  package var payload: String
  /// `20150830T123600Z`.
  package var time: String
  package var region: String
  package var service: String

  package init(
    method: String, path: String, query: String, headers: [(name: String, value: String)],
    payload: String, time: String, region: String, service: String
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.payload = payload
    self.time = time
    self.region = region
    self.service = service
  }

  /// The value of the Authorization header.
  package func authorization(user: String, secret: String, by hashing: Hashing) -> String {
    let toSign = ["AWS4-HMAC-SHA256", time, scope, hex(hashing.hash(Array(canonical.utf8)))]
    let start = Array("AWS4\(secret)".utf8)
    let key = [day, region, service, "aws4_request"].reduce(start) { key, part in
      hashing.keyed(key, Array(part.utf8))
    }
    let signature = hex(hashing.keyed(key, Array(toSign.joined(separator: "\n").utf8)))
    return "AWS4-HMAC-SHA256 Credential=\(user)/\(scope), SignedHeaders=\(signedNames), "
      + "Signature=\(signature)"
  }

  private var day: String { String(time.prefix(8)) }
  private var scope: String { "\(day)/\(region)/\(service)/aws4_request" }
  private var signedNames: String { merged.map(\.name).joined(separator: ";") }

  /// The canonical request.
  package var canonical: String {
    let fields = merged.map { "\($0.name):\($0.value)\n" }.joined()
    return [method, canonicalPath, Self.canonicalQuery(query), fields, signedNames, payload]
      .joined(separator: "\n")
  }

  /// S3 takes the path's meaning, all others the path as it is sent, encoded once more.
  private var canonicalPath: String {
    let path = path.isEmpty ? "/" : path
    return service == "s3"
      ? Self.encoded(Self.decoded(path.utf8[...]), keeping: "/")
      : Self.encoded(Array(path.utf8), keeping: "/")
  }

  /// Names in lower case and order, values without superfluous blanks, repeats in one line.
  private var merged: [(name: String, value: String)] {
    var values: [String: [String]] = [:]
    for header in headers {
      let words = header.value.split { $0 == " " || $0 == "\t" }
      values[header.name.lowercased(), default: []].append(words.joined(separator: " "))
    }
    return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ",")) }
  }

  /// The parameters in order, each encoded in the one way that both sides agree on. It means the
  /// same as the query, and is what is sent: `+` is a blank, as these services read it.
  package static func canonicalQuery(_ query: String) -> String {
    let pairs = query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let (name, value) = (decoded(parts[0], plusIsBlank: true), parts.dropFirst().first)
      return (encoded(name), encoded(value.map { decoded($0, plusIsBlank: true) } ?? []))
    }
    return pairs.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  private static func decoded(_ text: Substring.UTF8View, plusIsBlank: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = pair(rest.prefix(2)) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return bytes
  }

  private static func pair(_ digits: Substring.UTF8View) -> UInt8? {
    digits.count == 2 && digits.first != UInt8(ascii: "+")
      ? UInt8(Substring(digits), radix: 16) : nil
  }

  /// RFC 3986, section 2.3: all but the unreserved bytes, and those kept, become `%XX`.
  private static func encoded(_ bytes: [UInt8], keeping kept: String = "") -> String {
    var text: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: text.append(byte)
      case _ where "-._~".utf8.contains(byte) || kept.utf8.contains(byte): text.append(byte)
      default: text += Array("%".utf8) + Array(hex([byte]).uppercased().utf8)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

private func hex(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  return String(decoding: text, as: UTF8.self)
}
