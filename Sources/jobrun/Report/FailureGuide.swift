import TransferCore

/// What each kind of failure means and what to do about it: for messages and `docs/errors.md`.
extension TransferFailure.Kind {
  /// One sentence without a full stop.
  var meaning: String { texts.meaning }

  /// One sentence without a full stop; what the failure's own words say of a way out comes first.
  var wayOut: String { texts.wayOut }

  /// The same, where the answer's status says more (RFC 9110, section 15).
  func wayOut(status: Int?) -> String {
    guard self == .status, let status else { return wayOut }
    return switch status {
    case 403: "the server refuses: see whether it wants credentials, and who may read there"
    case 413: "the server takes no body of that size: see its limit for uploads"
    case 429: "the server asks for fewer requests: lower max_parallel, or run again later"
    case 500...599: "the trouble is the server's own: run again later"
    default: wayOut
    }
  }

  private var texts: (meaning: String, wayOut: String) {
    switch self {
    case .dns, .connect, .tls, .timeout, .truncated: ofTheConnection
    case .redirectLimit, .redirectRefused, .auth, .range, .status, .unexpectedContent, .tooLarge,
      .protocol, .unsupportedScheme:
      ofTheAnswer
    case .digestMismatch, .checksumList, .cacheMiss, .disk, .localFile, .collision, .secret,
      .unconfirmed:
      ofThisMachine
    case .deadline, .cancelled, .dependency, .stopped: ofTheRun
    }
  }

  private var ofTheConnection: (meaning: String, wayOut: String) {
    switch self {
    case .dns:
      ("the host's name has no address", "check the name, and this machine's resolver")
    case .connect:
      (
        "no connection to the host or the proxy came about, or it broke before an answer",
        "check that the host is up and can be reached from here"
      )
    case .tls:
      (
        "the TLS handshake failed, or the certificate isn't trusted",
        "check the certificate and this machine's clock; tls.ca_file trusts an authority of yours"
      )
    case .timeout:
      (
        "nothing came for too long, or it came too slowly",
        "run again; timeout_for_request and minimum_speed set the bounds"
      )
    default:
      (
        "the answer ended before its declared end",
        "run again: it goes on where it was, if the server can"
      )
    }
  }

  private var ofTheAnswer: (meaning: String, wayOut: String) {
    switch self {
    case .redirectLimit:
      ("more redirects than redirects.max", "check the address: it may lead in a circle")
    case .redirectRefused:
      (
        "a redirect that the job's redirects don't allow",
        "write the new address into the job, or allow it in redirects"
      )
    case .auth:
      (
        "the server or proxy wants other credentials",
        "write credentials for the host and realm that the message names, or check those there are"
      )
    case .range:
      (
        "the server's partial answer doesn't fit what was asked",
        "run again with --fresh, which starts part files over"
      )
    case .status:
      (
        "the server answered with a status that expect.status doesn't accept",
        "check the address; expect.status accepts other answers"
      )
    case .unexpectedContent:
      (
        "the answer isn't what expect says, or has no content",
        "check the address, and expect in the job"
      )
    case .tooLarge:
      (
        "more bytes than max_bytes, or than the file system can ever hold",
        "raise max_bytes if the size is right"
      )
    case .unsupportedScheme:
      ("the address's scheme isn't allowed", "check the address, and the session's protocols")
    default:
      (
        "the answer isn't HTTP as the RFCs have it",
        "ask whoever runs the server; -vv shows what came"
      )
    }
  }

  private var ofThisMachine: (meaning: String, wayOut: String) {
    switch self {
    case .digestMismatch:
      (
        "the bytes that came have another checksum",
        "find out which is right, the server's file or the job's checksum"
      )
    case .checksumList:
      (
        "the checksum list can't be had, or doesn't name the file",
        "check the list's path or address, and the file's name in it"
      )
    case .cacheMiss:
      (
        "return_cache_data_dont_load, and nothing is stored",
        "fetch it once with another cache_policy"
      )
    case .disk:
      ("there is no room, or the disk fails", "make room and run again: it goes on where it was")
    case .localFile:
      (
        "a file or folder of the task can't be read or written",
        "check that it is there, its owner and its mode"
      )
    case .collision:
      ("another run writes the same file", "wait for the other run, or choose another target")
    case .unconfirmed:
      (
        "an earlier run sent the request and died before its answer was known",
        "see whether it was carried out; --fresh or retry: { unsafe: true } sends it again"
      )
    default:
      ("a secret that the task needs can't be had", "check where the job's secrets take it from")
    }
  }

  private var ofTheRun: (meaning: String, wayOut: String) {
    switch self {
    case .deadline:
      (
        "the time for the task or the run is over",
        "run again: it goes on where it was; timeout_for_resource and deadline set the time"
      )
    case .cancelled: ("the task was cancelled", "run again to do it")
    case .dependency:
      ("a task that it comes after did not succeed", "mend that one, then run again")
    default: ("the run stopped before the task was done", "run again to do it")
    }
  }
}
