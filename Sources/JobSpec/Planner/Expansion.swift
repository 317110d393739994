/// The copies of one task: the product of its matrix and its items.
struct Expansion {
  /// More copies of one task than this are refused.
  static let most = 1_000_000

  var matrix: [(name: String, values: [String])] = []
  /// nil: the task has no items.
  var items: [CopyScope.Item]?

  var isSingle: Bool { matrix.isEmpty && items == nil }

  /// How many copies there are; nil is too many.
  var count: Int? {
    var count = items?.count ?? 1
    for axis in matrix {
      let (product, overflow) = count.multipliedReportingOverflow(by: axis.values.count)
      if overflow { return nil }
      count = product
    }
    return count <= Self.most ? count : nil
  }

  /// The copy at an index: the last axis turns fastest, items fastest of all.
  func scope(at index: Int) -> CopyScope {
    var scope = CopyScope()
    var rest = index
    if let items {
      scope.item = items[rest % items.count]
      rest /= items.count
    }
    for axis in matrix.reversed() {
      let value = axis.values[rest % axis.values.count]
      scope.matrix.insert(CopyScope.Value(name: axis.name, value: value), at: 0)
      rest /= axis.values.count
    }
    return scope
  }

  /// `[VALUE,VALUE]`, or empty for a task without copies.
  func suffix(of scope: CopyScope) -> String {
    if isSingle { return "" }
    var parts = scope.matrix.map(\.value)
    switch scope.item {
    case .none: break
    case .unknown: parts.append("*")
    case .row(let columns): parts.append(columns.first?.value ?? "")
    }
    return "[" + parts.joined(separator: ",") + "]"
  }
}
