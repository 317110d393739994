import CLibyaml

/// libyaml's parser over one buffer of UTF-8, which must outlive it; a byte order mark is passed
/// over. One event is current at a time.
@safe final class EventParser {
  enum Kind {
    case streamStart, streamEnd, documentStart, documentEnd
    case alias, scalar, sequenceStart, sequenceEnd, mappingStart, mappingEnd
  }

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>
  private(set) var kind = Kind.streamStart
  /// The last scalar that was read and isn't empty: a syntax error often began in it.
  private var lastScalar: SourceRange?

  init(_ input: UnsafeBufferPointer<UInt8>) {
    unsafe parser = .allocate(capacity: 1)
    unsafe event = .allocate(capacity: 1)
    unsafe event.initialize(to: yaml_event_t())
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      preconditionFailure("yaml_parser_initialize: no memory")
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    let mark = unsafe input.starts(with: EncodingCheck.byteOrderMark) ? 3 : 0
    unsafe yaml_parser_set_input_string(
      parser, input.baseAddress.map { unsafe $0 + mark }, input.count - mark)
  }

  deinit {
    unsafe yaml_event_delete(event)
    unsafe yaml_parser_delete(parser)
    unsafe event.deallocate()
    unsafe parser.deallocate()
  }

  /// Makes the next event the current one (`yaml_parser_parse`).
  func advance() throws(SyntaxProblem) {
    unsafe yaml_event_delete(event)
    guard unsafe yaml_parser_parse(parser, event) == 1 else { throw problem() }
    switch unsafe event.pointee.type {
    case YAML_SCALAR_EVENT:
      kind = .scalar
      if range.start != range.end { lastScalar = range }
    case YAML_MAPPING_START_EVENT: kind = .mappingStart
    case YAML_MAPPING_END_EVENT: kind = .mappingEnd
    case YAML_SEQUENCE_START_EVENT: kind = .sequenceStart
    case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
    case YAML_ALIAS_EVENT: kind = .alias
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
    case YAML_STREAM_END_EVENT: kind = .streamEnd
    default: kind = .streamStart
    }
  }

  /// Where the current event stands. A block collection's end is not its text's end.
  var range: SourceRange {
    unsafe SourceRange(
      start: SourcePosition(event.pointee.start_mark),
      end: SourcePosition(event.pointee.end_mark))
  }

  /// A scalar's text.
  var text: String {
    unsafe String(
      decoding: UnsafeBufferPointer(
        start: event.pointee.data.scalar.value, count: event.pointee.data.scalar.length),
      as: UTF8.self)
  }

  /// A scalar without quotes and not as a block.
  var isPlain: Bool { unsafe event.pointee.data.scalar.style == YAML_PLAIN_SCALAR_STYLE }

  /// A collection in brackets or braces.
  var isFlow: Bool {
    if kind == .sequenceStart {
      return unsafe event.pointee.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
    }
    return unsafe event.pointee.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
  }

  /// The name after `&`, or an alias's after `*`.
  var anchor: String? {
    switch kind {
    case .scalar: unsafe Self.string(event.pointee.data.scalar.anchor)
    case .sequenceStart: unsafe Self.string(event.pointee.data.sequence_start.anchor)
    case .mappingStart: unsafe Self.string(event.pointee.data.mapping_start.anchor)
    case .alias: unsafe Self.string(event.pointee.data.alias.anchor)
    default: nil
    }
  }

  /// The tag, with its handle resolved: `tag:yaml.org,2002:str` for `!!str`.
  var tag: String? {
    switch kind {
    case .scalar: unsafe Self.string(event.pointee.data.scalar.tag)
    case .sequenceStart: unsafe Self.string(event.pointee.data.sequence_start.tag)
    case .mappingStart: unsafe Self.string(event.pointee.data.mapping_start.tag)
    default: nil
    }
  }

  private static func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(decodingCString: pointer, as: UTF8.self)
  }

  private func problem() -> SyntaxProblem {
    let state = unsafe parser
    let text = unsafe state.pointee.problem.map { unsafe String(cString: $0) }
    let context = unsafe state.pointee.context.map { unsafe String(cString: $0) }
    return unsafe SyntaxProblem(
      text: text ?? "out of memory", context: context,
      place: SourcePosition(state.pointee.problem_mark),
      contextPlace: SourcePosition(state.pointee.context_mark), lastScalar: lastScalar)
  }
}

extension SourcePosition {
  /// libyaml's marks are 0-based and count Unicode scalars: converted here and nowhere else.
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(
      line: Int32(clamping: mark.line &+ 1), column: Int32(clamping: mark.column &+ 1))
  }
}
