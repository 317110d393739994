/// Where a redirect leads, or why it isn't followed (RFC 9110, section 15.4).
package enum RedirectDecision: Equatable, Sendable {
  /// `dropsBody`: the body and its headers stay behind. `leavesOrigin`: so do headers with
  /// `scope: origin`.
  case follow(method: String, dropsBody: Bool, leavesOrigin: Bool)
  case refuse(TransferFailure)

  /// - Parameters:
  ///   - hops: redirects that the task followed before this one.
  ///   - target: nil when the Location makes no address.
  package static func decide(
    status: Int, method: String, from: Origin, to target: Origin?, hops: Int,
    policy: RedirectPolicy
  ) -> Self {
    guard let target else {
      return .refuse(TransferFailure(.protocol, "the Location makes no address", status: status))
    }
    if hops >= policy.max {
      return .refuse(
        TransferFailure(
          .redirectLimit, "more than \(policy.max) redirects (redirects.max)", status: status))
    }
    if let reason = refusal(from: from, to: target, policy: policy) {
      return .refuse(TransferFailure(.redirectRefused, reason, status: status))
    }
    let leaves = !from.keepsScope(to: target)
    switch status {
    case 303 where method != "HEAD" && method != "GET":
      return .follow(method: "GET", dropsBody: true, leavesOrigin: leaves)
    case 301 where method == "POST", 302 where method == "POST":
      return .follow(method: "GET", dropsBody: true, leavesOrigin: leaves)
    default: return .follow(method: method, dropsBody: false, leavesOrigin: leaves)
    }
  }

  private static func refusal(from: Origin, to: Origin, policy: RedirectPolicy) -> String? {
    if to.scheme == "file" || !policy.protocols.contains(to.scheme) {
      return "a redirect to a \(to.scheme) address is not allowed (redirects.protocols)"
    }
    if from.scheme == "https", to.scheme == "http", !policy.allowDowngrade {
      return "a redirect from https to http is refused (redirects.allow_downgrade)"
    }
    if policy.follow == .sameHost, from.host != to.host {
      return "a redirect to another host, \(to.host), is refused (redirects.follow: same_host)"
    }
    return nil
  }
}
