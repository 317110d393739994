import TransferCore

/// One version of a resource's bytes, and what its server says of it.
struct Version {
  /// Its place in the world's list of versions; `Content` names it so.
  var id: Int
  var length: Int64
  /// Seconds since 1970.
  var modified: Int64
  var strongETag: String { "\"v\(id)\"" }
  /// Says the same of several versions: weak ones may.
  var weakETag: String { "W/\"\(modified / 7)\"" }
  var content: Content { Content(version: id, length: length) }
}

/// Dates as HTTP writes them, of the days that a simulation is long.
enum HTTPDateText {
  /// 2024-01-01T00:00:00Z.
  static let start: Int64 = 1_704_067_200

  static func text(_ seconds: Int64) -> String {
    let (days, rest) = (seconds - start).quotientAndRemainder(dividingBy: 86_400)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let day = two(days % 31 + 1)
    let month = days < 31 ? "Jan" : "Mar"
    return
      "Mon, \(day) \(month) 2024 \(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
  }
}

/// A resource of a simulated server: what it is, how it changes, and how its server answers.
final class Resource {
  enum Validators: CaseIterable { case strong, weak, date, strongAndDate, none }
  enum Framing: CaseIterable { case length, chunked, close }

  let url: String
  let path: String
  var versions: [Version]
  var current: Int
  var validators = Validators.strongAndDate
  var framing = Framing.length
  var hasRanges = true
  /// What it says in Accept-Ranges.
  var says: String?
  /// It looks at If-Range; one that doesn't says what its bytes are.
  var honoursIfRange = true
  /// Answers with faults, of a hundred.
  var faults = 0
  /// Where it sends all requests, when it does.
  var redirect: Resource?
  /// The bytes that are asked for are declared, so that a server may send others.
  var isChecked = false
  /// No version of it is longer.
  var longest = Int64.max

  init(url: String, path: String, first: Version) {
    self.url = url
    self.path = path
    versions = [first]
    current = 0
  }

  var version: Version { versions[current] }

  func validator(of version: Version, at second: Int64) -> Validator {
    let date = HTTPDateText.text(second)
    let modified = HTTPDateText.text(version.modified)
    return switch validators {
    case .strong: Validator(etag: version.strongETag, date: date)
    case .weak: Validator(etag: version.weakETag, date: date)
    case .date: Validator(lastModified: modified, date: date)
    case .strongAndDate:
      Validator(etag: version.strongETag, lastModified: modified, date: date)
    case .none: Validator()
    }
  }
}
