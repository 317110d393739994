extension DocumentPath {
  /// The nearest key upwards.
  var lastKey: String? {
    for step in steps.reversed() {
      if case .key(let key) = step { return key }
    }
    return nil
  }

  var last: Step? { steps.last }

  /// A path one step further.
  func appending(_ step: Step) -> DocumentPath {
    var path = self
    path.push(step)
    return path
  }
}
