import CLibcurl
import TransferCore

/// What a CURLcode means for the operator: one table from libcurl's codes to our kinds.
enum CurlFailure {
  /// How far the transfer had come.
  struct Progress {
    /// The answer's head was whole.
    var hasHead: Bool
    /// A connection stood, TLS included.
    var isConnected: Bool
    /// The proxy's answer to CONNECT; 0 without one.
    var proxyStatus: Int
    /// The proxy that was used, without user info.
    var proxy: String?
  }

  /// nil for CURLE_OK. `words` is what libcurl wrote into its error buffer.
  static func failure(
    _ code: CURLcode, words: String, _ progress: Progress
  ) -> TransferFailure? {
    if code == CURLE_OK { return nil }
    let libcurl = words.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : words
    let (kind, text) = meaning(code, libcurl, progress)
    return TransferFailure(
      kind, text.isEmpty ? libcurl : "\(text): \(libcurl)", curlCode: Int32(code.rawValue))
  }

  private typealias Meaning = (TransferFailure.Kind, String)

  private static func meaning(
    _ code: CURLcode, _ words: String, _ progress: Progress
  ) -> Meaning {
    if code == CURLE_OPERATION_TIMEDOUT { return timeout(progress) }
    if progress.proxyStatus >= 300, !progress.isConnected {
      // Some proxies say 401 to a wrong password.
      let kind: TransferFailure.Kind = [401, 407].contains(progress.proxyStatus) ? .auth : .connect
      return (kind, "the proxy refused the tunnel with \(progress.proxyStatus)")
    }
    if let proxy = progress.proxy, code == CURLE_COULDNT_CONNECT {
      return (
        .connect, "no connection to the proxy \(proxy); check that it is the right one and up"
      )
    }
    // libcurl has this code for answers that it can't read, too.
    if code == CURLE_UNSUPPORTED_PROTOCOL, !words.hasPrefix("Protocol ") {
      return (.protocol, "the answer is not HTTP")
    }
    return broken(code, words, progress) ?? secured(code, words) ?? settled[code.rawValue]
      ?? (.protocol, "")
  }

  private static func timeout(_ progress: Progress) -> Meaning {
    if progress.isConnected { return (.timeout, "no end within the time allowed") }
    return (.timeout, "no connection within connect_timeout")
  }

  /// Connections that broke: what that means depends on how far the answer had come.
  private static func broken(
    _ code: CURLcode, _ words: String, _ progress: Progress
  ) -> Meaning? {
    // Over TLS 1.3 it comes when the handshake is through on our side.
    if code != CURLE_PEER_FAILED_VERIFICATION, isRefusal(words) {
      return (.tls, "the server wants a client certificate that it trusts (tls.client_certificate)")
    }
    switch code {
    case CURLE_PARTIAL_FILE:
      return (.truncated, progress.hasHead ? "the body ended early" : "the head ended early")
    case CURLE_GOT_NOTHING: return (.connect, "the server closed without an answer")
    case CURLE_SEND_FAIL_REWIND:
      return (.connect, "the connection broke, and what was sent can't safely be sent again")
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      if progress.hasHead { return (.truncated, "the connection broke within the body") }
      return (.connect, "the connection broke before the answer")
    default: return nil
    }
  }

  /// The alerts by which a server turns a client away (RFC 8446, section 6.2).
  private static func isRefusal(_ words: String) -> Bool {
    ["certificate required", "bad certificate", "unknown ca", "certificate unknown"]
      .contains { words.contains("alert \($0)") }
  }

  private static func secured(_ code: CURLcode, _ words: String) -> Meaning? {
    switch code {
    case CURLE_SSL_CONNECT_ERROR:
      // A connection that is cut in the handshake is no fault of certificates or versions.
      if words.contains("SSL_ERROR_SYSCALL") || words.contains("unexpected eof")
        || words.contains("reset by peer")
      {
        return (.connect, "the connection broke within the TLS handshake")
      }
      if words.contains("wrong version number") {
        return (.tls, "the server does not speak TLS on this port; use http:, or another port")
      }
      return (.tls, "the TLS handshake failed")
    case CURLE_PEER_FAILED_VERIFICATION: return (.tls, "the server's certificate is not accepted")
    case CURLE_SSL_CACERT_BADFILE: return (.tls, "the file of authorities can't be read")
    default: return nil
    }
  }

