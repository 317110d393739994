/// One field of an object of the job format: all that is known about it.
package final class FieldSpec: Sendable {
  package let key: String
  package let type: FieldType
  /// The default as it would be written, or as words.
  package let standard: String?
  /// One sentence.
  package let doc: String
  /// The property of NSURLSessionConfiguration, NSURLRequest or NSURLSessionTask that it carries.
  package let property: String?
  /// The kinds of task that it is for.
  package let kinds: TaskKinds
  package let interpolation: Interpolation
  package let availability: Availability
  package let isRequired: Bool

  /// What `${…}` may stand in a field's texts.
  package enum Interpolation: Sendable {
    case none
    /// Everything but secrets: the value is stored or shown.
    case plain
    /// Secrets too: the value is masked wherever it is shown.
    case secrets
  }

  package init(
    _ key: String, _ type: FieldType, standard: String? = nil, property: String? = nil,
    for kinds: TaskKinds = .all, interpolation: Interpolation = .plain,
    comes availability: Availability = .now, required: Bool = false, _ doc: String
  ) {
    self.key = key
    self.type = type
    self.standard = standard
    self.doc = doc
    self.property = property
    self.kinds = kinds
    self.interpolation = interpolation
    self.availability = availability
    isRequired = required
  }
}

/// Whether this version does what a field asks for.
package enum Availability: Sendable {
  case now
  /// Whatever its value.
  case later(String)
  /// Later, unless it says one of these, which need nothing.
  case laterUnless([String], String)
  /// Only these values are later.
  case laterFor([String], String)

  /// What comes later, in words.
  package var what: String? {
    switch self {
    case .now: nil
    case .later(let what), .laterUnless(_, let what), .laterFor(_, let what): what
    }
  }
}

/// Kinds of task.
package struct TaskKinds: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let download = TaskKinds(rawValue: 1)
  package static let upload = TaskKinds(rawValue: 2)
  package static let data = TaskKinds(rawValue: 4)
  package static let mirror = TaskKinds(rawValue: 8)
  package static let all: TaskKinds = [.download, .upload, .data, .mirror]

  /// `download`, or `data, upload`, or `all`.
  package var words: String {
    if self == .all { return "all" }
    let named: [(TaskKinds, String)] = [
      (.download, "download"), (.upload, "upload"), (.data, "data"), (.mirror, "mirror"),
    ]
    return named.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}
