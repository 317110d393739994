import Testing
import TransferCore

@Suite struct IntentEncodingTests {
  @Test func whatIsReadIsWhatWasWritten() {
    var full = CommittedFile(
      url: "http://a/\"", path: "/m/\u{1F600}\n", inode: .max, size: 5,
      modificationNanoseconds: .min,
      validator: Validator(etag: "\"e\"", lastModified: "Mon", date: "Tue"), sha256: "00ff")
    full.askedURL = "http://b/"
    let bare = CommittedFile(
      url: "u", path: "/m/b", inode: 1, size: 0, modificationNanoseconds: 0,
      validator: Validator(), sha256: nil)
    let intents = [CommitIntent(task: "a", file: full), CommitIntent(task: "b", file: bare)]
    #expect(IntentEncoding.intents(IntentEncoding.bytes(intents)) == intents)
    #expect(IntentEncoding.intents(IntentEncoding.bytes([])) == [])
  }

  @Test(arguments: [
    ("", []), ("[", []), ("{}", []), (#"[{"task":"a"}]"#, []),
    (#"[1,{"task":"b","url":"u","path":"/b","inode":1,"size":2,"modified":3}]"#, ["b"]),
  ])
  func whatCantBeReadIsLeftOut(text: String, tasks: [String]) {
    #expect(IntentEncoding.intents(Array(text.utf8)).map(\.task) == tasks)
  }
}
