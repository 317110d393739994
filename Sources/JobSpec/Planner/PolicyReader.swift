import TransferCore

/// Lays the fields of a session or a task over a policy.
enum PolicyReader {
  /// Keys of a task that make its policy another than its session's.
  static let taskKeys = [
    "timeout_for_request", "timeout_for_resource", "cache_policy", "redirects", "retry",
    "rate_limit", "network_service_type",
  ]

  static func apply(_ object: ObjectValue, to policy: inout TransferPolicy) {
    policy.timeoutForRequest = object.duration("timeout_for_request") ?? policy.timeoutForRequest
    policy.timeoutForResource =
      object.duration("timeout_for_resource") ?? policy.timeoutForResource
    policy.cachePolicy =
      object.choice("cache_policy") ?? object.object("cache")?.choice("policy")
      ?? policy.cachePolicy
    policy.serviceType = object.choice("network_service_type") ?? policy.serviceType
    if let speed = object.object("minimum_speed"), let rate = speed.bytes("rate"),
      let period = speed.duration("for")
    {
      policy.minimumSpeed = MinimumSpeed(bytesPerSecond: rate, period: period)
    }
    if let redirects = object.object("redirects") { apply(redirects, to: &policy.redirects) }
    if let retry = object.object("retry") { apply(retry, to: &policy.retry) }
  }

  /// The `rate_limit` of a job, a session or a task; nil where it says none.
  static func rateLimit(_ object: ObjectValue) -> RateLimit? {
    object.object("rate_limit").map {
      RateLimit(download: $0.bytes("download"), upload: $0.bytes("upload"))
    }
  }

  private static func apply(_ object: ObjectValue, to redirects: inout RedirectPolicy) {
    redirects.follow = object.choice("follow") ?? redirects.follow
    redirects.max = object.int("max").map { Int($0) } ?? redirects.max
    redirects.allowDowngrade = object.bool("allow_downgrade") ?? redirects.allowDowngrade
    if let protocols = object.strings("protocols") {
      redirects.protocols = protocols.map { $0.lowercased() }
    }
  }

  private static func apply(_ object: ObjectValue, to retry: inout RetryPolicy) {
    if let attempts = object.int("attempts") { retry.attempts = Int(attempts) }
    if object.string("attempts") == "unlimited" { retry.attempts = nil }
    retry.backoff = object.duration("backoff") ?? retry.backoff
    retry.maxBackoff = object.duration("max_backoff") ?? retry.maxBackoff
    if let on = object.list("on") { retry.on = on.compactMap(trigger) }
    for trigger in (object.list("also") ?? []).compactMap(trigger)
    where !retry.on.contains(trigger) {
      retry.on.append(trigger)
    }
    retry.unsafe = object.bool("unsafe") ?? retry.unsafe
  }

  private static func trigger(_ element: FieldValue.Element) -> RetryPolicy.Trigger? {
    switch element.value {
    case .int(let status): .status(Int(status))
    case .text("timeout"): .timeout
    case .text("connect"): .connect
    case .text("truncated"): .truncated
    case .text("dns"): .dns
    case .text("tls"): .tls
    case .text(let text): text.first?.wholeNumberValue.map { .statusClass($0) }
    default: nil
    }
  }
}

/// Policies that tasks share.
struct PolicyTable {
  private(set) var policies: [TransferPolicy] = []
  private var index: [TransferPolicy: Int] = [:]

  mutating func intern(_ policy: TransferPolicy) -> Int {
    if let known = index[policy] { return known }
    policies.append(policy)
    index[policy] = policies.count - 1
    return policies.count - 1
  }
}
