import Glibc
import Testing
import TransferCore
import TransferIO

@Suite struct TargetAliasesTests {
  private let temporary = TemporaryFolder()

  private func collision(_ paths: String...) -> TargetAliases.Collision? {
    let tasks = paths.map { path in
      TaskPlan(
        id: path, session: 0, policy: 0, work: .download(DownloadPlan(path: temporary / path)),
        request: RequestPlan(method: "GET", url: PlanText("http://a/")))
    }
    return TargetAliases.collision(
      in: Plan(
        job: JobIdentity(name: "j", file: "/j", folder: "/", root: "/"), settings: RunSettings(),
        sessions: [], policies: [], tasks: tasks))
  }

  @Test func oneFileByALinkIsFound() {
    mkdir(temporary / "real", 0o700)
    symlink("real", temporary / "link")
    #expect(collision("real/a", "link/a") == .init(first: 0, second: 1))
    // Folders that are still to be made, below a link.
    #expect(collision("x", "link/new/a", "real/new/a") == .init(first: 1, second: 2))
  }

  @Test func filesOfTheirOwnAreNone() {
    mkdir(temporary / "real", 0o700)
    mkdir(temporary / "other", 0o700)
    symlink("real", temporary / "link")
    #expect(collision("real/a", "link/b", "other/a") == nil)
    // A link at the target itself is replaced, not followed.
    symlink("real/a", temporary / "a")
    #expect(collision("real/a", "a") == nil)
  }
}
