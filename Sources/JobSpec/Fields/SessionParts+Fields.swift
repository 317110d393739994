/// The objects within a session.
extension ObjectSpec {
  package static let cookies = ObjectSpec(
    "cookies", "Which cookies are kept and sent.",
    [
      FieldSpec(
        "accept_policy", .oneOf(["always", "never", "only_from_main_document_domain"]),
        standard: "only_from_main_document_domain", property: "HTTPCookieAcceptPolicy",
        "Whose cookies are taken."),
      FieldSpec(
        "storage", .text(.path), standard: "shared; ephemeral: memory",
        property: "HTTPCookieStorage",
        "`shared`, `private`, `memory`, `none`, or a Netscape cookie file's path."),
      FieldSpec(
        "should_set", .bool, standard: "true", property: "HTTPShouldSetCookies",
        "Send stored cookies; a Cookie header of the job joins them in one line."),
      FieldSpec(
        "keep_session", .bool, standard: "false",
        "Cookies without an expiry outlive the run."),
    ])

  package static let tls = ObjectSpec(
    "tls", "Server trust and client identity (the delegate's authentication challenges).",
    [
      FieldSpec(
        "minimum", .oneOf(["1.0", "1.1", "1.2", "1.3"]), standard: "\"1.2\"",
        property: "TLSMinimumSupportedProtocol",
        "The lowest version; below 1.2 weak ciphers are let in, with a warning."),
      FieldSpec(
        "maximum", .oneOf(["1.0", "1.1", "1.2", "1.3"]), standard: "the library's highest",
        property: "TLSMaximumSupportedProtocol", "The highest version."),
      FieldSpec(
        "ca_file", .text(.path), standard: "the system's",
        "A PEM file of the authorities that are trusted."),
      FieldSpec(
        "client_certificate", .text(.path),
        "A PEM file of the client's certificate, shown to the origin that a task names."),
      FieldSpec(
        "client_key", .text(.path), standard: "in the certificate's file",
        "A PEM file of the client's key."),
      FieldSpec(
        "pinned_public_key", .text(.nonEmpty),
        "`sha256//BASE64` of the server's public key, several parted by `;`, or a file of it."),
      FieldSpec(
        "insecure", .bool, standard: "false",
        "Trust any server; a warning in every run."),
    ])

  package static let cache = ObjectSpec(
    "cache", "What is kept of answers.",
    [
      FieldSpec(
        "policy", .oneOf(policyNames), standard: "use_protocol_cache_policy",
        property: "requestCachePolicy", "When a stored answer is used."),
      FieldSpec(
        "storage", .text(.path), standard: "shared; ephemeral: memory; background: none",
        property: "URLCache", comes: .laterUnless(["shared"], "the response cache"),
        "`shared`, `private`, `memory`, `none`, or a folder."),
      FieldSpec(
        "memory_capacity", .size, standard: "512 KiB", property: "URLCache.memoryCapacity",
        comes: .laterUnless(["512 KiB"], "the response cache"), "Bytes in memory."),
      FieldSpec(
        "disk_capacity", .size, standard: "256 MiB", property: "URLCache.diskCapacity",
        comes: .laterUnless(["256 MiB"], "the response cache"), "Bytes on disk."),
    ])

  package static let policyNames = [
    "use_protocol_cache_policy", "reload_ignoring_local_cache_data",
    "reload_ignoring_local_and_remote_cache_data", "return_cache_data_else_load",
    "return_cache_data_dont_load", "reload_revalidating_cache_data",
  ]

  package static let proxy = ObjectSpec(
    "proxy", "Proxies by scheme.",
    [
      FieldSpec("http", .text(.nonEmpty), interpolation: .secrets, "For http addresses."),
      FieldSpec("https", .text(.nonEmpty), interpolation: .secrets, "For https addresses."),
      FieldSpec("all", .text(.nonEmpty), interpolation: .secrets, "For all addresses."),
      FieldSpec(
        "no_proxy", .list(.text(.nonEmpty), atLeast: 0), "Hosts that are reached directly."),
      FieldSpec("user", .text(.any), interpolation: .secrets, "The user's name."),
      FieldSpec("password", .text(.any), interpolation: .secrets, "The password."),
      FieldSpec(
        "auth", .oneOf(["any", "basic", "digest", "ntlm", "negotiate"]), standard: "any",
        "How we show who we are."),
      FieldSpec(
        "headers", headersType, interpolation: .secrets, "Headers for the proxy alone."),
      FieldSpec("tunnel", .bool, standard: "false", "CONNECT for http addresses too."),
    ])
}
