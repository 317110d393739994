/// A node of the YAML document with its place; aliases and merge keys are already resolved.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    /// `isPlain`: written without quotes, so that the core schema gives it a type.
    case scalar(text: String, isPlain: Bool)
    case sequence([YAMLNode])
    /// In file order.
    case mapping([Entry])
  }
  package struct Entry: Sendable {
    package var key: YAMLNode
    package var value: YAMLNode
    package init(key: YAMLNode, value: YAMLNode) {
      self.key = key
      self.value = value
    }
  }

  package var content: Content
  package var range: SourceRange

  package init(_ content: Content, range: SourceRange) {
    self.content = content
    self.range = range
  }
}
