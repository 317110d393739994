import JobSpec
import Testing
import TransferCore

/// `checksum: { file: ADDRESS }`.
@Suite struct ChecksumListTests {
  @Test func aListFromAnAddressIsOneForItsSession() throws {
    let plan = try JobCase.job(
      """
      sessions:
        s: { headers: { X-Key: k, Range: bytes=0-1, If-None-Match: '"x"' } }
      tasks:
      - { id: a, download: 'https://h/a', to: a, headers: { X-Own: o },
          checksum: { file: 'https://h/SUMS' } }
      - { id: b, download: 'https://h/b', to: b,
          checksum: [{ file: 'https://h/SUMS', algorithm: md5 }] }
      - { id: c, session: s, download: 'https://h/c', to: c, checksum: { file: 'https://h/SUMS' } }
      - { id: d, download: 'https://h/d', to: d, checksum: { file: SUMS } }
      """
    ).plan()
    let checksums = plan.tasks.map { task -> [ChecksumPlan] in
      if case .download(let download) = task.work { download.checksums } else { [] }
    }
    #expect(
      checksums == [
        [.list(0, algorithm: nil)], [.list(0, algorithm: .md5)], [.list(1, algorithm: nil)],
        [.file("/jobs/SUMS", algorithm: nil)],
      ])
    #expect(plan.lists.map(\.url.shown) == ["https://h/SUMS", "https://h/SUMS"])
    #expect(plan.lists.map { plan.sessions[$0.session].name } == ["default", "s"])
    // Not the task's own, and nothing that makes a part of the list or leaves it out.
    #expect(plan.lists[0].headers.map(\.name) == plan.tasks[1].request.headers.map(\.name))
    #expect(plan.lists[1].headers.map(\.name).contains("X-Key"))
    #expect(!plan.lists[1].headers.map(\.name).contains("Range"))
    #expect(plan.lists[1].headers.allSatisfy { $0.name != "If-None-Match" })
    #expect(plan.unavailable.isEmpty)
  }

  @Test func itsAddressMayHoldSecrets() throws {
    let plan = try JobCase.job(
      """
      secrets: { token: { env: TOKEN } }
      tasks:
      - { id: a, download: 'https://h/a', to: a,
          checksum: { file: 'https://h/SUMS?t=${secrets.token}' } }
      """
    ).plan()
    #expect(plan.lists.map(\.url.shown) == ["https://h/SUMS?t=***"])
    #expect(plan.lists.map(\.url.secretNames) == [["token"]])
  }

  @Test func aPathMayNot() {
    JobCase.job(
      """
      secrets: { token: { env: TOKEN } }
      tasks:
      - { id: a, download: 'https://h/a', to: a,
          checksum: { file: ⟪'${secrets.token}/SUMS'⟫ } }
      """
    ).finds(.secretNotAllowed, path: "tasks[0].checksum.file")
  }

  @Test(arguments: [
    ("gopher://h/SUMS", DiagnosticID.schemeNotAllowed), ("https://u:p@h/SUMS", .userInAddress),
    ("https://h:x/SUMS", .badAddress),
  ])
  func itsAddressIsChecked(text: String, id: DiagnosticID) {
    JobCase.download("checksum: { file: ⟪'\(text)'⟫ }").finds(id, path: "tasks[0].checksum.file")
  }
}
