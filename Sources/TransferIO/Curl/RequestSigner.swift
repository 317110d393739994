import CLibcrypto
import CLibcurl
import TransferCore

/// Signs a request that carries an aws_sigv4 credential.
struct RequestSigner {
  /// Files of more bytes than this are not read for their digest before they are sent, where the
  /// service does without.
  private static let hashedUpTo: Int64 = 16 * 1_048_576

  let credential: ResolvedCredential
  let methods: DigestMethods

  /// - Returns: the address to send to, whose query is in the one form that is signed, and header
  ///   lines to add.
  func sign(
    _ request: TransferRequest, at wall: WallTime
  ) throws(RequestError) -> (url: String, lines: [String]) {
    guard let parts = SignedParts(request.url) else {
      throw .refused(TransferFailure(.protocol, "the address can't be signed"))
    }
    let time = String(wall.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    let payload: String
    do throws(TransferFailure) { payload = try self.payload(request) } catch {
      throw .refused(error)
    }
    let own = [("X-Amz-Date", time), ("X-Amz-Content-Sha256", payload)]
    let signature = RequestSignature(
      method: request.method, path: parts.path, query: parts.query,
      headers: [("host", parts.host)] + Self.signed(request.headerLines) + own, payload: payload,
      time: time, region: credential.region, service: credential.service)
    let value = signature.authorization(
      user: credential.user, secret: credential.password, by: Self.hashing)
    let query = RequestSignature.canonicalQuery(parts.query)
    return (
      parts.url(query: query), own.map { "\($0.0): \($0.1)" } + ["Authorization: \(value)"]
    )
  }

  /// The job's own headers that such services want to see signed.
  private static func signed(_ lines: [String]) -> [(name: String, value: String)] {
    lines.compactMap { line in
      guard line.lowercased().hasPrefix("x-amz-"), let colon = line.firstIndex(of: ":") else {
        return nil
      }
      let value = line[line.index(after: colon)...]
      // `Name:` removes a header.
      return value.allSatisfy { $0 == " " } ? nil : (String(line[..<colon]), String(value))
    }
  }

  private func payload(_ request: TransferRequest) throws(TransferFailure) -> String {
    let isS3 = credential.service == "s3"
    switch request.body {
    case .none: return Digest.sha256([])
    case .bytes(let bytes): return Digest.sha256(bytes)
    case .file(_, let size) where isS3 && size > Self.hashedUpTo:
      return RequestSignature.unsignedPayload
    case .file(let path, _): return try methods.hashFile(path, [.sha256])[0]
    case .form where isS3: return RequestSignature.unsignedPayload
    case .form:
      throw TransferFailure(
        .auth, "a form can't be signed (aws_sigv4) for \(credential.service): send a file or text")
    }
  }

  static let hashing = RequestSignature.Hashing(
    hash: { bytes in
      unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, used in
        let made = unsafe SHA256(bytes, bytes.count, buffer.baseAddress)
        unsafe precondition(made != nil, "libcrypto has no SHA-256")
        used = 32
      }
    },
    keyed: { key, bytes in
      unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, used in
        var count: UInt32 = 0
        let made = unsafe HMAC(
          EVP_sha256(), key, Int32(key.count), bytes, bytes.count, buffer.baseAddress, &count)
        unsafe precondition(made != nil && count == 32, "libcrypto has no HMAC")
        used = 32
      }
    })
}

/// The parts of an address as libcurl sends them.
private struct SignedParts {
  /// As in the Host header.
  let host: String
  let path: String
  let query: String
  private let scheme: String

  init?(_ text: String) {
    guard let url = unsafe curl_url() else { return nil }
    defer { unsafe curl_url_cleanup(url) }
    guard unsafe curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK,
      let scheme = unsafe Address.part(url, CURLUPART_SCHEME, 0),
      let host = unsafe Address.part(url, CURLUPART_HOST, 0)
    else { return nil }
    let port = unsafe Address.part(url, CURLUPART_PORT, UInt32(CURLU_NO_DEFAULT_PORT))
    self.scheme = scheme
    self.host = host + (port.map { ":\($0)" } ?? "")
    path = unsafe Address.part(url, CURLUPART_PATH, 0) ?? "/"
    query = unsafe Address.part(url, CURLUPART_QUERY, 0) ?? ""
  }

  func url(query: String) -> String {
    "\(scheme)://\(host)\(path)" + (query.isEmpty ? "" : "?\(query)")
  }
}
