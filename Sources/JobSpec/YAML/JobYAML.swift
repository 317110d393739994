/// A job file's bytes, read as YAML: located nodes, and every mistake that can be told at once.
///
/// YAML 1.2's core schema over libyaml's events. Aliases and merges are resolved; what they add is
/// bounded, and so is depth, so that no file costs more than its size.
package struct JobYAML: Sendable {
  private let bytes: [UInt8]
  /// Of the bytes themselves; the file isn't read when there are any.
  private let encodingDiagnostics: [Diagnostic]

  /// `bytes` is the whole file.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
    encodingDiagnostics = EncodingCheck.diagnostics(of: bytes)
  }

  /// The whole file as one tree.
  package func read() -> (root: YAMLNode?, diagnostics: [Diagnostic]) { read(mode: .whole) }

  /// The file but for the elements of the top-level collection `key`, which are handed to
  /// `element` one at a time and then forgotten; the root holds an empty collection in its place.
  /// A root that can't be used (bad syntax, an alias of nothing) is nil; elements may have been
  /// handed over before that was found. An element that can't be used isn't handed over.
  package func read(
    streaming key: String, element: (StreamedElement) -> Void
  ) -> (root: YAMLNode?, diagnostics: [Diagnostic]) {
    withoutActuallyEscaping(element) { element in read(mode: .streaming(key, element)) }
  }

  /// The file but for the elements of the top-level collection `key`, as fast as can be: when
  /// nothing follows them they aren't read at all, and mistakes in them are left to
  /// `read(streaming:)`, whose diagnostics hold all of this one's.
  package func read(skipping key: String) -> (root: YAMLNode?, diagnostics: [Diagnostic]) {
    read(mode: .skipping(key, TopLevelTail(bytes: bytes)))
  }

  private func read(mode: DocumentReader.Mode) -> (root: YAMLNode?, diagnostics: [Diagnostic]) {
    guard encodingDiagnostics.isEmpty else { return (nil, encodingDiagnostics) }
    guard !bytes.isEmpty else { return (nil, [empty()]) }
    let (root, reader) = unsafe bytes.withUnsafeBufferPointer { buffer in
      var document = unsafe DocumentReader(events: EventParser(buffer), mode: mode)
      let root = try? document.read()
      return (root, document.reader)
    }
    var diagnostics = reader.diagnostics
    if let problem = reader.syntaxProblem {
      diagnostics.append(SyntaxAdvice(problem, in: SourceText(bytes)).diagnostic)
    }
    guard !diagnostics.isEmpty || !(root?.isNull ?? true) else { return (nil, [empty()]) }
    return (root, diagnostics)
  }

  private func empty() -> Diagnostic {
    let start = SourcePosition(line: 1, column: 1)
    return Diagnostic(
      .error, "empty-file", "the file holds no job", at: SourceRange(start: start, end: start),
      hint: "`jobrun init` writes a commented job to start from")
  }
}
