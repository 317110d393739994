import JobSpec

/// Checks the value of one option.
enum OptionReader {
  /// - Parameter earlier: what the same option gave before, for those that may be repeated.
  static func value(
    of option: ArgumentScanner.Found, _ spec: OptionSpec, after earlier: Invocation.Value?
  ) throws(UsageError) -> Invocation.Value {
    let text = option.value ?? ""
    switch spec.argument {
    case .none:
      guard case .flag(let times) = earlier else { return .flag(1) }
      return .flag(times + 1)
    case .text(let label):
      guard !text.isEmpty else {
        throw UsageError("\(option.spelled) needs a value: \(option.spelled) \(label)")
      }
      guard case .texts(let texts) = earlier else { return .texts([text]) }
      return .texts(texts + [text])
    case .assignment:
      let assignment = try assignment(text, option.spelled)
      guard case .assignments(let list) = earlier else { return .assignments([assignment]) }
      return .assignments(list + [assignment])
    case .count: return .count(try count(text, option.spelled))
    case .duration: return .duration(try duration(text, option.spelled))
    case .choice(_, let values, let later):
      return .texts([try choice(text, option.spelled, values, later)])
    }
  }

  private static func assignment(
    _ text: String, _ spelled: String
  ) throws(UsageError) -> Invocation.Assignment {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw UsageError("\(spelled) takes NAME=VALUE, not \(Prose.quoted(text))")
    }
    return Invocation.Assignment(
      name: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
  }

  private static func count(_ text: String, _ spelled: String) throws(UsageError) -> Int {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    guard isNumber, let count = Int(text), (1...1_000_000).contains(count) else {
      throw UsageError(
        "\(spelled) takes a whole number from 1 to 1000000, not \(Prose.quoted(text))")
    }
    return count
  }

  private static func duration(_ text: String, _ spelled: String) throws(UsageError) -> Duration {
    guard let duration = try? DurationText.parse(text), duration > .zero else {
      throw UsageError(
        "\(spelled) takes a time like 90s, 10m or 1h30m, not \(Prose.quoted(text))")
    }
    return duration
  }

  private static func choice(
    _ text: String, _ spelled: String, _ values: [String], _ later: [String]
  ) throws(UsageError) -> String {
    if values.contains(text) { return text }
    if later.contains(text) { throw UsageError("not in this version: \(spelled) \(text)") }
    let near =
      NearestName.suggestion(for: text, among: values).map { "; did you mean \($0)?" } ?? ""
    throw UsageError(
      "\(spelled) is \(Prose.list(values, "or")), not \(Prose.quoted(text))\(near)")
  }
}
