import Glibc
import JobSpec
import Testing
import TransferCore

/// Each `Bad/NAME.yaml` holds a mistake, and `Bad/NAME.txt` what `validate` says of it: read it as
/// one who is tired. `UPDATE_GOLDEN=1` rewrites them, and a rewriting run fails.
@Suite struct BadJobTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/") + "/Bad"

  static let names: [String] = {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".yaml") { names.append(String(name.dropLast(5))) }
    }
    return names.sorted()
  }()

  @Test func thereAreEnough() { #expect(Self.names.count >= 150) }

  @Test(arguments: names) func whatIsSaid(of name: String) throws {
    let bytes = try #require(Self.read("\(Self.folder)/\(name).yaml"))
    var job: PlannedJob?
    let time = ContinuousClock().measure {
      job = JobReader.plan(bytes: bytes, in: Self.environment(name))
    }
    #expect(time < .seconds(1))
    let diagnostics = try #require(job).diagnostics
    let source = SourceText(bytes)
    #expect(diagnostics.contains { $0.severity != .note })
    for diagnostic in diagnostics {
      #expect((1...source.lineCount).contains(Int(diagnostic.range.start.line)))
      #expect(diagnostic.range.start.column >= 1)
    }
    let file = DiagnosedFile(path: "\(name).yaml", source: source, diagnostics: diagnostics)
    Self.compare(DiagnosticFormat.text.render([file], version: "1"), with: name)
  }

  private static func environment(_ name: String) -> PlanEnvironment {
    var environment = PlanEnvironment(
      jobFile: "/jobs/\(name).yaml", runID: "r1", runStart: 0, version: "1.0")
    environment.mode = .validate
    environment.homeFolder = "/home/user"
    environment.readItems = { _, _ in .failure(.init(message: "there is no such file")) }
    environment.civilTime = { _, zone in
      guard zone == nil || zone == "UTC" else { return nil }
      return CivilTime(
        year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, weekday: 4, dayOfYear: 1,
        offsetSeconds: 0, zoneName: "UTC")
    }
    return environment
  }

  private static func compare(_ text: String, with name: String) {
    let path = "\(folder)/\(name).txt"
    if read(path).map({ String(decoding: $0, as: UTF8.self) }) == text { return }
    guard getenv("UPDATE_GOLDEN") != nil else {
      Issue.record("\(name).txt differs from:\n\(text)")
      return
    }
    Issue.record("\(name).txt was rewritten")
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}
