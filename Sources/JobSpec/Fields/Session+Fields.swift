/// The fields of a session (NSURLSessionConfiguration).
extension ObjectSpec {
  package static let session = ObjectSpec(
    "session", "How to talk: a copy of NSURLSessionConfiguration.",
    identityFields + networkFields + timeoutFields + storeFields + schemeFields + connectionFields
      + behaviourFields)

  private static let identityFields: [FieldSpec] = [
    FieldSpec(
      "type", .oneOf(["default", "ephemeral", "background"]), standard: "default",
      "Whether it keeps things on disk, keeps nothing, or outlives the terminal."),
    FieldSpec(
      "identifier", .text(.nonEmpty), property: "identifier",
      "Names a background session; required there, refused elsewhere."),
    FieldSpec(
      "extends", .text(.name), interpolation: .none, "The session that this one starts from."),
    FieldSpec(
      "headers", headersType, standard: "none", property: "HTTPAdditionalHeaders",
      interpolation: .secrets, "Headers of every task; a task's own of the same name wins."),
    FieldSpec(
      "shared_container", .text(.path), property: "sharedContainerIdentifier",
      "The folder that a background session's downloads go to when `to` is relative."),
    FieldSpec(
      "sends_launch_events", .bool, standard: "true", property: "sessionSendsLaunchEvents",
      "Whether a background session's end runs the job's hooks when the starter is gone."),
    FieldSpec(
      "discretionary", .bool, standard: "false", property: "discretionary",
      comes: .laterUnless(["false"], "discretionary sessions"),
      "Start when it suits the system; for background sessions."),
  ]

  private static let networkFields: [FieldSpec] = [
    serviceTypeField, cellularField, expensiveField, constrainedField, waitsField,
    FieldSpec(
      "unknown_network", .oneOf(["allow", "deny"]), standard: "allow",
      comes: .laterUnless(["allow"], "network policy"),
      "What a session that restricts anything does on a network of unknown class."),
    FieldSpec(
      "ip_version", .oneOf(["auto", "4", "6"]), standard: "auto", "The IP version to use."),
  ]

  private static let timeoutFields: [FieldSpec] = [
    requestTimeoutField, resourceTimeoutField,
    FieldSpec(
      "connect_timeout", .duration(positive: true), standard: "15s",
      "For name resolution, connect and TLS of one connection."),
    FieldSpec(
      "minimum_speed", .object(minimumSpeed), standard: "none",
      "Slower than that is a failed try."),
  ]

  private static let storeFields: [FieldSpec] = [
    FieldSpec("cookies", .object(cookies), "Which cookies are kept and sent."),
    FieldSpec("tls", .object(tls), "Server trust and client identity."),
    credentialsField,
    FieldSpec(
      "credentials_storage", .text(.path), standard: "shared; ephemeral: none",
      property: "URLCredentialStorage",
      "`shared` (the user's netrc), `none`, or a netrc file's path."),
    FieldSpec("cache", .object(cache), property: "URLCache", "What is kept of answers."),
  ]

  private static let schemeFields: [FieldSpec] = [
    FieldSpec(
      "protocols", .list(.text(.scheme), atLeast: 1),
      standard: "[http, https, ftp, ftps, sftp, file]", property: "protocolClasses",
      "URL schemes that first requests may have."),
    FieldSpec(
      "handlers", .map(.object(handler), keys: .scheme), standard: "none",
      property: "protocolClasses", comes: .later("scheme handlers"),
      "Programs that answer for schemes of your own."),
  ]

  private static let connectionFields: [FieldSpec] = [
    FieldSpec(
      "max_connections_per_host", .int(1...10_000), standard: "6",
      property: "HTTPMaximumConnectionsPerHost", "Connections to one host in this session."),
    FieldSpec(
      "should_use_pipelining", .bool, standard: "false", property: "HTTPShouldUsePipelining",
      "HTTP/2 multiplexing, and waiting for it; there is no HTTP/1.1 pipelining."),
    FieldSpec(
      "http_version", .oneOf(["auto", "1.1", "2", "2_prior_knowledge", "3"]), standard: "auto",
      comes: .laterFor(["3"], "HTTP/3"), "The HTTP version to ask for."),
    FieldSpec(
      "resolve", .map(.text(.nonEmpty), keys: .hostPort), standard: "none",
      "Addresses that are used instead of asking the resolver, by host:port."),
    FieldSpec(
      "connect_to", .map(.text(.hostPort), keys: .hostPort), standard: "none",
      "Where to connect instead, by host:port, the request unchanged."),
    FieldSpec(
      "proxy", .alternatives([.oneOf(["none"]), .object(proxy)]),
      standard: "the environment's", property: "connectionProxyDictionary",
      "The proxies, or none."),
  ]

  private static let behaviourFields: [FieldSpec] = [redirectsField, retryField, rateField]

  package static let minimumSpeed = ObjectSpec(
    "minimum_speed", "A slowest speed.",
    [
      FieldSpec("rate", .rate, required: true, "Bytes a second."),
      FieldSpec(
        "for", .duration(positive: true), required: true, "How long it may be slower."),
    ])

  package static let handler = ObjectSpec(
    "handler", "A program that answers for a scheme.",
    [
      FieldSpec(
        "command", .list(.text(.any), atLeast: 1), required: true,
        "The program and its arguments, without a shell.")
    ])
}
