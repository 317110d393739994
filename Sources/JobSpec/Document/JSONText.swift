import TransferCore

/// Writes a YAML value as JSON (RFC 8259), placeholders in its texts filled in.
struct JSONText {
  private let decoder: Decoder
  private let field: FieldSpec
  private var pieces: [PlanText.Piece] = []
  private var literal = ""
  private var isInvalid = false

  /// Of a node; nil when something is wrong with it, which has been told.
  static func text(of node: YAMLNode, in field: FieldSpec, by decoder: Decoder) -> PlanText? {
    var writer = JSONText(decoder: decoder, field: field)
    writer.write(node)
    writer.flush()
    return writer.isInvalid ? nil : PlanText(pieces: writer.pieces)
  }

  private init(decoder: Decoder, field: FieldSpec) {
    self.decoder = decoder
    self.field = field
  }

  private mutating func flush() {
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    literal = ""
  }

  private mutating func write(_ node: YAMLNode) {
    switch node.content {
    case .scalar(let text, let isPlain): write(scalar: text, isPlain: isPlain, node)
    case .sequence(let nodes):
      literal += "["
      for (index, node) in nodes.enumerated() {
        if index > 0 { literal += "," }
        write(node)
      }
      literal += "]"
    case .mapping(let entries):
      literal += "{"
      for (index, entry) in entries.enumerated() {
        if index > 0 { literal += "," }
        write(key: entry.key)
        literal += ":"
        write(entry.value)
      }
      literal += "}"
    }
  }

  private mutating func write(key: YAMLNode) {
    guard case .scalar(let text, _) = key.content else {
      decoder.findings.error(
        .keyNotText, "a key of JSON must be text", at: decoder.place(key.range))
      isInvalid = true
      return
    }
    write(quoted: text)
  }

  private mutating func write(scalar text: String, isPlain: Bool, _ node: YAMLNode) {
    switch node.coreValue {
    case .null: literal += "null"
    case .boolean(let value): literal += value ? "true" : "false"
    case .integer(let value): literal += String(value)
    case .float(let value) where value.isFinite: literal += Self.number(text, value)
    case .hugeInteger where text.utf8.first != UInt8(ascii: "+"): literal += text
    case .float, .hugeInteger:
      decoder.findings.error(
        .badValue, "JSON has no number `\(shortened(text))`", at: decoder.place(node.range),
        hint: "write it in quotes to send it as text")
      isInvalid = true
    default: write(filled: text, isPlain, node)
    }
  }

  /// As it is written, where JSON allows that.
  private static func number(_ text: String, _ value: Double) -> String {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let whole = digits.prefix { $0.isWholeNumber }
    let isJSON =
      !whole.isEmpty && (whole == "0" || !whole.hasPrefix("0"))
      && !digits.dropFirst(whole.count).hasPrefix(".e") && !digits.hasSuffix(".")
      && !digits.contains(".e") && !digits.contains(".E")
    return isJSON ? text : "\(value)"
  }

  private mutating func write(filled text: String, _ isPlain: Bool, _ node: YAMLNode) {
    let filled = decoder.interpolator.fill(
      text, at: decoder.place(node.range), isPlain: isPlain, allowing: field.interpolation)
    switch filled {
    case .invalid: isInvalid = true
    case .literal(let text), .opaque(let text): write(quoted: text)
    case .pieces(let text):
      literal += "\""
      for piece in text.pieces { write(piece) }
      literal += "\""
    }
  }

  private mutating func write(_ piece: PlanText.Piece) {
    switch piece {
    case .literal(let text): escape(text)
    case .secret(let name, let encoding):
      flush()
      pieces.append(.secret(name: name, encoding: encoding ?? .json))
    case .capture(let task, let name, let encoding):
      flush()
      pieces.append(.capture(task: task, name: name, encoding: encoding ?? .json))
    }
  }

  private mutating func write(quoted text: String) {
    literal += "\""
    escape(text)
    literal += "\""
  }

  private mutating func escape(_ text: String) { literal += PercentEncoding.json.encode(text) }
}
