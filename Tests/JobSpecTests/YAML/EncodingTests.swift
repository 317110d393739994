import JobSpec
import Testing

@Suite struct EncodingTests {
  private func check(_ bytes: [UInt8]) -> [Diagnostic] {
    let (root, diagnostics) = JobYAML(bytes: bytes).read()
    #expect(diagnostics.isEmpty || root == nil)
    return diagnostics
  }

  private func places(_ diagnostics: [Diagnostic]) -> [SourcePosition] {
    diagnostics.map(\.range.start)
  }

  @Test(
    arguments: [
      [0xE9], [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9D],
      [0xFF], [0xE2, 0x82], [0xE0, 0x80, 0x80],
    ] as [[UInt8]])
  func bytesThatAreNotUTF8(bad: [UInt8]) {
    let diagnostics = check(Array("a: é𝄞x\nbé: ".utf8) + bad + Array("\nc: d\n".utf8))
    #expect(diagnostics.map(\.id) == ["encoding"])
    #expect(places(diagnostics) == [SourcePosition(line: 2, column: 5)])
    #expect(check(Array("a: ".utf8) + bad).count == 1, "at the end too")
  }

  @Test func aLatinLetterIsNamed() {
    #expect(
      check(Array("a: caf".utf8) + [0xE9]).map(\.message)
        == ["the byte 0xE9 isn't UTF-8, which is `é` in Latin-1"])
  }

  @Test(arguments: [
    0x00, 0x07, 0x0B, 0x1B, 0x7F, 0x80, 0x85, 0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF,
  ])
  func charactersThatNoFileMayHold(code: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(code))
    let diagnostics = check(Array("ab: x\(scalar)\n".utf8))
    #expect(diagnostics.map(\.id) == ["encoding"])
    #expect(places(diagnostics) == [SourcePosition(line: 1, column: 6)])
    #expect(diagnostics[0].message.contains("U+"))
  }

  @Test func oneALineAndTwentyInAll() {
    let line = Array("a: \u{7}\u{7}\n".utf8)
    #expect(places(check(line + line)).map(\.line) == [1, 2])
    #expect(check((0..<50).flatMap { _ in line }).count == 20)
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61], [0x61, 0x00, 0x3A, 0x00],
      [0x00, 0x61, 0x00, 0x3A], [0xFF, 0xFE],
    ] as [[UInt8]])
  func wideEncodingsAreNamed(bytes: [UInt8]) {
    let diagnostics = check(bytes)
    #expect(diagnostics.map(\.message) == ["the file is UTF-16 or UTF-32, and a job file is UTF-8"])
    #expect(places(diagnostics) == [SourcePosition(line: 1, column: 1)])
  }

  @Test func allElseOfUnicodeIsTaken() {
    #expect(check(Array("é: \u{10FFFF}\u{E000}\u{D7FF}\u{A0}\t\u{FFFD}\n".utf8)).isEmpty)
    #expect(check([0xEF, 0xBB, 0xBF]).map(\.id) == ["empty-file"])
    #expect(check([0xEF, 0xBB]).map(\.id) == ["encoding"])
    #expect(check([0x61]).isEmpty)
  }
}
