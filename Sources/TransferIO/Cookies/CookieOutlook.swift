import TransferCore

/// The jars of a plan's sessions as they are now, for looking at: changes nothing.
package struct CookieOutlook {
  private struct Jar {
    var name: String
    var cookies: [Cookie]
    /// Stored cookies go out at all.
    var isSent: Bool
  }

  private let jars: [Jar]

  /// - Parameter now: cookies that have expired by then don't count.
  package init(_ sessions: [SessionPlan], _ places: CookieJars.Places?, at now: WallTime) {
    let second = now.microseconds / 1_000_000
    jars = sessions.map { session in
      let file = places?.file(of: session)
      let contents = (try? file?.read()) ?? CookieFile()
      return Jar(
        name: Self.name(session.cookies.storage, hasFile: file != nil),
        cookies: contents.cookies.filter { !$0.hasExpired(at: second) },
        isSent: session.cookies.sendsStored)
    }
  }

  private static func name(_ storage: CookiePlan.Storage, hasFile: Bool) -> String {
    switch storage {
    case .none: "none"
    case .memory: "memory"
    case .shared: hasFile ? "shared" : "memory"
    case .private: hasFile ? "private" : "memory"
    case .file(let path): path
    }
  }

  /// `shared`, `private`, `memory`, `none`, or a file's path.
  package func jar(of session: Int) -> String { jars[session].name }

  /// Cookies that the jar has.
  package func count(in session: Int) -> Int { jars[session].cookies.count }

  /// Of those, how many go with a first request to an address; nil for one that takes no cookies.
  package func count(in session: Int, for url: String) -> Int? {
    guard let place = CookiePlace(url: url) else { return nil }
    return jars[session].isSent ? jars[session].cookies.count { $0.matches(place) } : 0
  }
}
