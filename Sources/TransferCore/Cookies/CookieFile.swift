/// A Netscape cookie file: cookies, and lines that are none.
package struct CookieFile: Equatable, Sendable {
  /// In the file's order, each key once.
  package private(set) var cookies: [Cookie] = []
  /// Comments, in their order.
  private var comments: [[UInt8]] = []
  /// Lines that are neither, as they are.
  package private(set) var unreadable: [[UInt8]] = []
  private var places: [Cookie.Key: Int] = [:]

  package init() {}

  private static let head = [
    Array("# Netscape HTTP Cookie File".utf8),
    Array("# Kept by jobrun. The values are secrets.".utf8),
  ]

  /// Reads a file; one that can't be a text has no readable line.
  package init(_ bytes: [UInt8]) {
    for piece in bytes.split(separator: 0x0A) {
      // All of them, so that a line that is kept as it is reads the same the next time.
      var line = piece
      while line.last == 0x0D { line.removeLast() }
      if line.isEmpty { continue }
      if let cookie = Cookie(line: line) {
        put(cookie)
      } else if line.first == UInt8(ascii: "#"), !line.contains(0) {
        comments.append(Array(line))
      } else {
        unreadable.append(Array(line))
      }
    }
  }

  package mutating func dropUnreadable() { unreadable = [] }

  private mutating func put(_ cookie: Cookie) {
    if let place = places[cookie.key] {
      cookies[place] = cookie
    } else {
      places[cookie.key] = cookies.count
      cookies.append(cookie)
    }
  }

  /// Lays what a run changed over the file, and drops what has expired.
  /// - Parameter now: seconds since 1970.
  package mutating func apply(_ changes: CookieChanges, at now: Int64) {
    for cookie in changes.set { put(cookie) }
    let removed = changes.removed
    cookies.removeAll { removed.contains($0.key) || $0.hasExpired(at: now) }
    places = [:]
    for (index, cookie) in cookies.enumerated() { places[cookie.key] = index }
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    let head = comments.isEmpty ? Self.head : comments
    for line in head + unreadable + cookies.map(\.line) { bytes += line + [0x0A] }
    return bytes
  }
}

/// What a run changed in a jar since it was last written down.
package struct CookieChanges: Equatable, Sendable {
  private var entries: [Cookie.Key: Cookie?] = [:]
  private var order: [Cookie.Key] = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// In the order in which they came.
  package var set: [Cookie] { order.compactMap { entries[$0] ?? nil } }
  package var removed: Set<Cookie.Key> { Set(order.filter { entries[$0] == .some(nil) }) }

  /// - Parameter cookie: nil when it is gone from the jar.
  package mutating func note(_ key: Cookie.Key, _ cookie: Cookie?) {
    if entries.updateValue(cookie, forKey: key) == nil { order.append(key) }
  }
}
