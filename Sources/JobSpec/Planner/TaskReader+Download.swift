import TransferCore

extension TaskReader {
  func download(_ draft: TaskDraft) -> DownloadPlan? {
    guard let url = downloadAddress(draft), let target = target(draft, url) else { return nil }
    var plan = DownloadPlan(path: target.path)
    plan.beneathRoot = target.isBeneathRoot
    let object = draft.object
    plan.maxBytes = object.bytes("max_bytes")
    plan.overwrites = object.bool("overwrite") ?? true
    plan.mode = object.string("mode").flatMap(ModeText.value)
    plan.allowsUnframed = object.bool("allow_unframed") ?? false
    plan.keepsModificationTime = object.bool("keep_mtime") ?? true
    if let entry = object["segments"] { plan.segments = segments(entry, draft) }
    if let entry = object["checksum"] { plan.checksums = checksums(entry, draft) }
    return plan
  }

  private func segments(_ entry: ObjectValue.Entry, _ draft: TaskDraft) -> SegmentCount {
    guard case .int(let count) = entry.value else {
      return entry.value.string == "auto" ? .auto : .fixed(1)
    }
    if count > 1 {
      links.segments.append(
        TaskLinks.Segments(task: nextIndex, count: Int(count), place: draft.place(entry)))
    }
    return .fixed(Int(count))
  }

  func downloadRequest(_ draft: TaskDraft) -> RequestPlan? {
    guard let entry = draft.object["download"] else { return nil }
    let addresses = addresses(entry).compactMap(\.value.planText)
    guard let url = addresses.first else { return nil }
    var request = RequestPlan(method: "GET", url: url, headers: headers(draft))
    request.mirrors = Array(addresses.dropFirst())
    return request
  }

  private func addresses(_ entry: ObjectValue.Entry) -> [FieldValue.Element] {
    if case .list(let elements) = entry.value { return elements }
    return [FieldValue.Element(value: entry.value, range: entry.range)]
  }

  private func downloadAddress(_ draft: TaskDraft) -> ReadAddress? {
    guard let entry = draft.object["download"] else { return nil }
    guard case .list(let elements) = entry.value else {
      return address(entry.value, of: draft, at: draft.place(entry))
    }
    let read = elements.enumerated().map { index, element in
      address(
        element.value, of: draft, at: draft.place(entry, element.range, [.index(index)]))
    }
    return read.contains { $0 == nil } ? nil : read.first ?? nil
  }

  /// Where the file goes.
  private func target(_ draft: TaskDraft, _ url: ReadAddress) -> JobPaths.Target? {
    guard let entry = draft.object["to"] else {
      tellMissingTo(draft, "a file, or a folder with a trailing `/`")
      return nil
    }
    let place = draft.place(entry)
    guard let text = entry.value.planText?.shown else { return nil }
    var isKnown = url.address != nil || !text.hasSuffix("/")
    if case .pieces(let pieces) = entry.value {
      guard isStorable(pieces, at: place) else { return nil }
      isKnown = false
    }
    if case .opaque = entry.value { isKnown = false }
    if isAddress(text) {
      findings.error(
        .badValue, "`to` must be a path for a download, not an address", at: place,
        hint: "an `upload` goes to an address")
      return nil
    }
    guard let full = named(text, url, entry, draft) else { return nil }
    do throws(JobPaths.Problem) {
      let target = try paths(of: draft).target(full)
      if isKnown { link(write: target.path, at: place) }
      return target
    } catch {
      tell(error, full, at: place)
      return nil
    }
  }

  /// Those of the job, but that a background session's downloads start from its own folder.
  private func paths(of draft: TaskDraft) -> JobPaths {
    guard let container = sessions.sessions[draft.session].plan.sharedContainer else {
      return paths
    }
    var own = paths
    own.root = container
    return own
  }

  private func link(write path: String, at place: Place) {
    links.writes.append(TaskLinks.Write(task: nextIndex, path: path, place: place))
  }

  func tellMissingTo(_ draft: TaskDraft, _ what: String) {
    let start = SourceRange(start: draft.range.start, end: draft.range.start)
    findings.error(
      .missingKey, "`to` is missing", at: Place(range: start, path: draft.path),
      hint: "it must be \(what)")
  }

  private func isAddress(_ text: String) -> Bool {
    text.hasPrefix("http://") || text.hasPrefix("https://")
  }

