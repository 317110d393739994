import CLibcurl
import TransferCore

/// Turns libcurl's debug output into lines for `-vv`. Bodies are counted and not shown.
final class TraceSink {
  private let line: (_ task: Int32, _ line: String) -> Void

  /// `line` masks secrets itself, but for those of cookies.
  init(_ line: @escaping (_ task: Int32, _ line: String) -> Void) { self.line = line }

  func take(task: Int32, _ kind: curl_infotype, _ bytes: RawSpan) {
    switch kind {
    case CURLINFO_TEXT: lines(task, "* ", bytes, CookieMask.words)
    case CURLINFO_HEADER_OUT: lines(task, "> ", bytes, Self.withoutCredentials)
    case CURLINFO_HEADER_IN: lines(task, "< ", bytes, CookieMask.line)
    case CURLINFO_DATA_OUT: line(task, "} \(bytes.byteCount) bytes sent")
    case CURLINFO_DATA_IN: line(task, "{ \(bytes.byteCount) bytes received")
    default: break
    }
  }

  private func lines(
    _ task: Int32, _ prefix: String, _ bytes: RawSpan, _ shown: (Substring) -> String
  ) {
    let text = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    for part in text.split(whereSeparator: \.isNewline) { line(task, prefix + shown(part)) }
  }

  /// What proves who we are is as good as a password to whoever reads along, though no secret
  /// stands in it as it is: tickets, digests, signatures and cookies.
  private static func withoutCredentials(_ line: Substring) -> String {
    guard let colon = line.firstIndex(of: ":") else { return String(line) }
    switch line[..<colon].lowercased() {
    case "authorization", "proxy-authorization":
      let scheme = line[line.index(after: colon)...].split(separator: " ", maxSplits: 1).first ?? ""
      return "\(line[...colon]) \(scheme) ***"
    default: return CookieMask.line(line)
    }
  }
}
