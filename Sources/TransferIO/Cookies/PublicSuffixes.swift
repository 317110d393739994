import CLibcurl

/// Which names anybody can register below (`com`, `co.uk`, `github.io`): the public suffix list
/// that libcurl itself goes by, read when it is first asked.
@safe final class PublicSuffixes {
  private lazy var suffixes = unsafe jobrun_load_suffixes()
  private var isLoaded = false

  deinit { if isLoaded { unsafe jobrun_release_suffixes(suffixes) } }

  /// - Parameter domain: in lower case, without a leading dot.
  func isSuffix(_ domain: String) -> Bool {
    isLoaded = true
    return unsafe jobrun_is_public_suffix(suffixes, domain) != 0
  }

  /// Whether two hosts, in lower case, belong to one registrable domain. Addresses, single names
  /// and suffixes belong to themselves.
  func areOneParty(_ first: String, _ second: String) -> Bool {
    if first == second { return true }
    guard let domain = registrable(first) else { return false }
    return domain == registrable(second)
  }

  private func registrable(_ host: String) -> String? {
    isLoaded = true
    guard let domain = unsafe jobrun_registrable_domain(suffixes, host) else { return nil }
    return unsafe String(cString: domain)
  }
}
