/// Whether a failed try is followed by another, and when (RFC 9110, section 9.2.2, on which
/// requests may be repeated).
package enum RetryDecision: Equatable, Sendable {
  case retry(after: Duration)
  case giveUp

  /// - Parameters:
  ///   - attempts: tries that count, this one with them.
  ///   - method: of the task's own request, where a new try begins.
  ///   - hasActed: a request that is not idempotent may have reached a server, in this try or
  ///     before.
  ///   - chance: uniform in 0..<1, for the jitter.
  package static func decide(
    _ failure: TransferFailure, method: String, hasActed: Bool, attempts: Int,
    policy: RetryPolicy, chance: Double
  ) -> Self {
    guard isTransient(failure, policy), policy.unsafe || isIdempotent(method) || !hasActed
    else {
      return .giveUp
    }
    if let most = policy.attempts, attempts >= most { return .giveUp }
    let wait = backoff(attempt: attempts, policy: policy, chance: chance)
    return .retry(after: max(wait, failure.retryAfter ?? .zero))
  }

  /// Whether trying again may help, by what `retry.on` lists.
  package static func isTransient(_ failure: TransferFailure, _ policy: RetryPolicy) -> Bool {
    policy.on.contains { trigger in
      switch (trigger, failure.kind) {
      case (.timeout, .timeout), (.connect, .connect), (.connect, .dns), (.truncated, .truncated):
        true
      case (.status(let code), .status), (.status(let code), .auth): failure.status == code
      case (.statusClass(let digit), .status), (.statusClass(let digit), .auth):
        failure.status.map { $0 / 100 == digit } ?? false
      default: false
      }
    }
  }

  /// RFC 9110, section 9.2.2.
  package static func isIdempotent(_ method: String) -> Bool {
    ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method)
  }

  /// Full jitter over a doubling bound.
  private static func backoff(attempt: Int, policy: RetryPolicy, chance: Double) -> Duration {
    let doublings = min(max(attempt - 1, 0), 30)
    let bound = min(policy.backoff * (1 << doublings), policy.maxBackoff)
    return .nanoseconds(Int64(Double(bound.nanoseconds) * chance))
  }
}

/// Reads Retry-After (RFC 9110, section 10.2.3): seconds or a date; the past is 0.
package enum RetryAfter {
  /// A year: no server means more.
  private static let longest: Int64 = 366 * 86_400

  /// - Parameter now: seconds since 1970.
  package static func parse(_ text: String, now: Int64) -> Duration? {
    if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      return .seconds(min(Int64(text) ?? .max, longest))
    }
    return HTTPDate.seconds(text, now: now).map { .seconds(min(max(0, $0 - now), longest)) }
  }
}
