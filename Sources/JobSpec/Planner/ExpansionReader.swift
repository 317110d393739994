/// Reads a task's `matrix` and `items`.
struct ExpansionReader {
  let decoder: Decoder
  let environment: PlanEnvironment
  let paths: JobPaths
  private var findings: Findings { decoder.findings }

  init(decoder: Decoder, environment: PlanEnvironment, paths: JobPaths) {
    self.decoder = decoder
    self.environment = environment
    self.paths = paths
  }

  /// nil when something is wrong with it, which has been told.
  func expansion(matrix: ObjectValue.Entry?, items: ObjectValue.Entry?) -> Expansion? {
    var expansion = Expansion()
    if let matrix {
      guard let axes = axes(of: matrix) else { return nil }
      expansion.matrix = axes
    }
    if let items {
      guard let rows = rows(of: items) else { return nil }
      expansion.items = rows
    }
    guard expansion.count == nil, let entry = matrix ?? items else { return expansion }
    findings.error(
      .tooManyTasks, "this task has more than \(Expansion.most) copies", at: place(entry),
      hint: "split it into several jobs")
    return nil
  }

  private func place(_ entry: ObjectValue.Entry, _ key: String? = nil) -> Place {
    let place = decoder.within(.key(entry.field.key)) { self.decoder.place(entry.keyRange) }
    guard let key else { return place }
    return Place(range: place.range, path: place.path.appending(.key(key)))
  }

  private func axes(of entry: ObjectValue.Entry) -> [(name: String, values: [String])]? {
    guard case .map(let pairs) = entry.value else { return nil }
    var axes: [(name: String, values: [String])] = []
    var isGood = true
    for pair in pairs {
      if let values = values(of: pair, in: entry) {
        axes.append((pair.key, values))
      } else {
        isGood = false
      }
    }
    return isGood ? axes : nil
  }

  private func values(of pair: FieldValue.Pair, in entry: ObjectValue.Entry) -> [String]? {
    switch pair.value {
    case .list(let elements):
      // A value that isn't known yet stands for itself.
      let values = elements.compactMap { $0.value.planText?.shown }
      return values.count == elements.count ? values : nil
    case .object(let range): return numbers(range, of: pair, in: entry)
    default: return nil
    }
  }

  private func numbers(
    _ range: ObjectValue, of pair: FieldValue.Pair, in entry: ObjectValue.Entry
  ) -> [String]? {
    guard let from = range.int("from"), let to = range.int("to") else { return nil }
    let place = Place(range: pair.range, path: place(entry, pair.key).path)
    guard from <= to else {
      findings.error(
        .outOfRange, "`from` \(from) is above `to` \(to)", at: place,
        hint: "a range goes upwards, and holds both ends")
      return nil
    }
    let (span, overflow) = to.subtractingReportingOverflow(from)
    guard !overflow, span < Expansion.most else {
      findings.error(
        .tooManyTasks, "this range has more than \(Expansion.most) numbers", at: place,
        hint: "split it into several jobs")
      return nil
    }
    if range.has("format"), range.string("format") == nil { return nil }
    let format = range.string("format").flatMap(NumberFormat.init)
    return (from...to).map { format?.text(of: $0) ?? String($0) }
  }

  private func rows(of entry: ObjectValue.Entry) -> [CopyScope.Item]? {
    switch entry.value {
    case .list(let elements): elements.compactMap(row)
    case .object(let file): rows(of: file, in: entry)
    default: nil
    }
  }

  private func row(_ element: FieldValue.Element) -> CopyScope.Item? {
    switch element.value {
    case .map(let pairs):
      .row(pairs.map { .init(name: $0.key, value: $0.value.planText?.shown ?? "") })
    case .invalid: nil
    default: .row([.init(name: "", value: element.value.planText?.shown ?? "")])
    }
  }

  private func rows(of file: ObjectValue, in entry: ObjectValue.Entry) -> [CopyScope.Item]? {
    guard let named = file["file"] else { return nil }
    if case .opaque = named.value { return [.unknown] }
    guard let text = named.value.string else { return nil }
    let place = Place(range: named.range, path: place(entry, "file").path)
    do throws(JobPaths.Problem) {
      return rows(at: try paths.own(text), format(of: file, path: text), place)
    } catch {
      findings.error(.noHome, "`~` is the home folder, and HOME is not set", at: place)
      return nil
    }
  }

  private func rows(
    at path: String, _ format: PlanEnvironment.ItemsFormat, _ place: Place
  ) -> [CopyScope.Item]? {
    switch environment.readItems(path, format) {
    case .success(let rows):
      return rows.map { row in .row(row.columns.map { .init(name: $0.name, value: $0.value) }) }
    case .failure(let problem):
      guard environment.mode == .validate else {
        findings.error(.badItems, "the items can't be read: \(problem.message)", at: place)
        return nil
      }
      findings.warning(
        .badItems, "the items can't be read here: \(problem.message)", at: place,
        hint: "their tasks are checked as one with an unknown item")
      return [.unknown]
    }
  }

  private func format(of file: ObjectValue, path: String) -> PlanEnvironment.ItemsFormat {
    if let format: PlanEnvironment.ItemsFormat = file.choice("format") { return format }
    if path.hasSuffix(".csv") { return .csv }
    return path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson") ? .jsonl : .lines
  }
}
