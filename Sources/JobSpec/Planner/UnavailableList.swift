import TransferCore

/// What a plan needs that this version doesn't do, each place once.
final class UnavailableList {
  private let findings: Findings
  private(set) var features: [UnavailableFeature] = []
  private var seen: Set<SourceRange> = []

  init(findings: Findings) { self.findings = findings }

  /// Says it where it stands.
  func tell(_ feature: LaterFeatures.Found) {
    findings.note(
      .notInThisVersion, "not in this version: \(feature.what)", at: feature.place,
      hint: "`plan` and `run` refuse a job that needs it")
  }

  /// Says it, and that the plan needs it.
  func need(_ feature: LaterFeatures.Found) {
    guard seen.insert(feature.place.range).inserted else { return }
    tell(feature)
    let start = feature.place.range.start
    features.append(
      UnavailableFeature(
        path: feature.place.path.text() ?? feature.keyPath, what: feature.what,
        line: Int(start.line), column: Int(start.column)))
  }

  func need(_ what: String, at place: Place) {
    need(LaterFeatures.Found(keyPath: "", place: place, what: what))
  }
}
