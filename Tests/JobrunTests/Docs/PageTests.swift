import Testing

@testable import jobrun

/// What the documentation says is true of the program beside it.
@Suite struct PageTests {
  /// Wraps a part of a job so that it stands as a whole one.
  private static func job(_ block: Page.Block) -> String? {
    let task = "tasks: [{ id: only, data: \"https://example.org/\" }]\n"
    func indented(_ spaces: String) -> String {
      block.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : spaces + $0 }.joined(separator: "\n")
    }
    switch block.info {
    case "yaml": return block.text
    case "yaml settings": return "version: 1\n" + block.text + task
    case "yaml sessions":
      let secrets = "secrets: { proxy: { env: PROXY }, token: { env: TOKEN } }\n"
      return "version: 1\n" + secrets + "sessions:\n" + indented("  ") + "\n" + task
    case "yaml tasks": return "version: 1\ntasks:\n" + indented("  ")
    default: return nil
    }
  }

  /// Blocks of the docs are jobs, or named parts of jobs; each is checked as a whole job. What
  /// isn't a job says `yaml other`.
  @Test func everyYAMLBlockValidates() throws {
    let folder = try TemporaryFolder()
    for page in try Page.all() {
      for block in page.blocks where block.info.hasPrefix("yaml") && block.info != "yaml other" {
        guard let text = Self.job(block) else {
          Issue.record("\(page.path):\(block.line): no such kind of block: \(block.info)")
          continue
        }
        let path = try folder.write("block.yaml", text)
        let ended = try Jobrun.run(["validate", path], folder: folder.path)
        #expect(ended.code == 0, "\(page.path):\(block.line)\n\(ended.out)\(ended.err)")
      }
    }
  }

  /// The jobs in `jobs/` have neither errors nor warnings; notes say what a later version brings.
  @Test func everyJobValidates() throws {
    let jobs = try Clone.files(below: Clone.root + "/jobs").filter { $0.hasSuffix(".yaml") }
    #expect(jobs.count >= 12)
    for job in jobs {
      let ended = try Jobrun.run(["validate", "--strict", job], folder: Clone.root)
      #expect(ended.code == 0, "\(job)\n\(ended.out)\(ended.err)")
    }
  }

  /// Every job but the two that `make run` plays has its page of how to use it.
  @Test func everyJobHasARecipe() throws {
    for path in try Clone.files(below: Clone.root + "/jobs") where path.hasSuffix(".yaml") {
      let name = path.split(separator: "/").last?.dropLast(5) ?? ""
      if ["quickstart", "nightly"].contains(name) { continue }
      let page = Page("docs/recipes/\(name).md")
      #expect(page.links.contains { $0.target == "../../jobs/\(name).yaml" }, "\(page.path)")
    }
  }

  /// The table of recipes says which run in this version, and `validate` says the same.
  @Test func recipesSayWhetherTheyRun() throws {
    let rows = Page("docs/recipes/README.md").lines.filter { $0.hasPrefix("| [") }
    #expect(rows.count == 10)
    for row in rows {
      let name = row.dropFirst(3).prefix { $0 != "]" }
      let checked = try Jobrun.run(["validate", "jobs/\(name).yaml"], folder: Clone.root)
      let isLater = (checked.out + checked.err).contains("not-in-this-version")
      #expect(row.hasSuffix("| yes |") == !isLater, "\(name)")
    }
  }

  @Test func everyLinkLeadsSomewhere() throws {
    for page in try Page.all() {
      let below = page.path.split(separator: "/").dropLast().joined(separator: "/")
      for link in page.links where !link.target.contains("://") && !link.target.isEmpty {
        let parts = link.target.split(
          separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts[0].isEmpty ? page.path : (below.isEmpty ? "" : below + "/") + parts[0]
        let place = "\(page.path):\(link.line): \(link.target)"
        let exists = try Clone.run("/usr/bin/test", ["-e", Clone.root + "/" + target]).code == 0
        #expect(exists, "\(place)")
        if exists, parts.count == 2, target.hasSuffix(".md") {
          #expect(Page(target).anchors.contains(String(parts[1])), "\(place)")
        }
      }
    }
  }

  /// The table of exit codes in `docs/behaviour.md` is the one in the code.
  @Test func exitCodesAreTheProgramsOwn() {
    let rows = Page("docs/behaviour.md").lines.drop { !$0.hasPrefix("| exit |") }
      .dropFirst(2).prefix { $0.hasPrefix("|") }
    var wanted = ExitCode.documented.map { "| \($0.status) | \($0.meaning) |" }
    wanted.append("| 128+N | \(ExitCode.signalMeaning) |")
    #expect(Array(rows) == wanted)
  }
}
