import JobSpec

extension YAMLNode {
  /// The tree as one line: text in quotes, plain scalars bare, `{k: v}` and `[…]`.
  var shape: String {
    switch content {
    case .scalar(let text, let isPlain): isPlain ? text : "\"\(text)\""
    case .sequence(let items): "[" + items.map(\.shape).joined(separator: ", ") + "]"
    case .mapping(let entries):
      "{" + entries.map { "\($0.key.shape): \($0.value.shape)" }.joined(separator: ", ") + "}"
    }
  }

  subscript(key: String) -> YAMLNode? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { if case .scalar(key, _) = $0.key.content { true } else { false } }?.value
  }
}

/// What the whole-file reader makes of a text.
func read(_ text: String) -> (root: YAMLNode?, diagnostics: [Diagnostic]) {
  JobYAML(bytes: Array(text.utf8)).read()
}

/// The tree of a text in which nothing is wrong.
func shape(_ text: String) -> String {
  let (root, diagnostics) = read(text)
  guard diagnostics.isEmpty else { return "\(diagnostics.map(\.message))" }
  return root?.shape ?? "nothing"
}
