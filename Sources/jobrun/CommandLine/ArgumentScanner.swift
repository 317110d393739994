import JobSpec

/// Splits arguments into options and operands after GNU's conventions, before it is known which
/// command they are for.
struct ArgumentScanner {
  struct Found: Equatable {
    var name: OptionName
    /// As it was written, for messages.
    var spelled: String
    var value: String?
  }

  private(set) var options: [Found] = []
  private(set) var operands: [String] = []
  /// How many operands stood before `--`.
  private(set) var operandsBeforeEnd = 0
  private var rest: ArraySlice<String>

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operandsBeforeEnd = operands.count
        operands += rest
        return
      }
      if argument.hasPrefix("--") {
        try takeLong(argument)
      } else if argument.hasPrefix("-") && argument != "-" {
        try takeShort(argument)
      } else {
        operands.append(argument)
      }
    }
    operandsBeforeEnd = operands.count
  }

  private mutating func takeLong(_ argument: String) throws(UsageError) {
    let body = argument.dropFirst(2)
    let equals = body.firstIndex(of: "=")
    let written = String(body[..<(equals ?? body.endIndex)])
    let given = equals.map { String(body[body.index(after: $0)...]) }
    guard let name = OptionName(rawValue: written) else {
      throw UsageError(
        "there is no option --\(Prose.shown(written))" + Self.suggestion(for: written))
    }
    let spelled = name.spelled
    if OptionTable.takesArgument(name) {
      try append(name, spelled, given)
    } else if given == nil {
      options.append(Found(name: name, spelled: spelled, value: nil))
    } else {
      throw UsageError("\(spelled) takes no value")
    }
  }

  private mutating func takeShort(_ argument: String) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      let spelled = "-\(letter)"
      guard let name = OptionTable.name(short: letter) else {
        let place = argument == spelled ? "" : ", in \(Prose.shown(argument))"
        throw UsageError("there is no option \(Prose.shown(spelled))\(place)")
      }
      if OptionTable.takesArgument(name) {
        return try append(name, spelled, letters.isEmpty ? nil : String(letters))
      }
      options.append(Found(name: name, spelled: spelled, value: nil))
    }
  }

  /// An option with its value, which is the next argument if it doesn't stand there. A known
  /// option isn't taken for a value: `--root --fresh` is a slip.
  private mutating func append(
    _ name: OptionName, _ spelled: String, _ attached: String?
  ) throws(UsageError) {
    if let attached {
      return options.append(Found(name: name, spelled: spelled, value: attached))
    }
    let label = OptionTable.all.first { $0.name == name }?.label ?? "value"
    guard let next = rest.first, next != "--" else {
      throw UsageError("\(spelled) needs a value: \(spelled) \(label)")
    }
    if next.hasPrefix("--"), OptionName(rawValue: String(next.dropFirst(2))) != nil {
      throw UsageError(
        "\(spelled) needs a value, and \(next) is an option; "
          + "write \(name.spelled)=\(next) if it is meant")
    }
    rest = rest.dropFirst()
    options.append(Found(name: name, spelled: spelled, value: next))
  }

  private static func suggestion(for written: String) -> String {
    let known = OptionTable.all.filter { !$0.isLater }.map(\.name.rawValue)
    guard let name = NearestName.suggestion(for: written, among: known) else { return "" }
    return "; did you mean --\(name)?"
  }
}
