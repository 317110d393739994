import TransferCore

extension SessionReader {
  /// The session's `cookies`, with its kind's defaults.
  func cookies(
    _ object: ObjectValue, of session: SessionPlan, at place: Place?
  ) -> CookiePlan {
    var plan = CookiePlan()
    if session.kind == .ephemeral { plan.storage = .memory }
    guard let cookies = object.object("cookies") else { return plan }
    plan.acceptPolicy = cookies.choice("accept_policy") ?? plan.acceptPolicy
    plan.sendsStored = cookies.bool("should_set") ?? plan.sendsStored
    plan.keepsSessionCookies = cookies.bool("keep_session") ?? plan.keepsSessionCookies
    guard let entry = cookies["storage"], let text = entry.value.string else { return plan }
    plan.storage = storage(text) ?? plan.storage
    if session.kind == .ephemeral, plan.storage != .memory, plan.storage != .none {
      let path = (entry.home ?? place?.path ?? DocumentPath()).appending(.key("cookies"))
      findings.error(
        .ephemeralStorage, "`\(session.name)` is ephemeral: it keeps no cookies on disk",
        at: Place(range: entry.range, path: path.appending(.key("storage"))),
        hint: "use `memory` or `none`, or another `type`")
    }
    return plan
  }

  private func storage(_ text: String) -> CookiePlan.Storage? {
    switch text {
    case "shared": .shared
    case "private": .private
    case "memory": .memory
    case "none": CookiePlan.Storage.none
    default: resolvePath(text).map { .file($0) }
    }
  }
}
