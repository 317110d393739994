import CLibcurl
import TransferCore

/// A request's header lines as libcurl takes them, with those about cookies apart: the job's own
/// join the stored ones in one line.
struct RequestHeaders {
  let list: StringList?
  /// The value of the job's own Cookie field; several are one.
  var cookie: String?
  /// The job says that no cookie goes with the request (`Cookie:` without a value).
  var removesCookie = false

  /// The lines must hold no line breaks or other controls.
  init(_ lines: [String]) throws(CurlError) {
    let own = lines.compactMap(Self.cookieValue)
    if own.isEmpty {
      list = lines.isEmpty ? nil : try StringList(lines)
      return
    }
    let rest = lines.filter { Self.cookieValue($0) == nil }
    list = rest.isEmpty ? nil : try StringList(rest)
    removesCookie = own.contains("")
    let values = own.filter { !$0.isEmpty }
    if !values.isEmpty { cookie = values.joined(separator: "; ") }
  }

  /// What a `Cookie` line says; nil for another line.
  private static func cookieValue(_ line: String) -> String? {
    let name = "cookie"
    guard line.utf8.count > name.utf8.count,
      zip(line.utf8, name.utf8).allSatisfy({ $0.0 | 0x20 == $0.1 })
    else { return nil }
    let rest = line.dropFirst(name.count)
    switch rest.first {
    case ":": return String(rest.dropFirst().drop { $0 == " " })
    // A bare field.
    case ";": return " "
    default: return nil
    }
  }
}
