import Testing
import TransferCore

@Suite struct CookieTests {
  private func cookie(_ line: String) -> Cookie? { Cookie(line: Array(line.utf8)) }

  @Test(arguments: [
    "h.example\tFALSE\t/\tFALSE\t0\ta\t1", ".h.example\tTRUE\t/x\tTRUE\t99\ta\t",
    "#HttpOnly_h.example\tFALSE\t/\tFALSE\t9223372036854775807\ta\tb=c; d",
    "::1\tFALSE\t/\tFALSE\t0\ta\t1",
  ])
  func aLineReadsAndWritesTheSame(line: String) throws {
    #expect(String(decoding: try #require(cookie(line)).line, as: UTF8.self) == line)
  }

  @Test func whatOtherProgramsWriteIsRead() throws {
    let loose = try #require(cookie("H.Example\ttrue\t/\tfalse\t0\ta"))
    #expect(loose == cookie(".h.example\tTRUE\t/\tFALSE\t0\ta\t"))
  }

  @Test(arguments: [
    "", "a", "h\tFALSE\t/\tFALSE\t0", "h\tMAYBE\t/\tFALSE\t0\ta\t1", "h\tFALSE\t/\tFALSE\t-1\ta\t1",
    "h\tFALSE\t/\tFALSE\tx\ta\t1", "h\tFALSE\t/\tFALSE\t0\t\t1", "\tFALSE\t/\tFALSE\t0\ta\t1",
    "h\tFALSE\t/\tFALSE\t0\ta\t1\tmore", "h\tFALSE\t/\tFALSE\t0\ta\t\u{1}",
    "Set-Cookie: x\tFALSE\t/\tFALSE\t0\ta\t1", "# h\tFALSE\t/\tFALSE\t0\ta\t1",
    "..h\tFALSE\t/\tFALSE\t0\ta\t1",
  ])
  func whatIsNoCookieIsNone(line: String) { #expect(cookie(line) == nil) }

  @Test(arguments: [
    ("http://H.example", "h.example", "/", "/", false),
    ("https://u:p@h.example:8443/a/b?q=/c#d", "h.example", "/a/b", "/a", true),
    ("http://[::1]:80/a/", "::1", "/a/", "/a", true),
    ("http://127.0.0.1/a?b", "127.0.0.1", "/a", "/", true),
    ("http://h.example?x", "h.example", "/", "/", false),
  ])
  func whereAnAddressIs(url: String, host: String, path: String, folder: String, isTrusted: Bool) {
    let place = CookiePlace(url: url)
    #expect(place?.host == host)
    #expect(place?.path == Array(path.utf8))
    #expect(place?.defaultPath == Array(folder.utf8))
    #expect(place?.isTrustworthy == isTrusted)
    #expect(CookiePlace(url: "ftp://h.example/") == nil)
  }

  // MARK: What a session's settings mean

  @Test func policySendingAndOriginDecideTogether() {
    var plan = CookiePlan()
    func use(_ isMain: Bool, removes: Bool = false) -> CookieUse {
      plan.use(isMainDocuments: isMain, removesCookie: removes)
    }
    #expect([use(true), use(false), use(true, removes: true)] == [.full, .sendOnly, .storeOnly])
    plan.acceptPolicy = .always
    #expect([use(true), use(false)] == [.full, .full])
    plan.sendsStored = false
    #expect([use(true), use(false)] == [.storeOnly, .storeOnly])
    plan.acceptPolicy = .never
    #expect([use(true), use(false)] == [.off, .off])
    plan.sendsStored = true
    #expect([use(true), use(false), use(true, removes: true)] == [.sendOnly, .sendOnly, .off])
    plan.storage = .none
    #expect(use(true) == .off)
  }

  // MARK: Jars

  @Test func changesAreLaidOverWhatIsThere() throws {
    let line = "\tFALSE\t/\tFALSE\t50\t"
    var file = CookieFile(Array("# mine\nh\(line)a\t1\nh\(line)b\t2\nh\(line)c\t3\nwhat\n".utf8))
    var changes = CookieChanges()
    let a = try #require(cookie("h\(line)a\t9"))
    let b = try #require(cookie("h\(line)b\t2"))
    let d = try #require(cookie("h\tFALSE\t/\tFALSE\t40\td\t4"))
    changes.note(b.key, b)
    changes.note(a.key, a)
    changes.note(b.key, nil)
    changes.note(d.key, d)
    file.apply(changes, at: 40)
    #expect(
      String(decoding: file.bytes, as: UTF8.self)
        == "# mine\nwhat\nh\(line)a\t9\nh\(line)c\t3\n")
    #expect(file.unreadable == [Array("what".utf8)])
    file.apply(CookieChanges(), at: 50)
    #expect(file.cookies.isEmpty)
  }

  // MARK: What is shown

  @Test(arguments: [
    ("Set-Cookie: sid=s3; Path=/; HttpOnly", "Set-Cookie: sid=***; Path=/; HttpOnly"),
    ("set-cookie: s3", "set-cookie: ***"), ("Cookie: a=1; b=s=3", "Cookie: a=***; b=***"),
    ("Cookie2: x", "Cookie2: x"), ("Content-Type: a=b", "Content-Type: a=b"), ("", ""),
  ])
  func theTraceShowsNoValue(line: String, shown: String) {
    #expect(CookieMask.line(line[...]) == shown)
  }

  @Test(arguments: [
    (
      "Added cookie a=\"s3\" for domain h, path /, expire 0",
      "Added cookie a=*** for domain h, path /, expire 0"
    ),
    ("Replaced cookie a=\"s\" for domain x\" for domain h", "Replaced cookie a=*** for domain h"),
    ("Added cookie a=\"s3", "Added cookie a=***"),
    ("h2h3 [cookie: a=s3]", "h2h3 [cookie: ***]"), ("h2h3 [accept: */*]", "h2h3 [accept: */*]"),
    ("Connected to h", "Connected to h"),
  ])
  func libcurlsWordsShowNoValue(line: String, shown: String) {
    #expect(CookieMask.words(line[...]) == shown)
  }
}
