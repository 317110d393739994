/// One element of a collection that is too large to stand in memory as a tree.
package struct StreamedElement: Sendable {
  /// From 0, in file order; damaged elements count too, though they are not handed over.
  package var index: Int
  /// The key, when the collection is a mapping.
  package var key: YAMLNode?
  package var value: YAMLNode
}
