import TransferCore

extension TaskReader {
  /// An address of a task and what can be said of it before the run.
  struct ReadAddress {
    var text: PlanText
    /// nil when parts of it aren't known.
    var address: Address?
  }

  /// Stands for what isn't known in an address.
  static let unknownMark: Character = "\u{E000}"
  private static let schemesNow: Set<String> = ["http", "https", "file"]
  static let schemesLater: Set<String> = ["ftp", "ftps", "sftp"]

  /// Checks an address; nil when it is wrong, which has been told.
  func address(_ value: FieldValue, of draft: TaskDraft, at place: Place) -> ReadAddress? {
    switch value {
    case .text(let text):
      guard let address = parsed(text, at: place, isWhole: true) else { return nil }
      return checked(address, PlanText(text), draft, place)
    case .pieces(let text):
      guard let address = parsed(marked(text), at: place, isWhole: false) else {
        return isLeftOpen(text) ? ReadAddress(text: text, address: nil) : nil
      }
      return checked(address, text, draft, place)
    case .opaque(let text): return ReadAddress(text: PlanText(text), address: nil)
    default: return nil
    }
  }

  private func checked(
    _ address: Address, _ text: PlanText, _ draft: TaskDraft, _ place: Place
  ) -> ReadAddress? {
    guard isAllowed(address.scheme, draft, at: place) else { return nil }
    warnNoStatus(address, draft)
    return ReadAddress(text: text, address: address)
  }

  private func marked(_ text: PlanText) -> String {
    text.pieces.map { piece in
      if case .literal(let literal) = piece { literal } else { String(Self.unknownMark) }
    }.joined()
  }

  /// Whether its scheme or host isn't known before the run.
  private func isLeftOpen(_ text: PlanText) -> Bool {
    guard case .literal(let start)? = text.pieces.first else { return true }
    return !start.contains("://")
  }

  private func parsed(_ text: String, at place: Place, isWhole: Bool) -> Address? {
    do throws(Address.Problem) {
      let address = try Address(text, like: lastAddress)
      lastAddress = address
      return address
    } catch {
      if !isWhole, !text.prefix(while: { $0 != Self.unknownMark }).contains("://") { return nil }
      let shown = text.replacing(String(Self.unknownMark), with: "***")
      let quoted = error.id == .userInAddress ? "the address" : "`\(shortened(shown))`"
      findings.error(error.id, "\(quoted) \(error.message)", at: place, hint: error.hint)
      return nil
    }
  }

  private func isAllowed(_ scheme: String, _ draft: TaskDraft, at place: Place) -> Bool {
    if sessions.sessions[draft.session].handlers.contains(scheme) { return true }
    let session = sessions.sessions[draft.session]
    let allowed = session.plan.protocols
    guard allowed.contains(scheme) else {
      let isKnown = Self.schemesNow.contains(scheme) || Self.schemesLater.contains(scheme)
      let near = nearest(to: scheme, in: allowed)
      let list = allowed.joined(separator: ", ")
      findings.error(
        .schemeNotAllowed,
        "the session `\(session.plan.name)` doesn't allow `\(scheme)` (it allows \(list))",
        at: place,
        hint: isKnown ? "add it to the session's `protocols`" : near.map { "did you mean `\($0)`?" }
      )
      return false
    }
    if Self.schemesLater.contains(scheme) {
      unavailable.need("\(scheme) addresses", at: place)
    }
    return true
  }

  private func warnNoStatus(_ address: Address, _ draft: TaskDraft) {
    guard !["http", "https"].contains(address.scheme), let entry = draft.object["expect"],
      case .object(let expect) = entry.value, let status = expect["status"]
    else { return }
    findings.warning(
      .noStatus, "a `\(address.scheme)` address has no status, so this is always met",
      at: draft.place(entry, status.range, [.key("status")]))
  }

  /// A path that the task reads; nil when it is wrong, which has been told.
  func source(_ value: FieldValue, at place: Place) -> String? {
    guard let text = value.planText?.shown else { return nil }
    if case .pieces = value { return text }
    do throws(JobPaths.Problem) {
      return try paths.source(text)
    } catch {
      tell(error, text, at: place)
      return nil
    }
  }

  func tell(_ problem: JobPaths.Problem, _ text: String, at place: Place) {
    switch problem {
    case .noHome:
      findings.error(
        .noHome, "`~` is the home folder, and HOME is not set", at: place,
        hint: "write an absolute path")
    case .leavesRoot:
      findings.error(
        .leavesRoot, "`\(shortened(text))` leaves the job's root, \(paths.root)", at: place,
        hint: "set `root` to a folder further up, or write an absolute path")
    }
  }
}
