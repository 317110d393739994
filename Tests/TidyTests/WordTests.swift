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

  private var swiftFiles: [String] {
    Repository.files(below: "Sources", ending: [".swift"])
      + Repository.files(below: "Tests", ending: [".swift"])
  }

  private func eachLine(of files: [String], _ look: (_ place: String, _ line: String) -> Void) {
    for file in files {
      for (number, line) in SwiftText(Repository.text(of: file)).lines.enumerated() {
        look("\(file):\(number + 1)", line)
      }
    }
  }

  @Test func noUncheckedConstructs() {
    eachLine(of: swiftFiles) { place, line in
      for construct in Self.constructs where SwiftText.contains(construct, in: line) {
        Issue.record("\(place): \(construct)")
      }
    }
  }

  /// This is a program: what its modules share is `package`.
  @Test func nothingIsPublic() {
    eachLine(of: swiftFiles) { place, line in
      if ["public", "open"].contains(where: { SwiftText.words(of: line).first == $0 }),
        !line.contains("open(")
      {
        Issue.record("\(place): access is `package` at most")
      }
    }
  }

  @Test func namesSayWhatAThingIs() {
    let kinds: Set = ["struct", "class", "enum", "protocol", "actor"]
    eachLine(of: swiftFiles) { place, line in
      let words = SwiftText.words(of: line)
      for (kind, name) in zip(words, words.dropFirst()) where kinds.contains(kind) {
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
    eachLine(of: swiftFiles) { place, line in
      let words = SwiftText.words(of: line)
      if let index = words.firstIndex(of: "protocol"), index + 1 < words.count {
        protocols[words[index + 1]] = place
      }
      guard let colon = line.firstIndex(of: ":") else { return }
      let kinds: Set = ["struct", "class", "enum", "actor", "extension"]
      guard !kinds.isDisjoint(with: SwiftText.words(of: String(line[..<colon]))) else { return }
      for name in Set(SwiftText.words(of: String(line[colon...]))) {
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

  /// Tests wait for events and not for time, and none is left out.
  @Test func testsNeitherSleepNorSkip() {
    let banned = [
      "sleep" + "(", "usleep" + "(", "nanosleep" + "(", ".disabled" + "(", "withKnown" + "Issue",
    ]
    eachLine(of: Repository.files(below: "Tests", ending: [".swift"])) { place, line in
      for call in banned where SwiftText.contains(call, in: line) {
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
    let lines = SwiftText(source).lines
    #expect(lines[0] == #"let a = "      (as! b)  "        "#)
    #expect(lines[1] == ##"                           let c = #"              (y)"#"##)
  }

  @Test func findsWholeWords() {
    #expect(SwiftText.contains("as" + "!", in: "x as" + "! Y"))
    #expect(!SwiftText.contains("as" + "!", in: "has" + "!"))
    #expect(!SwiftText.contains("XX" + "X", in: "name.XX" + "XXXX"))
  }
}