  /// Codes that mean one thing whenever they come; empty words leave libcurl's alone.
  private static let settled: [UInt32: Meaning] = [
    CURLE_UNSUPPORTED_PROTOCOL.rawValue: (.unsupportedScheme, ""),
    CURLE_URL_MALFORMAT.rawValue: (.protocol, "the address can't be used"),
    CURLE_COULDNT_RESOLVE_PROXY.rawValue: (.dns, "the proxy's name has no address"),
    CURLE_COULDNT_RESOLVE_HOST.rawValue: (.dns, "the host's name has no address"),
    CURLE_COULDNT_CONNECT.rawValue: (.connect, "no connection"),
    CURLE_PROXY.rawValue: (.connect, "the proxy failed"),
    CURLE_INTERFACE_FAILED.rawValue: (.connect, "the interface can't be used"),
    CURLE_NO_CONNECTION_AVAILABLE.rawValue: (.connect, "no connection is free"),
    CURLE_WEIRD_SERVER_REPLY.rawValue: (.protocol, "the answer is not to be understood"),
    CURLE_BAD_CONTENT_ENCODING.rawValue: (
      .unexpectedContent, "the body does not fit its Content-Encoding"
    ),
    CURLE_RANGE_ERROR.rawValue: (.range, "the range can't be had"),
    CURLE_FILE_COULDNT_READ_FILE.rawValue: (.localFile, "the file can't be read"),
    CURLE_READ_ERROR.rawValue: (.localFile, "what is to be sent can't be read"),
    // What we refuse ourselves is known before; this is libcurl's decoder.
    CURLE_WRITE_ERROR.rawValue: (
      .unexpectedContent, "the body does not fit its Content-Encoding"
    ),
    CURLE_FILESIZE_EXCEEDED.rawValue: (.tooLarge, ""),
    CURLE_TOO_MANY_REDIRECTS.rawValue: (.redirectLimit, ""),
    CURLE_LOGIN_DENIED.rawValue: (.auth, ""),
    CURLE_REMOTE_ACCESS_DENIED.rawValue: (.auth, ""),
    CURLE_AUTH_ERROR.rawValue: (.auth, ""),
    CURLE_SSL_CERTPROBLEM.rawValue: (.tls, "the client certificate can't be used"),
    CURLE_SSL_CIPHER.rawValue: (.tls, "no cipher in common"),
    CURLE_SSL_ENGINE_NOTFOUND.rawValue: (.tls, ""),
    CURLE_SSL_ENGINE_SETFAILED.rawValue: (.tls, ""),
    CURLE_SSL_ENGINE_INITFAILED.rawValue: (.tls, ""),
    CURLE_SSL_SHUTDOWN_FAILED.rawValue: (.tls, ""),
    CURLE_SSL_CRL_BADFILE.rawValue: (.tls, ""),
    CURLE_SSL_ISSUER_ERROR.rawValue: (.tls, ""),
    CURLE_SSL_PINNEDPUBKEYNOTMATCH.rawValue: (.tls, "the server's key is not the pinned one"),
    CURLE_SSL_INVALIDCERTSTATUS.rawValue: (.tls, ""),
    CURLE_SSL_CLIENTCERT.rawValue: (.tls, "the server asks for a client certificate"),
    CURLE_USE_SSL_FAILED.rawValue: (.tls, ""),
    // It has no other code for a line that is over its bound of 100 KiB.
    CURLE_OUT_OF_MEMORY.rawValue: (
      .protocol, "a header line is longer than libcurl takes (100 KiB)"
    ),
  ]
}
