import JobSpec
import Testing

/// No bytes may end the program, and every refusal has a place in the file.
@Suite struct RobustnessTests {
  private static let job = """
    # A mirror.
    version: 1
    name: nightly
    vars: { host: "https://deb.example.org", v: [1.10, 0o17] }
    x-base: &base
      session: web
      headers: { Accept: "*/*", X-Title: 'it''s "é𝄞"' }
    sessions:
      web: { type: default, cache: { policy: use_protocol_cache_policy } }
    tasks:
      - <<: *base
        id: release
        download: ${vars.host}/dists/stable/Release
        to: dists/stable/Release
      - id: iso
        after: [release]
        download: "${vars.host}/cd/disc-${matrix.n}.iso"
        matrix: { n: [1, 2, 3] }
        to: cd/
        body: |-
          text
           more
    max_parallel: !!int 4
    """

  /// All three ways to read; whatever is told must stand in the file and be printable.
  private func readAll(_ bytes: [UInt8]) {
    let yaml = JobYAML(bytes: bytes)
    let source = SourceText(bytes)
    for result in [
      yaml.read(), yaml.read(skipping: "tasks"), yaml.read(streaming: "tasks") { _ in },
    ] {
      if result.root == nil, result.diagnostics.isEmpty { Issue.record("nothing told: \(bytes)") }
      for diagnostic in result.diagnostics {
        let range = diagnostic.range
        let isInside = range.start.line >= 1 && range.start.line <= source.lineCount
        if !isInside || range.start > range.end { Issue.record("\(range): \(bytes)") }
      }
      let file = DiagnosedFile(path: "job.yaml", source: source, diagnostics: result.diagnostics)
      if DiagnosticFormat.text.render([file], version: "1").contains("\u{1B}") {
        Issue.record("an escape sequence came through: \(bytes)")
      }
    }
  }

  @Test func theJobItselfIsFine() {
    #expect(read(Self.job).diagnostics.isEmpty)
  }

  @Test func cutAtEveryByte() {
    let bytes = Array(Self.job.utf8)
    for end in 0...bytes.count { readAll(Array(bytes[..<end])) }
  }

  /// The planner too sees only part of what was meant, and says what is wrong in the file's lines.
  @Test func plannedFromEachCut() {
    let bytes = Array(Self.job.utf8)
    for end in 0..<bytes.count {
      let cut = Array(bytes[..<end])
      var environment = PlanEnvironment(
        jobFile: "/jobs/job.yaml", runID: "r1", runStart: 0, version: "1.0")
      environment.mode = .validate
      let job = JobReader.plan(bytes: cut, in: environment)
      let lines = 1...Int32(SourceText(cut).lineCount)
      if job.plan == nil, job.diagnostics.isEmpty { Issue.record("nothing told at byte \(end)") }
      for diagnostic in job.diagnostics where !lines.contains(diagnostic.range.start.line) {
        Issue.record("\(diagnostic.message) at byte \(end): line \(diagnostic.range.start.line)")
      }
    }
  }

  @Test func everyByteReplaced() {
    let bytes = Array(Self.job.utf8)
    let damage = Array("\t\"'[]{}:-&*!|>%@`#,\n\0".utf8) + [0xFF]
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] = damage[index % damage.count]
      readAll(damaged)
    }
  }

  @Test func randomBytes() {
    var random = SplitMix(state: 20_250_101)
    let alphabet = Array("ab:- \n\n  []{},&*!'\"|>%@#?$\t<.0é".utf8) + [0, 0xFF, 0xC3]
    for round in 0..<200 {
      let isYAMLish = round % 4 != 0
      readAll(
        (0..<Int.random(in: 0..<120, using: &random)).map { _ in
          isYAMLish
            ? alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            : UInt8.random(in: 0...255, using: &random)
        })
    }
  }

  /// Deterministic, so that a failure is found again.
  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
