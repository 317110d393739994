import CLibcurl
import Testing
import TransferCore

@testable import TransferIO

@Suite struct CurlFailureTests {
  private func kind(
    _ code: CURLcode, words: String = "", hasHead: Bool = false, isConnected: Bool = true,
    proxyStatus: Int = 0
  ) -> TransferFailure.Kind? {
    CurlFailure.failure(
      code, words: words,
      .init(hasHead: hasHead, isConnected: isConnected, proxyStatus: proxyStatus))?.kind
  }

  @Test func okIsNoFailure() { #expect(kind(CURLE_OK) == nil) }

  @Test func aBrokenConnectionMeansWhatHadComeByThen() {
    for code in [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM] {
      #expect(kind(code) == .connect)
      #expect(kind(code, hasHead: true) == .truncated)
    }
    #expect(kind(CURLE_PARTIAL_FILE, hasHead: true) == .truncated)
    #expect(kind(CURLE_GOT_NOTHING) == .connect)
  }

  @Test func aHandshakeThatIsCutIsNotTheCertificatesFault() {
    #expect(kind(CURLE_SSL_CONNECT_ERROR, words: "wrong version number") == .tls)
    let cut = "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to h:443"
    #expect(kind(CURLE_SSL_CONNECT_ERROR, words: cut, isConnected: false) == .connect)
  }

  @Test func aProxysRefusalIsToldApart() {
    #expect(kind(CURLE_RECV_ERROR, isConnected: false, proxyStatus: 407) == .auth)
    #expect(kind(CURLE_RECV_ERROR, isConnected: false, proxyStatus: 502) == .connect)
    #expect(kind(CURLE_RECV_ERROR, hasHead: true, proxyStatus: 200) == .truncated)
  }

  @Test func timeoutsSayWhichPhase() {
    let progress = CurlFailure.Progress(hasHead: false, isConnected: false, proxyStatus: 0)
    let failure = CurlFailure.failure(CURLE_OPERATION_TIMEDOUT, words: "", progress)
    #expect(failure?.kind == .timeout)
    #expect(failure?.detail.contains("connect_timeout") == true)
  }

  @Test func theCodeAndLibcurlsWordsAreKept() {
    let progress = CurlFailure.Progress(hasHead: false, isConnected: false, proxyStatus: 0)
    let failure = CurlFailure.failure(
      CURLE_COULDNT_RESOLVE_HOST, words: "Could not resolve host: h", progress)
    #expect(failure?.kind == .dns)
    #expect(failure?.curlCode == 6)
    #expect(failure?.detail == "the host's name has no address: Could not resolve host: h")
  }

  @Test func everyCodeHasAMeaningInWords() {
    for raw in UInt32(1)..<UInt32(CURL_LAST.rawValue) {
      let progress = CurlFailure.Progress(hasHead: false, isConnected: true, proxyStatus: 0)
      let failure = CurlFailure.failure(CURLcode(raw), words: "", progress)
      #expect(failure?.detail.isEmpty == false)
    }
  }
}
