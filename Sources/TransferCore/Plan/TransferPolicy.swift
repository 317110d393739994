/// How a task's requests are timed, redirected, repeated and conditioned: its own fields over its
/// session's.
package struct TransferPolicy: Equatable, Hashable, Sendable {
  /// timeoutIntervalForRequest: the longest silence.
  package var timeoutForRequest = Duration.seconds(60)
  /// timeoutIntervalForResource: the whole task, retries and waits counted in.
  package var timeoutForResource = Duration.seconds(7 * 86_400)
  package var minimumSpeed: MinimumSpeed?
  package var cachePolicy = CachePolicy.useProtocolCachePolicy
  package var redirects = RedirectPolicy()
  package var retry = RetryPolicy()
  /// A task's own, in the place of its session's.
  package var rateLimit: RateLimit?
  package var serviceType = NetworkServiceType.default

  package init() {}
}

/// Slower than `bytesPerSecond` for `period` is a failed try.
package struct MinimumSpeed: Equatable, Hashable, Sendable {
  package var bytesPerSecond: Int64
  package var period: Duration
  package init(bytesPerSecond: Int64, period: Duration) {
    self.bytesPerSecond = bytesPerSecond
    self.period = period
  }
}

/// NSURLRequest.CachePolicy.
package enum CachePolicy: String, Sendable, CaseIterable {
  case useProtocolCachePolicy = "use_protocol_cache_policy"
  case reloadIgnoringLocalCacheData = "reload_ignoring_local_cache_data"
  case reloadIgnoringLocalAndRemoteCacheData = "reload_ignoring_local_and_remote_cache_data"
  case returnCacheDataElseLoad = "return_cache_data_else_load"
  case returnCacheDataDontLoad = "return_cache_data_dont_load"
  case reloadRevalidatingCacheData = "reload_revalidating_cache_data"
}

/// Which redirects are followed.
package struct RedirectPolicy: Equatable, Hashable, Sendable {
  package enum Follow: String, Sendable, CaseIterable {
    case always
    case sameHost = "same_host"
    case never
  }
  package var follow = Follow.always
  /// Hops at most, from 0.
  package var max = 20
  /// https to http.
  package var allowDowngrade = false
  /// Schemes that a redirect may lead to, in lower case.
  package var protocols = ["http", "https"]

  package init() {}
}

/// What is tried again, how often and how far apart.
package struct RetryPolicy: Equatable, Hashable, Sendable {
  package enum Trigger: Equatable, Hashable, Sendable {
    case timeout, connect, truncated, dns, tls
    /// One status, 100 to 599.
    case status(Int)
    /// `4xx`, `5xx`: the first digit.
    case statusClass(Int)
  }
  /// Tries in all, from 1; nil is unlimited, within the resource timeout.
  package var attempts: Int? = 5
  package var backoff = Duration.seconds(1)
  package var maxBackoff = Duration.seconds(120)
  package var on: [Trigger] = [
    .timeout, .connect, .truncated, .status(408), .status(425), .status(429), .statusClass(5),
  ]
  /// Requests that are not idempotent too.
  package var unsafe = false

  package init() {}
}
