import Glibc
import Testing

/// Constructs and names that this house does without. The lists are put together from pieces, so
/// that this file doesn't trip over itself.
@Suite struct WordTests {
  static let constructs = [
    "try" + "!", "as" + "!", "@unchecked" + " Sendable", "nonisolated" + "(unsafe)",
  ]
  static let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK", "unimple" + "mented"]
  static let vagueEndings = ["Utils", "Util", "Utilities", "Manager", "Helper", "Helpers"]

  private func eachLine(
    below folder: String = "", _ look: (_ place: String, _ line: SwiftText.Line) -> Void
  ) {
    for (path, code) in Repository.swift where path.hasPrefix(folder) {
      for (number, line) in code.lines.enumerated() where !line.text.isEmpty {
        look("\(path):\(number + 1)", line)
      }
    }
  }

  @Test func noUncheckedConstructs() {
    eachLine { place, line in
      for construct in Self.constructs where SwiftText.contains(construct, in: line.text) {
        Issue.record("\(place): \(construct)")
      }
    }
  }

  /// This is a program: what its modules share is `package`.
  @Test func nothingIsPublic() {
    let declarations: Set = [
      "struct", "class", "enum", "protocol", "actor", "extension", "func", "var", "let", "init",
      "static", "final", "typealias", "subscript", "import", "mutating", "override", "indirect",
    ]
    eachLine { place, line in
      let declared = line.words.drop { $0 == "static" || $0 == "final" }
      if ["public", "open"].contains(declared.first),
        declarations.contains(declared.dropFirst().first ?? "")
      {
        Issue.record("\(place): access is `package` at most")
      }
    }
  }

  @Test func namesSayWhatAThingIs() {
    let kinds: Set = ["struct", "class", "enum", "protocol", "actor"]
    eachLine { place, line in
      for (kind, name) in zip(line.words, line.words.dropFirst()) where kinds.contains(kind) {
        if Self.vagueEndings.contains(where: name.hasSuffix) {
          Issue.record("\(place): \(name) doesn't say what it is")
        }
      }
    }
    for file in Repository.files(below: "Sources") {
      let name = file.split(separator: "/").last?.split(separator: ".").first ?? ""
      #expect(!Self.vagueEndings.contains(where: name.hasSuffix), "\(file)")
    }
  }

  /// A protocol is for two conformers or more; one is a type.
  @Test func protocolsHaveMoreThanOneConformer() {
    var conformances: [String: Int] = [:]
    var protocols: [String: String] = [:]
    eachLine { place, line in
      let declared = line.text.drop { $0 == " " }
      if ["", "package ", "private "].contains(where: { declared.hasPrefix($0 + "protocol ") }),
        let index = line.words.firstIndex(of: "protocol")
      {
        protocols[line.words[index + 1]] = place
      }
      guard let colon = line.text.firstIndex(of: ":") else { return }
      let kinds: Set = ["struct", "class", "enum", "actor", "extension"]
      let head = SwiftText.Line(line.text[..<colon]).words
      guard !kinds.isDisjoint(with: head) else { return }
      for name in Set(SwiftText.Line(line.text[colon...]).words) {
        conformances[name, default: 0] += 1
      }
    }
    for (name, place) in protocols where conformances[name, default: 0] < 2 {
      Issue.record("\(place): protocol \(name) has \(conformances[name, default: 0]) conformers")
    }
  }

  @Test func nothingIsLeftForLater() {
    for file in Repository.files(below: "") {
      let lines = Repository.text(of: file).split(
        separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        for mark in Self.marks where SwiftText.contains(mark, in: String(line)) {
          Issue.record("\(file):\(number + 1): \(mark)")
        }
      }
    }
  }

  /// Tests wait for events and not for time, and none is left out. A scripted server may be slow on
  /// purpose: that is what it plays.
  @Test func testsNeitherSleepNorSkip() {
    let banned = [
      "sleep" + "(", "usleep" + "(", "nanosleep" + "(", ".disabled" + "(", ".enabled" + "(",
      "withKnown" + "Issue",
    ]
    eachLine(below: "Tests/") { place, line in
      if place.hasPrefix("Tests/FaultOrigin/Origin/") { return }
      for call in banned where SwiftText.contains(call, in: line.text) {
        Issue.record("\(place): \(call)")
      }
    }
  }

  @Test func noFileNamesTheMachineThatItWasWrittenOn() {
    var paths = [Repository.root]
    if let home = getenv("HOME"), home.pointee != 0, String(cString: home) != "/" {
      paths.append(String(cString: home) + "/")
    }
    for file in Repository.files(below: "") {
      let text = Repository.text(of: file)
      for path in paths where text.contains(path) {
        Issue.record("\(file) holds \(path)")
      }
    }
  }

  @Test func blanksCommentsAndStrings() {
    let source = ##"""
      let a = "try! \(as! b) x" // try!
      /* as! /* nested */ as! */ let c = #"public \(x) \#(y)"#
      """##
    let lines = SwiftText(source).lines.map(\.text)
    #expect(lines[0] == #"let a = "      (as! b)  "        "#)
    #expect(lines[1] == ##"                           let c = #"              (y)"#"##)
  }

  @Test func findsWholeWords() {
    #expect(SwiftText.contains("as" + "!", in: "x as" + "! Y"))
    #expect(!SwiftText.contains("as" + "!", in: "has" + "!"))
    #expect(!SwiftText.contains("XX" + "X", in: "name.XX" + "XXXX"))
  }
}
