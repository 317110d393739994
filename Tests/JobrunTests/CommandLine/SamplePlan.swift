import TransferCore
import TransferIO

@testable import jobrun

/// A plan to show: two sessions, a few tasks of each kind.
enum SamplePlan {
  static func make(copies: Int = 2) -> Plan {
    var quiet = SessionPlan(name: "quiet")
    quiet.proxy = .none
    var tasks = [
      download("release", "https://u:pw@deb.example.org/dists/Release", "/srv/mirror/dists/Release")
    ]
    for index in 0..<copies {
      tasks.append(
        download(
          "iso[\(index + 1)]", "https://deb.example.org/cd/disc-\(index + 1).iso",
          "/srv/mirror/cd/disc-\(index + 1).iso", after: [0], priority: 0.8))
    }
    tasks.append(
      TaskPlan(
        id: "publish", session: 1, policy: 0, work: .upload,
        request: RequestPlan(
          method: "PUT",
          url: PlanText(pieces: [
            .literal("https://drop.example.org/"),
            .secret(name: "key", encoding: nil), .literal("/r.csv"),
          ]))))
    return Plan(
      job: JobIdentity(
        name: "nightly", file: "/srv/nightly.yaml", folder: "/srv", root: "/srv/mirror"),
      settings: RunSettings(), sessions: [SessionPlan(name: "web"), quiet],
      policies: [TransferPolicy()], tasks: tasks)
  }

  private static func download(
    _ id: String, _ url: String, _ path: String, after: [Int32] = [], priority: Float = 0.5
  ) -> TaskPlan {
    var download = DownloadPlan(path: path)
    if !after.isEmpty {
      download.checksums = [
        .inline(.sha256, value: "00ff"), .file("/srv/mirror/SHA256SUMS", algorithm: nil),
      ]
    }
    var task = TaskPlan(
      id: id, session: 0, policy: 0, work: .download(download),
      request: RequestPlan(method: "GET", url: PlanText(url)))
    task.after = after
    task.priority = priority
    return task
  }

  /// What a run would do with each task of `make(copies:)`.
  static func planned(copies: Int = 2) -> [PlannedTask] {
    let discs = (0..<copies).map {
      PlannedTask(task: Int32($0 + 1), action: .fetch, reason: "no file is here yet")
    }
    return [
      PlannedTask(task: 0, action: .revalidate, reason: "it may have changed")
    ] + discs + [PlannedTask(task: Int32(copies + 1), action: .upload, reason: "not sent yet")]
  }

  static func report(copies: Int = 2, _ environment: [String: String] = [:]) -> PlanReport {
    let plan = make(copies: copies)
    return PlanReport(
      plan: plan, tasks: planned(copies: copies), variable: { environment[$0] },
      cookies: CookieOutlook(plan.sessions, nil, at: WallTime(microseconds: 0)))
  }
}
