import Testing
import TransferIO

struct XDGTests {
  @Test(arguments: [
    (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/jobrun/nightly"),
    (["XDG_STATE_HOME": "/s/", "HOME": "/h"], "/s/jobrun/nightly"),
    (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/jobrun/nightly"),
    (["XDG_STATE_HOME": "", "HOME": "/h/"], "/h/.local/state/jobrun/nightly"),
    (["HOME": "/"], "/.local/state/jobrun/nightly"),
  ])
  func theStateLiesBelowTheStateHome(variables: [String: String], folder: String) {
    #expect(XDG.stateFolder(job: "nightly", variable: { variables[$0] }) == folder)
  }

  @Test func withoutHOMETheAccountTells() throws {
    for variables in [[:], ["HOME": ""], ["HOME": "relative"]] {
      let home = try #require(XDG.homeFolder(variable: { variables[$0] }))
      #expect(home.hasPrefix("/"))
      #expect(XDG.stateHome(variable: { variables[$0] })?.hasSuffix("/.local/state") == true)
    }
  }
}
