import Glibc
import TransferCore

/// Makes a task's request from its plan: secrets filled in, header lines as libcurl takes them,
/// the body's file looked at.
final class RequestResolver {
  /// The value of a secret, or why it can't be had.
  private let secret: (String) throws(TransferFailure) -> String
  /// The fields resolved last, and what came of them: most tasks of a session have equal ones.
  private var last = (fields: [HeaderField](), headers: ResolvedHeaders([]))

  init(secret: @escaping (String) throws(TransferFailure) -> String) { self.secret = secret }

  /// - Parameter first: which of the task's addresses is asked first.
  func resolve(
    _ task: TaskPlan, declared: [LocalFacts.DeclaredDigest], first: Int = 0
  ) throws(TransferFailure) -> ResolvedRequest {
    let planned = task.request
    var addresses = [try address(planned.url)]
    for mirror in planned.mirrors { addresses.append(try address(mirror)) }
    let (body, contentType) = try resolveBody(planned.body)
    let headers = try headers(planned.headers, contentType)
    return ResolvedRequest(
      addresses: addresses, first: first, headers: headers, body: body, declared: declared)
  }

  /// The request for a checksum list.
  func resolve(_ list: ListPlan) throws(TransferFailure) -> ResolvedRequest {
    ResolvedRequest(
      addresses: [try address(list.url)], headers: try headers(list.headers, nil), body: .none,
      declared: [])
  }

  private func address(_ text: PlanText) throws(TransferFailure) -> ResolvedRequest.Address {
    let url = try fill(text)
    // The planner has checked the others.
    if text.literal == nil, Origin(url: url) == nil {
      throw TransferFailure(.unsupportedScheme, "\(text.shown) is not an absolute address")
    }
    return .init(url: url, shownURL: text.shown)
  }

  /// Header lines as libcurl takes them.
  func lines(_ fields: [HeaderField]) throws(TransferFailure) -> [String] {
    try headers(fields, nil).fields.map(\.line)
  }

  private func headers(
    _ fields: [HeaderField], _ contentType: String?
  ) throws(TransferFailure) -> ResolvedHeaders {
    if last.fields != fields {
      var resolved: [ResolvedHeaders.Field] = []
      for field in fields { resolved.append(try header(field)) }
      last = (fields, ResolvedHeaders(resolved))
    }
    let headers = last.headers
    guard let contentType, !headers.fields.contains(where: { $0.name == "content-type" }) else {
      return headers
    }
    let line = "Content-Type:\(contentType)"
    return ResolvedHeaders(
      headers.fields + [.init(name: "content-type", line: line, scope: .any)])
  }

  private func header(_ field: HeaderField) throws(TransferFailure) -> ResolvedHeaders.Field {
    let name = field.name.lowercased()
    guard let text = field.value else {
      return .init(name: name, line: "\(field.name):", scope: field.scope)
    }
    let value = try fill(text)
    if value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) {
      throw TransferFailure(
        .secret, "the value of the header \(field.name) has a line end or NUL in it")
    }
    let line = value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"
    return .init(name: name, line: line, scope: field.scope)
  }

  /// The body, and what follows `Content-Type:` unless a header says otherwise: nil leaves it to
  /// libcurl, empty sends none.
  private func resolveBody(
    _ body: BodyPlan?
  ) throws(TransferFailure) -> (RequestBody, contentType: String?) {
    switch body {
    case nil: return (.none, nil)
    case .text(let text, let contentType):
      return (.bytes(Array(try fill(text).utf8)), " \(contentType)")
    case .file(let path, let contentType):
      return (.file(path: path, size: try size(of: path)), contentType.map { " \($0)" } ?? "")
    case .form(let parts):
      var resolved: [ResolvedFormPart] = []
      for part in parts { resolved.append(try formPart(part)) }
      return (.form(resolved), nil)
    }
  }

  private func formPart(_ part: FormPart) throws(TransferFailure) -> ResolvedFormPart {
    switch part.content {
    case .value(let text):
      return ResolvedFormPart(
        name: part.name, content: .value(try fill(text)), contentType: part.contentType)
    case .file(let path, let filename):
      _ = try size(of: path)
      return ResolvedFormPart(
        name: part.name, content: .file(path: path, filename: filename),
        contentType: part.contentType)
    }
  }

  private func size(of path: String) throws(TransferFailure) -> Int64 {
    var facts = stat()
    if unsafe stat(path, &facts) != 0 {
      let words = unsafe String(cString: strerror(errno))
      throw TransferFailure(.localFile, "\(path), the file to send: \(words)")
    }
    if facts.st_mode & S_IFMT != S_IFREG {
      throw TransferFailure(.localFile, "\(path), the file to send, is not a regular file")
    }
    return Int64(facts.st_size)
  }

  private func fill(_ text: PlanText) throws(TransferFailure) -> String {
    try text.filled(secret: secret)
  }
}
