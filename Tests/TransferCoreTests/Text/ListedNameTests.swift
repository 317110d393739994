import Testing
import TransferCore

@Suite struct ListedNameTests {
  @Test(arguments: [
    ("https://h/d/a/x.deb", "https://h/d/SUMS", ["a/x.deb", "out.deb"]),
    ("https://h/d/x%20y.deb?t=1#f", "https://h/d/SUMS?t=2", ["x y.deb", "out.deb"]),
    ("https://h/e/x.deb", "https://h/d/SUMS", ["x.deb", "out.deb"]),
    ("https://other/d/a/x.deb", "https://h/d/SUMS", ["x.deb", "out.deb"]),
    ("https://h/x.deb", "https://h", ["x.deb", "out.deb"]),
    ("https://h/d/", "https://h/d/SUMS", ["out.deb"]),
    ("https://h/d/%ff", "https://h/d/SUMS", ["out.deb"]),
    ("https://h/d/100%", "https://h/d/SUMS", ["100%", "out.deb"]),
    ("https://h/d/a/out.deb", "https://h/e/SUMS", ["out.deb"]),
  ])
  func whereAListMayHaveAFile(url: String, list: String, names: [String]) {
    #expect(ListedName.candidates(url: url, target: "/t/out.deb", list: list) == names)
  }

  @Test func aListsOwnName() {
    #expect(ListedName.ofList("https://h/d/SHA256SUMS?x=/y") == "SHA256SUMS")
    #expect(ListedName.ofList("https://h/d/x%2Esha256") == "x.sha256")
  }
}
