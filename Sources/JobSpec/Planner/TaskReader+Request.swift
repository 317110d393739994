import TransferCore

extension TaskReader {
  /// The session's headers under the task's.
  func headers(_ draft: TaskDraft) -> [HeaderField] {
    let lower = sessions.sessions[draft.session].headers
    guard let entry = draft.object["headers"] else { return lower }
    let path = (entry.home ?? draft.path).appending(.key("headers"))
    let own = HeaderRules(findings: findings).headers(of: entry, at: path)
    return HeaderRules.merged(lower, under: own)
  }

  func dataRequest(_ draft: TaskDraft) -> RequestPlan? {
    guard let entry = draft.object["data"],
      let url = address(entry.value, of: draft, at: draft.place(entry))
    else { return nil }
    let body = ownBody(draft)
    var request = RequestPlan(
      method: draft.object.string("method") ?? "GET", url: url.text, headers: headers(draft),
      body: body, decodes: draft.object.bool("decode") ?? true)
    addConditions(draft, to: &request)
    warnBodyWithGet(draft, request)
    return request
  }

  private func warnBodyWithGet(_ draft: TaskDraft, _ request: RequestPlan) {
    guard request.body != nil, !draft.object.has("method"),
      let entry = draft.object["body"] ?? draft.object["json"]
    else { return }
    findings.warning(
      .bodyWithGet, "this sends a body with GET, which servers ignore or refuse",
      at: draft.keyPlace(entry), hint: "write `method: POST`")
  }

  func uploadRequest(_ draft: TaskDraft) -> RequestPlan? {
    guard let url = uploadAddress(draft), let entry = draft.object["upload"] else { return nil }
    for key in ["body", "json"] {
      guard let other = draft.object[key] else { continue }
      findings.error(
        .conflict, "`upload` names what is sent, and `\(key)` does too", at: draft.keyPlace(other),
        hint: "leave out `\(key)`, or make it a `data` task with `method: PUT`")
    }
    guard let body = uploadBody(entry, draft) else { return nil }
    var usual = "PUT"
    if case .form = body { usual = "POST" }
    var request = RequestPlan(
      method: draft.object.string("method") ?? usual, url: url.text, headers: headers(draft),
      body: body)
    addConditions(draft, to: &request)
    return request
  }

  private func uploadAddress(_ draft: TaskDraft) -> ReadAddress? {
    guard let entry = draft.object["to"] else {
      tellMissingTo(draft, "the address to upload to")
      return nil
    }
    let place = draft.place(entry)
    if let text = entry.value.string, !text.contains(":") {
      findings.error(
        .badAddress, "an upload goes to an address, and `\(shortened(text))` is none", at: place,
        hint: "like `https://host/\(text.drop { $0 == "/" || $0 == "." })`")
      return nil
    }
    return address(entry.value, of: draft, at: place)
  }

  private func uploadBody(_ entry: ObjectValue.Entry, _ draft: TaskDraft) -> BodyPlan? {
    guard case .object(let object) = entry.value else {
      return source(entry.value, at: draft.place(entry)).map { .file($0, contentType: nil) }
    }
    switch (object["form"], object["body"]) {
    case (let form?, nil):
      guard case .list(let parts) = form.value else { return nil }
      return .form(
        parts.enumerated().compactMap { index, part in
          let place = draft.place(entry, part.range, [.key("form"), .index(index)])
          return formPart(part, at: place)
        })
    case (nil, let body?): return body.value.planText.map(textBody)
    default:
      findings.error(
        .conflict, "`upload` takes a path, or one of `form` and `body`", at: draft.place(entry),
        hint: "like `upload: report.csv`, or `upload: { body: TEXT }`")
      return nil
    }
  }

  private func formPart(_ element: FieldValue.Element, at place: Place) -> FormPart? {
    guard case .object(let part) = element.value, let name = part.string("name") else { return nil }
    let type = part.string("content_type")
    switch (part["value"], part["file"]) {
    case (let value?, nil):
      if let filename = part["filename"] {
        let path = place.path.appending(.key("filename"))
        findings.error(
          .conflict, "`filename` goes with `file`, and this part has a `value`",
          at: Place(range: filename.keyRange, path: path))
      }
      return value.value.planText.map {
        FormPart(name: name, content: .value($0), contentType: type)
      }
    case (nil, let file?):
      let filePlace = Place(range: file.range, path: place.path.appending(.key("file")))
      return source(file.value, at: filePlace).map { path in
        FormPart(
          name: name, content: .file(path, filename: part.string("filename")), contentType: type)
      }
    default:
      findings.error(
        .conflict, "a part of a form has a `value` or a `file`, one of them", at: place,
        hint: "make it two parts, or leave one out")
      return nil
    }
  }

  private func textBody(_ text: PlanText) -> BodyPlan {
    .text(text, contentType: "text/plain; charset=utf-8")
  }

  /// A data task's body.
  private func ownBody(_ draft: TaskDraft) -> BodyPlan? {
    if let body = draft.object["body"], draft.object.has("json") {
      findings.error(
        .conflict, "`body` and `json` both name the body", at: draft.keyPlace(body),
        hint: "leave one of them out")
      return nil
    }
    if let entry = draft.object["json"], case .pieces(let text) = entry.value {
      return .text(text, contentType: "application/json")
    }
    guard let entry = draft.object["body"] else { return nil }
    if case .object(let object) = entry.value {
      guard let file = object["file"] else { return nil }
      let place = draft.place(entry, file.range, [.key("file")])
      return source(file.value, at: place).map {
        .file($0, contentType: "application/octet-stream")
      }
    }
    return entry.value.planText.map(textBody)
  }

  private func addConditions(_ draft: TaskDraft, to request: inout RequestPlan) {
    for (key, name) in [("if_match", "If-Match"), ("if_none_match", "If-None-Match")] {
      guard let entry = draft.object[key], let tag = entry.value.planText else { continue }
      if request.headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
        findings.error(
          .conflict, "`\(key)` and the header `\(name)` say the same", at: draft.keyPlace(entry),
          hint: "leave one of them out")
      }
      request.headers.append(HeaderField(name: name, value: tag, scope: .origin))
    }
  }
}
