import Testing

@testable import TransferIO

/// Which cookies are taken and where they go (RFC 6265bis), by the real binary and a server with
/// many names.
@Suite struct CookieRuleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var title: String
    /// The host and the folder in which it is set.
    var host = "www.shop.example"
    var at = "/"
    /// The Set-Cookie line.
    var line: String
    /// Where it is asked for next, and what must come then.
    var next = "www.shop.example"
    var path = "/"
    var sent: String
    var testDescription: String { title }
  }

  static let domain: [Case] = [
    Case(title: "its own host", line: "a=1", sent: "a=1"),
    Case(title: "not another host", line: "a=1", next: "api.shop.example", sent: ""),
    Case(title: "not a host above", line: "a=1", next: "shop.example", sent: ""),
    Case(
      title: "a domain's other hosts", line: "a=1~Domain=shop.example", next: "api.shop.example",
      sent: "a=1"),
    Case(
      title: "a leading dot", line: "a=1~Domain=.shop.example", next: "api.shop.example",
      sent: "a=1"),
    Case(
      title: "the domain itself", line: "a=1~Domain=SHOP.example", next: "shop.example",
      sent: "a=1"),
    Case(
      title: "a host below its own", host: "shop.example", line: "a=1", next: "www.shop.example",
      sent: ""),
    Case(title: "another's domain", line: "a=1~Domain=other.example", sent: ""),
    Case(title: "a domain below", line: "a=1~Domain=x.www.shop.example", sent: ""),
    Case(
      title: "an address", host: "127.0.0.1", line: "a=1~Domain=127.0.0.1", next: "127.0.0.1",
      sent: "a=1"),
    Case(title: "part of an address", host: "127.0.0.1", line: "a=1~Domain=0.0.1", sent: ""),
  ]

  static let suffix: [Case] = [
    Case(
      title: "a public suffix", host: "a.co.uk", line: "a=1~Domain=co.uk", next: "b.co.uk",
      sent: ""),
    Case(
      title: "and not even at home", host: "a.co.uk", line: "a=1~Domain=co.uk", next: "a.co.uk",
      sent: ""),
    Case(
      title: "a private one", host: "me.github.io", line: "a=1~Domain=github.io",
      next: "you.github.io", sent: ""),
    Case(
      title: "a suffix of itself, at home", host: "github.io", line: "a=1~Domain=github.io",
      next: "github.io", sent: "a=1"),
    Case(
      title: "a suffix of itself, below", host: "github.io", line: "a=1~Domain=github.io",
      next: "me.github.io", sent: ""),
  ]

  static let path: [Case] = [
    Case(title: "the folder", at: "/x/y", line: "a=1", path: "/x/z", sent: "a=1"),
    Case(title: "below it", at: "/x/y", line: "a=1", path: "/x/z/w", sent: "a=1"),
    Case(title: "not above", at: "/x/y", line: "a=1", path: "/", sent: ""),
    Case(title: "whole segments", line: "a=1~Path=/x", path: "/xy", sent: ""),
    Case(title: "the path itself", line: "a=1~Path=/x", path: "/x", sent: "a=1"),
    Case(title: "with a query", line: "a=1~Path=/x", path: "/x?q=1", sent: "a=1"),
    Case(title: "a slash at the end", line: "a=1~Path=/x/", path: "/x/y", sent: "a=1"),
    Case(title: "letters count", line: "a=1~Path=/x", path: "/X", sent: ""),
    Case(title: "the last one", line: "a=1~Path=/y~Path=/x", path: "/x", sent: "a=1"),
    Case(title: "elsewhere", at: "/x/y", line: "a=1~Path=/", path: "/", sent: "a=1"),
    Case(title: "no path: the folder", at: "/x/y", line: "a=1~Path=rel", path: "/x/z", sent: "a=1"),
    Case(title: "no path: not all", at: "/x/y", line: "a=1~Path=rel", path: "/", sent: ""),
  ]

  static let lasting: [Case] = [
    Case(title: "max-age", line: "a=1~Max-Age=60", sent: "a=1"),
    Case(title: "max-age 0", line: "a=1~Max-Age=0", sent: ""),
    Case(title: "max-age below 0", line: "a=1~Max-Age=-1", sent: ""),
    Case(title: "a date to come", line: "a=1~Expires=Thu,+01+Jan+2099+00:00:00+GMT", sent: "a=1"),
    Case(title: "a date that was", line: "a=1~Expires=Thu,+01+Jan+1998+00:00:00+GMT", sent: ""),
    Case(title: "no date", line: "a=1~Expires=tomorrow", sent: "a=1"),
    Case(
      title: "max-age before the date",
      line: "a=1~Max-Age=60~Expires=Thu,+01+Jan+1998+00:00:00+GMT", sent: "a=1"),
    Case(
      title: "max-age after the date",
      line: "a=1~Expires=Thu,+01+Jan+1998+00:00:00+GMT~Max-Age=60", sent: "a=1"),
  ]

  static let secure: [Case] = [
    Case(title: "over http it isn't taken", line: "a=1~Secure", sent: ""),
    Case(
      title: "this machine is trusted", host: "127.0.0.1", line: "a=1~Secure", next: "127.0.0.1",
      sent: "a=1"),
    Case(title: "http only", line: "a=1~HttpOnly", sent: "a=1"),
    Case(title: "SameSite", line: "a=1~SameSite=Strict", sent: "a=1"),
    Case(title: "__Secure- without", line: "__Secure-a=1", sent: ""),
    Case(
      title: "__Secure- with", host: "127.0.0.1", line: "__Secure-a=1~Secure", next: "127.0.0.1",
      sent: "__Secure-a=1"),
    Case(title: "in other letters", line: "__SECURE-a=1", sent: ""),
    Case(
      title: "__Host- with", host: "127.0.0.1", line: "__Host-a=1~Secure~Path=/",
      next: "127.0.0.1", sent: "__Host-a=1"),
    Case(
      title: "__Host- without", host: "127.0.0.1", line: "__Host-a=1~Path=/", next: "127.0.0.1",
      sent: ""),
    Case(
      title: "__Host- elsewhere", host: "127.0.0.1", line: "__Host-a=1~Secure~Path=/x",
      next: "127.0.0.1", path: "/x", sent: ""),
    Case(title: "quotes stay", line: "a=\"1\"", sent: "a=\"1\""),
    Case(title: "an equals sign", line: "a=b=c", sent: "a=b=c"),
    Case(title: "an empty value", line: "a=", sent: "a="),
    Case(title: "no name", line: "=1", sent: ""),
    Case(title: "no value", line: "a", sent: ""),
  ]

  @Test(arguments: [domain, suffix, path, lasting, secure].flatMap(\.self))
  func aCookieIsTakenAndSent(_ rule: Case) throws {
    let scene = try CookieScene(CookieScene.setting)
    let set = rule.at + "?c=" + rule.line.replacing("\"", with: "\\\"")
    try scene.write(tasks: [
      scene.get(rule.host, set), scene.get(rule.next, rule.path.replacing("\"", with: "\\\"")),
    ])
    let ended = try scene.run()
    #expect(ended.code == 0, "\(ended.err)")
    #expect(scene.sent == ["", rule.sent])
  }

  @Test func aCookieThatIsSecureIsNotReplacedFromHTTP() throws {
    let scene = try CookieScene(CookieScene.setting)
    let jar = "www.shop.example\tFALSE\t/\tTRUE\t0\ta\tsafe\n"
    try scene.folder.write("jar.txt", jar)
    try scene.write(
      sessions: [("s", "cookies: { storage: jar.txt }")],
      tasks: [scene.get("www.shop.example", "/?c=a=1"), scene.get("www.shop.example", "/")])
    #expect(try scene.run().code == 0)
    // And a secure one doesn't go over http.
    #expect(scene.sent == ["", ""])
    #expect(scene.folder.read("jar.txt") == jar)
  }

  @Test func aCookieOfTheSamePlaceReplacesAndLongerPathsComeFirst() throws {
    let scene = try CookieScene(CookieScene.setting)
    try scene.write(tasks: [
      scene.get("www.shop.example", "/x/?c=a=1&c=a=2&c=a=3~Path=/"),
      scene.get("www.shop.example", "/x/"),
      scene.get("www.shop.example", "/x/?c=a=~Max-Age=0"), scene.get("www.shop.example", "/x/"),
    ])
    #expect(try scene.run().code == 0)
    #expect(scene.sent == ["", "a=2; a=3", "a=2; a=3", "a=3"])
  }

  @Test func noCookieLivesLongerThan400Days() throws {
    let scene = try CookieScene(CookieScene.setting)
    try scene.write(tasks: [scene.get("www.shop.example", "/?c=a=1~Max-Age=99999999999")])
    #expect(try scene.run().code == 0)
    let line = try #require(CookieScene.lines(scene.shared).first)
    let expires = try #require(Int64(line.split(separator: "\t")[4]))
    let most = Clock.wall().microseconds / 1_000_000 + 400 * 86_400
    #expect(expires <= most && expires > most - 86_400)
  }
}
