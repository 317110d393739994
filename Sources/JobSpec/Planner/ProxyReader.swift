import TransferCore

/// Reads a session's `proxy` and checks what can be known of it before the run.
struct ProxyReader {
  let findings: Findings
  /// The `proxy` entry's own.
  let path: DocumentPath

  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  func plan(_ object: ObjectValue, at range: SourceRange) -> ProxyPlan {
    var plan = ProxyPlan()
    plan.http = proxy(object, "http")
    plan.https = proxy(object, "https")
    plan.all = proxy(object, "all")
    if !["http", "https", "all"].contains(where: object.has) {
      findings.error(
        .missingKey, "`proxy` names no proxy", at: Place(range: range, path: path),
        hint: "like `all: http://proxy.example.org:3128`; `proxy: none` uses none")
    }
    plan.noProxy = exemptions(object)
    plan.user = object["user"]?.value.planText
    plan.password = object["password"]?.value.planText
    plan.authentication = object.choice("auth") ?? plan.authentication
    plan.tunnels = object.bool("tunnel") ?? false
    if let entry = object["headers"] {
      let rules = HeaderRules(findings: findings)
      plan.headers = rules.headers(of: entry, at: path.appending(.key("headers")))
    }
    return plan
  }

  private func proxy(_ object: ObjectValue, _ key: String) -> PlanText? {
    guard let entry = object[key], let text = entry.value.planText else { return nil }
    let place = Place(range: entry.range, path: path.appending(.key(key)))
    // What waits for the run is looked at by libcurl.
    if case .text(let address) = entry.value { check(address, at: place) }
    return text
  }

  private func check(_ address: String, at place: Place) {
    let shown = shortened(ShownAddress.maskingUserInfo(address))
    let parts = address.firstRange(of: "://")
    let scheme = parts.map { address[..<$0.lowerBound].lowercased() } ?? "http"
    guard Self.schemes.contains(scheme) else {
      let near = nearest(to: scheme, in: Self.schemes)
      findings.error(
        .badAddress, "`\(shown)`: \(scheme) is no kind of proxy", at: place,
        hint: near.map { "did you mean `\($0)`?" }
          ?? "there are " + Self.schemes.joined(separator: ", "))
      return
    }
    let rest = address[(parts?.upperBound ?? address.startIndex)...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let origin = Origin(url: "\(scheme)://\(rest[..<end])")
    guard let origin, !origin.host.isEmpty, rest[end...].isEmpty || rest[end...] == "/" else {
      findings.error(
        .badAddress, "`\(shown)` is no proxy's address", at: place,
        hint: "write `[scheme://]host:port`, as in `http://proxy.example.org:3128`")
      return
    }
    let authority = rest[..<end].split(separator: "@").last ?? ""
    if !authority.drop(while: { $0 != "]" }).contains(":"), !hasPort(authority) {
      findings.warning(
        .badAddress, "`\(shown)` has no port, so it is \(scheme == "https" ? 443 : 1080)",
        at: place, hint: "write the port, as in `\(shown):3128`")
    }
  }

  private func hasPort(_ authority: Substring) -> Bool {
    authority.first != "[" && authority.contains(":")
  }

  private func exemptions(_ object: ObjectValue) -> [String] {
    guard let entry = object["no_proxy"], case .list(let elements) = entry.value else { return [] }
    for (index, element) in elements.enumerated() {
      guard let text = element.value.string, let (fault, hint) = fault(in: text) else { continue }
      let path = path.appending(.key("no_proxy")).appending(.index(index))
      findings.error(
        .badValue, "`\(shortened(text))` \(fault)", at: Place(range: element.range, path: path),
        hint: hint)
    }
    return object.strings("no_proxy") ?? []
  }

  private func fault(in text: String) -> (String, hint: String)? {
    if text == "*" { return nil }
    if text.contains("*") {
      return ("has a wildcard, which matches nothing here", "`.example.org` is all below it")
    }
    if text.contains("://") || text.contains(where: { ", \t".contains($0) }) {
      return ("is no host", "one host, address or block (`10.0.0.0/8`) an entry")
    }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      if NoProxyList.isBlock(text) { return nil }
      return ("is no block of addresses", "like `10.0.0.0/8` or `fd00::/8`")
    }
    if text.contains(":"), !NoProxyList.isBlock(text + "/128") {
      return ("has a port", "leave the port out: a host is exempt with all of its ports")
    }
    return nil
  }
}
