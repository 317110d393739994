import TransferCore

/// What stands between `${` and `}`.
struct Placeholder {
  enum Name {
    case variable(String)
    case environment(String, fallback: String?)
    case secret(String)
    case matrix(String)
    case item(column: String?)
    case jobName
    case jobFolder
    case runID
    case runDate
    case runTime(shiftSeconds: Int64, format: String)
    case capture(task: String, name: String)
  }

  var name: Name
  var encoding: PercentEncoding?

  struct Problem: Error {
    var message: String
    var hint: String?
  }

  /// Of the text between the braces.
  init(_ body: String) throws(Problem) {
    var name = body
    encoding = nil
    if let bar = body.lastIndex(of: "|") {
      let wanted = String(body[body.index(after: bar)...])
      switch wanted {
      case "path": encoding = .path
      case "query": encoding = .query
      default:
        throw Problem(
          message: "`${\(body)}` asks for the encoding `\(wanted)`",
          hint: "write |path or |query, or leave it out")
      }
      name = String(body[..<bar])
    }
    self.name = try Self.parse(name, whole: body)
  }

  private static func parse(_ text: String, whole: String) throws(Problem) -> Name {
    guard let dot = text.firstIndex(of: ".") else {
      if text == "item" { return .item(column: nil) }
      throw unknown(whole)
    }
    let space = text[..<dot]
    let rest = String(text[text.index(after: dot)...])
    guard !rest.isEmpty else { throw unknown(whole) }
    switch space {
    case "vars": return .variable(rest)
    case "env": return try environment(rest, whole: whole)
    case "secrets": return .secret(rest)
    case "matrix": return .matrix(rest)
    case "item": return .item(column: rest)
    case "job": return try job(rest, whole: whole)
    case "run": return try run(rest, whole: whole)
    case "tasks": return try capture(rest, whole: whole)
    default: throw unknown(whole)
    }
  }

  private static func unknown(_ whole: String) -> Problem {
    let spaces = ["vars", "env", "secrets", "matrix", "item", "job", "run", "tasks"]
    let written = whole.prefix { $0 != "." && $0 != "|" }
    var hint = "known are vars.NAME, env.NAME, secrets.NAME, matrix.NAME, item, job.name, job.dir, "
    hint += "run.id, run.date, run.time:FORMAT and tasks.ID.NAME; `$${` stands for `${` itself"
    if !spaces.contains(String(written)), let near = nearest(to: String(written), in: spaces) {
      hint = "did you mean `\(near)`? `$${` stands for `${` itself"
    } else if !whole.isEmpty, !whole.contains(".") {
      hint =
        "a variable of the job is `${vars.\(whole)}`, one of the environment "
        + "`${env.\(whole)}`; `$${` stands for `${` itself"
    }
    return Problem(message: "`${\(whole)}` is not a placeholder", hint: hint)
  }

  private static func environment(_ rest: String, whole: String) throws(Problem) -> Name {
    let name = rest.prefix { $0 != ":" }
    let tail = rest[name.endIndex...]
    guard !name.isEmpty else { throw unknown(whole) }
    if tail.isEmpty { return .environment(String(name), fallback: nil) }
    guard tail.hasPrefix(":-") else {
      throw Problem(
        message: "`${\(whole)}` is not a placeholder",
        hint: "a fallback is written `${env.\(name):-fallback}`")
    }
    return .environment(String(name), fallback: String(tail.dropFirst(2)))
  }

  private static func job(_ rest: String, whole: String) throws(Problem) -> Name {
    switch rest {
    case "name": return .jobName
    case "dir": return .jobFolder
    default:
      throw Problem(
        message: "`${\(whole)}` is not a placeholder", hint: "there are job.name and job.dir")
    }
  }

  private static func run(_ rest: String, whole: String) throws(Problem) -> Name {
    switch rest {
    case "id": return .runID
    case "date": return .runDate
    default: break
    }
    guard rest.hasPrefix("time"), let colon = rest.firstIndex(of: ":") else {
      throw Problem(
        message: "`${\(whole)}` is not a placeholder",
        hint: "there are run.id, run.date, run.time:%Y%m%d%H and run.time-1h:%Y%m%d%H")
    }
    let shift = rest[rest.index(rest.startIndex, offsetBy: 4)..<colon]
    let format = String(rest[rest.index(after: colon)...])
    if let problem = CivilFormat.problem(in: format) {
      throw Problem(message: "`${\(whole)}` \(problem)", hint: CivilFormat.hint)
    }
    return .runTime(shiftSeconds: try seconds(of: shift, whole: whole), format: format)
  }

  private static func seconds(of shift: Substring, whole: String) throws(Problem) -> Int64 {
    guard let sign = shift.first else { return 0 }
    guard sign == "-" || sign == "+",
      let duration = try? DurationText.parse(String(shift.dropFirst()))
    else {
      throw Problem(
        message: "`${\(whole)}` shifts by `\(shift)`, which is not a duration",
        hint: "write it like `${run.time-1h:%Y%m%d%H}` or `${run.time+30m:%H%M}`")
    }
    let seconds = duration.components.seconds
    guard seconds <= 100 * 366 * 86_400 else {
      throw Problem(message: "`${\(whole)}` shifts by more than a hundred years", hint: nil)
    }
    return sign == "-" ? -seconds : seconds
  }

  private static func capture(_ rest: String, whole: String) throws(Problem) -> Name {
    guard let dot = rest.lastIndex(of: "."), dot != rest.startIndex,
      rest.index(after: dot) != rest.endIndex
    else {
      throw Problem(
        message: "`${\(whole)}` is not a placeholder",
        hint: "what a task captured is `${tasks.ID.NAME}`")
    }
    return .capture(task: String(rest[..<dot]), name: String(rest[rest.index(after: dot)...]))
  }
}