  /// The target with a name, where it is only a folder.
  private func named(
    _ text: String, _ url: ReadAddress, _ entry: ObjectValue.Entry, _ draft: TaskDraft
  ) -> String? {
    guard Self.isFolder(text) else { return text }
    let folder = text.hasSuffix("/") ? text : text + "/"
    guard let address = url.address else { return folder + "unknown" }
    if address.lastSegment.contains(Self.unknownMark) {
      if url.text.secretNames.isEmpty { return folder + "unknown" }
      findings.error(
        .secretNotAllowed, "the file's name would hold a secret of the address",
        at: draft.place(entry), hint: "write the name after the folder, like `\(folder)NAME`")
      return nil
    }
    if let name = SafeFileName.name(ofSegment: address.lastSegment) { return folder + name }
    findings.error(
      .noFileName, "the address gives no name for a file in `\(shortened(text))`",
      at: draft.place(entry), hint: "write the name after the folder, like `\(folder)NAME`")
    return nil
  }

  /// Whether a path can only name a folder.
  private static func isFolder(_ text: String) -> Bool {
    let isMarked = text.utf8.last == UInt8(ascii: "/") || text.utf8.last == UInt8(ascii: ".")
    guard isMarked else { return text == "~" }
    return text.hasSuffix("/") || text == "." || text == ".." || text.hasSuffix("/.")
      || text.hasSuffix("/..")
  }

  /// Whether a text may be shown and stored.
  func isStorable(_ text: PlanText, at place: Place) -> Bool {
    guard let secret = text.secretNames.first else { return true }
    findings.error(
      .secretNotAllowed,
      "the secret `\(secret)` can't stand in a path: paths are shown and stored", at: place,
      hint: "use `${vars.NAME}` or `${env.NAME}` for what may be seen")
    return false
  }

  // MARK: Checksums

  private func checksums(_ entry: ObjectValue.Entry, _ draft: TaskDraft) -> [ChecksumPlan] {
    guard case .list(let elements) = entry.value else {
      return checksum(entry.value, draft, at: draft.place(entry)).map { [$0] } ?? []
    }
    return elements.enumerated().compactMap { index, element in
      checksum(element.value, draft, at: draft.place(entry, element.range, [.index(index)]))
    }
  }

  private func checksum(
    _ value: FieldValue, _ draft: TaskDraft, at place: Place
  ) -> ChecksumPlan? {
    switch value {
    case .text(let text):
      return ChecksumText.value(of: text).map { .inline($0.algorithm, value: $0.digits) }
    case .object(let object):
      guard let file = object["file"] else { return nil }
      let filePlace = Place(range: file.range, path: place.path.appending(.key("file")))
      if let text = file.value.planText?.shown, text.contains("://") {
        return list(file.value, draft, at: filePlace)
          .map { .list($0, algorithm: object.choice("algorithm")) }
      }
      if case .pieces(let pieces) = file.value, !isStorable(pieces, at: filePlace) { return nil }
      guard let path = source(file.value, at: filePlace) else { return nil }
      links.checksumFiles.append(TaskLinks.ChecksumFile(task: nextIndex, path: path))
      return .file(path, algorithm: object.choice("algorithm"))
    default: return nil
    }
  }

  /// The index of a list from an address.
  private func list(_ value: FieldValue, _ draft: TaskDraft, at place: Place) -> Int32? {
    guard let address = address(value, of: draft, at: place) else { return nil }
    return lists.intern(
      address.text, session: draft.session, headers: sessions.sessions[draft.session].headers)
  }

  // MARK: Data

  func data(_ draft: TaskDraft) -> DataPlan {
    var plan = DataPlan()
    plan.maxBytes = draft.object.bytes("max_bytes") ?? plan.maxBytes
    if let entry = draft.object["capture"], case .map(let pairs) = entry.value {
      links.captured[nextIndex] = pairs.map(\.key)
      for pair in pairs { checkCapture(pair, at: draft.place(entry, pair.range, [.key(pair.key)])) }
    }
    guard let entry = draft.object["save"], let text = entry.value.planText?.shown else {
      return plan
    }
    let place = draft.place(entry)
    guard !text.hasSuffix("/") else {
      findings.error(
        .noFileName, "`save` must name a file, not the folder `\(shortened(text))`", at: place,
        hint: "write the name after the folder, like `\(text)NAME`")
      return plan
    }
    do throws(JobPaths.Problem) {
      plan.savePath = try paths.target(text).path
      if let path = plan.savePath, case .text = entry.value { link(write: path, at: place) }
    } catch { tell(error, text, at: place) }
    return plan
  }

  private func checkCapture(_ pair: FieldValue.Pair, at place: Place) {
    guard case .object(let rule) = pair.value, rule.entries.count != 1 else { return }
    findings.error(
      .conflict, "a capture takes one of `json`, `header` and `regex`", at: place,
      hint: "like `{ json: /tag_name }`")
  }
}
