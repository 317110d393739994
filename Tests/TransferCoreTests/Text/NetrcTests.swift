import Testing
import TransferCore

@Suite struct NetrcTests {
  private func found(_ text: String, _ host: String, allowsDefault: Bool = true) -> String? {
    let netrc = Netrc(parsing: text)
    return netrc.entry(for: host, allowsDefault: allowsDefault).map { index in
      "\(netrc.entries[index].login):\(netrc.entries[index].password)"
    }
  }

  @Test(arguments: [
    ("machine a.example login me password s3cret", "me:s3cret"),
    ("machine b login x password y\nmachine A.Example\n  login me\n  password s\n", "me:s"),
    ("# machine a.example login no password no\nmachine a.example login me password p", "me:p"),
    ("machine a.example password #1 login me", "me:#1"),
    ("machine a.example login \"my name\" password \"a\\\"b\\\\c\\td\"", "my name:a\"b\\c\td"),
    ("machine a.example account x login me password p", "me:p"),
    (
      "macdef init\nmachine a.example login no \n\nmachine a.example login me password p",
      "me:p"
    ),
    ("default login d password e", "d:e"),
    ("default login d password e machine a.example login me password p", "me:p"),
    ("machine a.example login one password 1 machine a.example login two password 2", "one:1"),
    ("machine b.example login me password p", nil), ("", nil), ("machine", nil),
    ("login me password p", nil), ("machine a.example", ":"),
    ("machine a.example login me password \"open", "me:open"),
  ])
  func aMachineHasAnEntry(text: String, wanted: String?) {
    #expect(found(text, "a.example") == wanted)
  }

  @Test func theDefaultEntryIsNotForHostsThatAServerNamed() {
    #expect(found("default login d password e", "a.example", allowsDefault: false) == nil)
  }

  @Test func anIPv6HostIsWrittenWithoutBrackets() {
    #expect(found("machine ::1 login me password p", "[::1]") == "me:p")
  }

  @Test func itsMachinesAreHadWithoutItsValues() {
    let bare = Netrc(parsing: "machine a.example login me password p").withoutValues
    #expect(bare.entry(for: "a.example", allowsDefault: false) == 0)
    #expect(bare.entries[0].login.isEmpty && bare.entries[0].password.isEmpty)
  }
}
