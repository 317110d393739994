import Testing

/// The import law: dependencies run downward only, and the pure modules stay pure. SwiftPM doesn't
/// hold it, because an import of a dependency's dependency compiles.
@Suite struct ImportTests {
  /// What each module may import.
  static let law: [String: Set<String>] = [
    "TransferCore": [],
    "JobSpec": ["TransferCore", "CLibyaml"],
    "TransferIO": [
      "TransferCore", "CLibcurl", "CSQLite", "CLibcrypto", "CLibssl", "CZlib", "CLinux", "Glibc",
      "FoundationEssentials",
    ],
    // Glibc for terminal, outputs and exit: docs/decisions/0007-glibc-on-the-top-floor.md
    "jobrun": ["TransferCore", "JobSpec", "TransferIO", "Glibc"],
  ]

  /// Modules named by the import statements of `source`.
  static func imports(of source: SwiftText) -> [String] {
    source.lines.compactMap { line in
      let words = line.words
      guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
        words[..<place].allSatisfy(isAttribute)
      else { return nil }
      let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let name = kinds.contains(words[place + 1]) ? place + 2 : place + 1
      return name < words.count ? words[name] : nil
    }
  }

  private static func isAttribute(_ word: String) -> Bool {
    [
      "testable", "preconcurrency", "_exported", "_spi", "package", "internal", "private",
      "fileprivate", "public", "_implementationOnly",
    ].contains(word)
  }

  @Test func everyModuleImportsOnlyWhatItMay() {
    for (module, allowed) in Self.law {
      let files = Repository.swift.filter { $0.path.hasPrefix("Sources/\(module)/") }
      #expect(!files.isEmpty, "no sources of \(module) found")
      for (path, code) in files {
        let extra = Set(Self.imports(of: code)).subtracting(allowed)
        #expect(extra.isEmpty, "\(path) imports \(extra.sorted().joined(separator: ", "))")
      }
    }
  }

  @Test func everyFolderOfSourcesIsInTheTable() {
    let modules = Repository.entries(of: "Sources").map(\.name)
      .filter { !Self.cModules.contains($0) }
    #expect(Set(modules) == Set(Self.law.keys))
  }

  /// Full Foundation costs start-up time; FoundationNetworking has a libcurl of its own.
  @Test func nobodyImportsFoundationsOwnNetworking() {
    for (file, code) in Repository.swift {
      let imports = Self.imports(of: code)
      #expect(!imports.contains("FoundationNetworking"), "\(file) imports FoundationNetworking")
      if file.hasPrefix("Sources/") {
        #expect(!imports.contains("Foundation"), "\(file) imports Foundation")
      }
    }
  }

  @Test func seesImportsOfEveryForm() {
    let source = """
      import A
      @testable import B
      package import C
      import struct D.Thing
      // import E
      let text = "import F"
      @preconcurrency import G.Part
      """
    #expect(Self.imports(of: SwiftText(source)) == ["A", "B", "C", "D", "G"])
  }

  static let cModules: Set = [
    "CLibcurl", "CLibyaml", "CSQLite", "CLibcrypto", "CLibssl", "CZlib", "CLinux",
  ]

  /// Floor 0 is a module map over one header, with no code of its own to link.
  @Test func cModulesHoldAModuleMapAndAShim() {
    for module in Self.cModules {
      let names = Repository.entries(of: "Sources/\(module)").map(\.name).sorted()
      #expect(names == ["module.modulemap", "shim.h"], "Sources/\(module)")
    }
  }
}
