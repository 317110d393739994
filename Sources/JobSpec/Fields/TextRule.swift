/// What a text must be like, beyond being text.
package enum TextRule: Sendable, CaseIterable {
  case any
  /// Checked against the session by the planner.
  case url
  case path
  /// A job's name: it names a folder.
  case jobName
  /// A name of the author's own: var, secret, session, capture.
  case name
  case taskID
  /// RFC 9110, section 5.6.2.
  case token
  case headerValue
  /// `host:port`, `[v6]:port` or `*:port`.
  case hostPort
  /// RFC 3986, section 3.1.
  case scheme
  /// `sha256:HEX`.
  case checksum
  /// Permission bits in octal.
  case mode
  /// `2xx`.
  case statusClass
  /// `HH:MM-HH:MM`.
  case window
  /// RFC 3339.
  case dateTime
  /// `type/subtype`.
  case mediaType
  case entityTag
  /// RFC 6901.
  case jsonPointer
  /// `%d` or `%02d` once, with text around it.
  case numberFormat
  /// An octet string that is not empty.
  case nonEmpty

  /// Whether it is for names of the author's own, of which those with `x-` are ignored: a header,
  /// a host or a scheme may well begin so.
  var isOfNames: Bool { self == .name || self == .taskID }

  /// Whether what is written as a number or boolean can be such a text.
  var takesNumbers: Bool {
    switch self {
    case .any, .path, .jobName, .taskID, .token, .headerValue, .nonEmpty: true
    default: false
    }
  }

  /// What is allowed, in words.
  package var words: String {
    switch self {
    case .any: "text"
    case .url: "an absolute address like https://host/path"
    case .path: "a path"
    case .jobName: "a name of letters, digits, `.`, `_` and `-` that begins with a letter or digit"
    case .name: "a name of letters, digits, `_` and `-` that begins with a letter or `_`"
    case .taskID: "an id without spaces, control characters, brackets and commas"
    case .token: "a token (letters, digits and !#$%&'*+-.^_`|~)"
    case .headerValue: "text without line breaks and NUL"
    case .hostPort: "host:port"
    case .scheme: "a URL scheme like https"
    case .checksum: "ALGORITHM:HEX, like sha256:… with 64 digits"
    case .mode: "permission bits as text in octal, like \"0640\""
    case .statusClass: "a class of statuses like 2xx"
    case .window: "a window like 01:00-05:00"
    case .dateTime: "a date and time like 2026-01-31T02:30:00Z"
    case .mediaType: "a media type like text/html"
    case .entityTag: "an entity tag in double quotes, or *"
    case .jsonPointer: "a JSON pointer like /assets/0/name"
    case .numberFormat: "text with one %d or %02d"
    case .nonEmpty: "text that is not empty"
    }
  }

  /// The rule as an ECMA 262 regular expression, where the schema can hold it.
  package var pattern: String? {
    switch self {
    case .any: nil
    case .path, .nonEmpty: "."
    case .url: "^[A-Za-z][A-Za-z0-9+.-]*:"
    case .jobName: "^[A-Za-z0-9][A-Za-z0-9._-]*$"
    case .name: "^[A-Za-z_][A-Za-z0-9_-]*$"
    case .taskID: #"^[^\s\[\],]+$"#
    case .token: #"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"#
    case .headerValue: #"^[^\r\n\u0000]*$"#
    case .hostPort: "^.+:[0-9]{1,5}$"
    case .scheme: "^[A-Za-z][A-Za-z0-9+.-]*$"
    case .checksum: Self.checksumPattern
    case .mode: "^0?[0-7]{3}$"
    case .statusClass: "^[1-5]xx$"
    case .window: "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$"
    case .dateTime: Self.dateTimePattern
    case .mediaType: "^[^/\\s]+/[^/\\s]+$"
    case .entityTag: #"^(\*|(W/)?"[^"]*")$"#
    case .jsonPointer: "^(/.*)?$"
    case .numberFormat: "%(0[0-9]+)?d"
    }
  }

  private static let checksumPattern =
    "^(sha256:[0-9A-Fa-f]{64}|sha512:[0-9A-Fa-f]{128}|sha384:[0-9A-Fa-f]{96}"
    + "|sha224:[0-9A-Fa-f]{56}|sha1:[0-9A-Fa-f]{40}|md5:[0-9A-Fa-f]{32})$"
  private static let dateTimePattern =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?"
    + "([Zz]|[+-][0-9]{2}:[0-9]{2})?$"
}
