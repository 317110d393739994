/// A page of the documentation, read as far as the tests need.
struct Page {
  /// A fenced block.
  struct Block {
    /// What stands behind the opening fence, like `yaml` or `yaml tasks`.
    var info: String
    var text: String
    /// 1-based line of the opening fence.
    var line: Int
  }
  /// `[text](target)`.
  struct Link {
    var target: String
    var line: Int
  }

  /// Relative to the top of the clone.
  let path: String
  private(set) var blocks: [Block] = []
  private(set) var links: [Link] = []
  /// The names that headings give to links, as GitHub makes them.
  private(set) var anchors: Set<String> = []
  let lines: [String]

  init(_ path: String) {
    self.path = path
    lines = (TemporaryFolder.text(of: Clone.root + "/" + path) ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var open: Block?
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          open = Block(info: String(line.dropFirst(3)), text: "", line: number + 1)
        }
      } else if open != nil {
        open?.text += line + "\n"
      } else {
        if line.hasPrefix("#") { anchors.insert(Self.anchor(of: line)) }
        links += Self.targets(in: line).map { Link(target: $0, line: number + 1) }
      }
    }
  }

  /// Every page of ours: `docs/` and those at the top.
  static func all() throws -> [Page] {
    let top = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
    let below = try Clone.files(below: Clone.root + "/docs")
      .filter { $0.hasSuffix(".md") }
      .map { String($0.dropFirst(Clone.root.count + 1)) }
    return (top + below).map(Page.init)
  }

  private static func anchor(of heading: String) -> String {
    var name = ""
    for scalar in heading.drop(while: { $0 == "#" || $0 == " " }).lowercased().unicodeScalars {
      if scalar == " " { name += "-" }
      if scalar == "-" || scalar == "_" || scalar.properties.isAlphabetic
        || ("0"..."9").contains(scalar)
      {
        name.unicodeScalars.append(scalar)
      }
    }
    return name
  }

  private static func targets(in line: String) -> [String] {
    var found: [String] = []
    var rest = Substring(line)
    while let start = rest.range(ofText: "](") {
      rest = rest[start.upperBound...]
      guard let end = rest.firstIndex(of: ")") else { break }
      found.append(String(rest[..<end]))
    }
    return found
  }
}

extension Substring {
  /// Where `text` first stands.
  fileprivate func range(ofText text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
