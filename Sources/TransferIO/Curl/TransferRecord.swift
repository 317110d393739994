import CLibcurl
import TransferCore

extension Transfer {
  /// What came of the request; the handle must still hold what libcurl measured.
  func report(_ code: CURLcode) -> TransferReport {
    let work = work
    let receiver = work.receiver
    for source in work.sources { if let failure = source.failure { receiver.fail(failure) } }
    let digests = receiver.finish(fault(code, work))
    let report = TransferReport(task: work.request.task, transaction: transaction(work))
    report.segment = work.request.segment
    report.head = receiver.head
    report.verdict = receiver.verdict
    report.failure = receiver.failure
    report.bodyBytes = receiver.bodyBytes
    report.partSize = receiver.partSize
    report.whole = receiver.whole
    report.body = receiver.body
    report.digests = digests
    report.interim = receiver.interim
    report.bodyBytesSent = sent(work)
    report.refusedExpect = report.head?.status == 417 && receiver.finalHeads == 1 && expects(work)
    return report
  }

  /// Whether the request carried Expect: 100-continue, as the job has it or as libcurl adds it: to
  /// HTTP/1.1 bodies above 1 MiB.
  private func expects(_ work: Work) -> Bool {
    let own = work.request.headerLines.first { $0.lowercased().hasPrefix("expect:") }
    if let own { return own.utf8.count > "Expect:".utf8.count }
    return work.sources.reduce(0) { $0 + $1.size } > 1_048_576
  }

  /// The most that may have been sent: libcurl forgets its count when it gives a connection up.
  private func sent(_ work: Work) -> Int64 {
    let handedOut = work.sources.reduce(0) { $0 + $1.handedOut }
    return max(handedOut, work.bytesSent, handle.offset(CURLINFO_SIZE_UPLOAD_T))
  }

  /// What libcurl, or our look at the file that was read, complains about.
  private func fault(_ code: CURLcode, _ work: Work) -> TransferFailure? {
    if code == CURLE_OK, work.watchesClose, !work.wasClosedCleanly {
      return TransferFailure(
        .truncated, "the connection was cut: TLS's close_notify is missing",
        status: work.receiver.head?.status)
    }
    if code == CURLE_OK, work.receiver.isAccepted, let unsent = work.unsent {
      return TransferFailure(
        .truncated,
        "the server answered before it had the whole body: \(unsent) bytes weren't sent",
        status: work.receiver.head?.status)
    }
    if code == CURLE_OK {
      guard let file = work.file, !file.stillHolds() else { return nil }
      return FileError(.changed, "read", file.path).failure
    }
    let isConnected = handle.offset(CURLINFO_PRETRANSFER_TIME_T) > 0
    if !isConnected { session.families.forget(Origin(url: work.peer)) }
    let failure = CurlFailure.failure(
      code, words: handle.errorWords,
      CurlFailure.Progress(
        hasHead: work.receiver.head != nil,
        isConnected: isConnected,
        proxyStatus: work.isProxied ? handle.number(CURLINFO_HTTP_CONNECTCODE) : 0,
        proxy: work.isProxied ? ShownAddress.maskingUserInfo(work.peer) : nil))
    return failure.map { identified($0, code, work) }
  }

  private func transaction(_ work: Work) -> Transaction {
    var record = Transaction(url: work.request.shownURL)
    record.fetchStart = work.wallStarted
    let end = Clock.monotonic() - work.started
    record.responseEnd = work.wallStarted.advanced(by: end.nanoseconds / 1_000)
    if work.file != nil {
      record.networkProtocolName = "file"
      record.responseBodyBytes = work.receiver.bodyBytes
      return record
    }
    record.status = work.receiver.head?.status
    record.networkProtocolName = work.receiver.head.map { Self.protocolName($0.version) }
    record.isProxyConnection = work.isProxied
    record.tlsProtocolVersion = work.secure?.version
    record.tlsCipherSuite = work.secure?.cipher
    addTimes(&record, work)
    addCounts(&record)
    return record
  }

  /// libcurl's times are microseconds from the start; 0 where it never came to the step.
  private func addTimes(_ record: inout Transaction, _ work: Work) {
    func time(_ info: CURLINFO) -> WallTime? {
      let microseconds = handle.offset(info)
      return microseconds > 0 ? work.wallStarted.advanced(by: microseconds) : nil
    }
    record.requestStart = time(CURLINFO_PRETRANSFER_TIME_T)
    record.isReusedConnection =
      record.requestStart != nil && handle.number(CURLINFO_NUM_CONNECTS) == 0
    if !record.isReusedConnection {
      record.domainLookupStart = work.wallStarted
      record.domainLookupEnd = time(CURLINFO_NAMELOOKUP_TIME_T)
      record.connectStart = record.domainLookupEnd
      let connected = time(CURLINFO_CONNECT_TIME_T)
      record.connectEnd = connected
      if work.isSecure, let connected {
        record.secureConnectionStart = connected
        record.secureConnectionEnd = time(CURLINFO_APPCONNECT_TIME_T)
        record.connectEnd = record.secureConnectionEnd ?? connected
      }
    }
    guard let start = record.requestStart else { return }
    // A request without a body leaves in one piece when it starts. libcurl's debug callback would
    // tell the last microseconds, for three times the instructions of a small transfer.
    let sent = work.lastSent.map { ($0 - work.started).nanoseconds / 1_000 }
    record.requestEnd = max(start, sent.map { work.wallStarted.advanced(by: $0) } ?? start)
    if work.receiver.head != nil { record.responseStart = time(CURLINFO_STARTTRANSFER_TIME_T) }
  }

  private func addCounts(_ record: inout Transaction) {
    record.requestHeaderBytes = Int64(handle.number(CURLINFO_REQUEST_SIZE))
    record.requestBodyBytes = handle.offset(CURLINFO_SIZE_UPLOAD_T)
    record.responseHeaderBytes = Int64(handle.number(CURLINFO_HEADER_SIZE))
    record.responseBodyBytes = handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
    record.localAddress = handle.text(CURLINFO_LOCAL_IP)
    record.remoteAddress = handle.text(CURLINFO_PRIMARY_IP)
    if record.localAddress != nil { record.localPort = handle.number(CURLINFO_LOCAL_PORT) }
    if record.remoteAddress != nil { record.remotePort = handle.number(CURLINFO_PRIMARY_PORT) }
  }

  /// ALPN's name.
  private static func protocolName(_ version: Int) -> String {
    switch version {
    case 10: "http/1.0"
    case 20: "h2"
    case 30: "h3"
    default: "http/1.1"
    }
  }
}

extension WallTime {
  fileprivate func advanced(by microseconds: Int64) -> WallTime {
    WallTime(microseconds: self.microseconds + microseconds)
  }
}
