/// Objects that stand at several places of the format.
extension ObjectSpec {
  package static let secret = ObjectSpec(
    "secret", "Where a secret comes from: exactly one of these.",
    [
      FieldSpec("env", .text(.nonEmpty), "The name of an environment variable."),
      FieldSpec(
        "file", .text(.path), "A file that holds the value; a trailing newline is dropped."),
      FieldSpec("credential", .text(.nonEmpty), "A file below systemd's $CREDENTIALS_DIRECTORY."),
      FieldSpec(
        "command", .list(.text(.any), atLeast: 1),
        "A program and its arguments, without a shell, that prints the value."),
    ])

  package static let rateLimit = ObjectSpec(
    "rate_limit", "Bytes a second, each way.",
    rateFields + [
      FieldSpec(
        "schedule", .list(.object(rateWindow), atLeast: 1), comes: .later("timetables of rates"),
        "Other rates within daily windows; the first that fits holds.")
    ])

  package static let rateWindow = ObjectSpec(
    "rate_window", "Rates that hold within a daily window.",
    [
      FieldSpec(
        "between", .text(.window), required: true,
        "The window: it holds its start and not its end.")
    ] + rateFields)

  private static let rateFields: [FieldSpec] = [
    FieldSpec(
      "download", .alternatives([.rate, .oneOf(["unlimited"])]), standard: "unlimited",
      "For bytes that come."),
    FieldSpec(
      "upload", .alternatives([.rate, .oneOf(["unlimited"])]), standard: "unlimited",
      "For bytes that go."),
  ]

  package static let hooks = ObjectSpec(
    "hooks", "Programs that run when a run or a task ends.",
    [
      FieldSpec("on_success", .object(hook), "When all is well."),
      FieldSpec("on_failure", .object(hook), "When something failed."),
      FieldSpec("on_finish", .object(hook), "In any case."),
    ])

  package static let hook = ObjectSpec(
    "hook", "A program to run, without a shell.",
    [
      FieldSpec(
        "run", .list(.text(.any), atLeast: 1), required: true, "The program and its arguments."),
      FieldSpec(
        "timeout", .duration(positive: true), standard: "1m", "How long it may take."),
    ])

  package static let headerValue = ObjectSpec(
    "header", "A header with its scope.",
    [
      FieldSpec(
        "value", .alternatives([.text(.headerValue), .null]), interpolation: .secrets,
        required: true, "The header's value; null removes it."),
      FieldSpec(
        "scope", .oneOf(["origin", "any"]),
        standard: "origin; any for User-Agent, Accept and Accept-Language",
        "Whether it stays behind when a redirect changes host, port or scheme."),
    ])

  package static let headersType = FieldType.alternatives([
    .map(
      .alternatives([.text(.headerValue), .null, .object(headerValue)]), keys: .token),
    .list(
      .tuple([
        .text(.token), .alternatives([.text(.headerValue), .null, .object(headerValue)]),
      ]), atLeast: 0),
  ])

  package static let redirects = ObjectSpec(
    "redirects", "Which redirects are followed (willPerformHTTPRedirection).",
    [
      FieldSpec(
        "follow", .oneOf(["always", "same_host", "never"]), standard: "always",
        "Where a redirect may lead."),
      FieldSpec("max", .int(0...100), standard: "20", "Hops at most."),
      FieldSpec(
        "allow_downgrade", .bool, standard: "false", "Whether https may lead to http."),
      FieldSpec(
        "protocols", .list(.text(.scheme), atLeast: 1), standard: "[http, https]",
        "Schemes that a redirect may lead to."),
    ])

  package static let retry = ObjectSpec(
    "retry", "What is tried again, how often and how far apart.",
    [
      FieldSpec(
        "attempts", .alternatives([.int(1...1_000_000), .oneOf(["unlimited"])]), standard: "5",
        "Tries in all; unlimited means within timeout_for_resource."),
      FieldSpec(
        "backoff", .duration(positive: false), standard: "1s",
        "The longest wait before the second try; it doubles with each."),
      FieldSpec(
        "max_backoff", .duration(positive: false), standard: "2m", "The longest wait of all."),
      FieldSpec(
        "on", .list(triggerType, atLeast: 0),
        standard: "[timeout, connect, truncated, 408, 425, 429, 5xx]",
        "What is tried again, in place of the usual list."),
      FieldSpec(
        "also", .list(triggerType, atLeast: 1), "What is tried again beside that list."),
      FieldSpec(
        "unsafe", .bool, standard: "false",
        "Whether requests that are not idempotent, like POST, are tried again too."),
    ])

  private static let triggerType = FieldType.alternatives([
    .int(100...599), .text(.statusClass),
    .oneOf(["timeout", "connect", "truncated", "dns", "tls"]),
  ])

  package static let credential = ObjectSpec(
    "credential", "Who we are to one protection space.",
    [
      FieldSpec("for", .object(protectionSpace), required: true, "The protection space."),
      FieldSpec("user", .text(.any), interpolation: .secrets, "The user's name or key id."),
      FieldSpec("password", .text(.any), interpolation: .secrets, "The password, token or key."),
      FieldSpec(
        "method",
        .oneOf(["any", "basic", "digest", "negotiate", "ntlm", "bearer", "aws_sigv4"]),
        standard: "any", "How it is shown."),
      FieldSpec("region", .text(.nonEmpty), "The region of aws_sigv4."),
      FieldSpec("service", .text(.nonEmpty), standard: "s3", "The service of aws_sigv4."),
      FieldSpec(
        "ssh_key", .text(.path), comes: .later("keys for SFTP"), "The private key for SFTP."),
      FieldSpec(
        "known_hosts", .text(.path), standard: "~/.ssh/known_hosts",
        comes: .later("known hosts of SFTP"),
        "The hosts that SFTP trusts; an unknown one fails."),
    ])

  package static let protectionSpace = ObjectSpec(
    "protection_space", "Where a credential is sent, and nowhere else.",
    [
      FieldSpec("host", .text(.nonEmpty), required: true, "The host."),
      FieldSpec("port", .int(1...65_535), standard: "the scheme's", "The port."),
      FieldSpec("protocol", .text(.scheme), standard: "https", "The URL scheme."),
      FieldSpec("realm", .text(.any), standard: "any", "The realm that the server names."),
    ])
}
