import Glibc
import Testing

/// Every entry of every corpus, and mutants of them from one seed: what libFuzzer found once stays
/// found. `scripts/fuzz` looks for more.
@Suite struct CorpusTests {
  static let folder =
    #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
    + "/Corpora"

  static func entries(of target: String) -> [(name: String, bytes: [UInt8])] {
    guard let folder = opendir(folder + "/" + target) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted().map { ($0, bytes(of: "\(Self.folder)/\(target)/\($0)")) }
  }

  private static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func corpusAndMutants(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let entries = Self.entries(of: name)
    #expect(!entries.isEmpty, "Tests/Corpora/\(name) is empty")
    for entry in entries {
      if let wrong = target.check(entry.bytes) { Issue.record("\(entry.name): \(wrong)") }
    }
    var mutation = Mutation(seed: 20_261_130)
    let all = entries.map(\.bytes)
    for _ in 0..<target.mutants {
      let mutant = mutation.mutant(of: all)
      if let wrong = target.check(mutant) {
        Issue.record("\(wrong): \(String(decoding: mutant, as: UTF8.self).debugDescription)")
        return
      }
    }
  }

  /// The corpora stay small: they are part of the sources.
  @Test func corporaHaveABound() {
    let all = FuzzTarget.all.flatMap { Self.entries(of: $0.name) }
    #expect(all.count < 300)
    #expect(all.reduce(0) { $0 + $1.bytes.count } < 1 << 20)
  }
}
