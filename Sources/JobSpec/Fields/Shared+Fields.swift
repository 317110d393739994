/// Fields that a session has, and a task as its own (NSURLRequest's).
extension ObjectSpec {
  static let serviceTypeField = FieldSpec(
    "network_service_type",
    .oneOf([
      "default", "voip", "video", "background", "voice", "responsive_data", "av_streaming",
      "responsive_av", "call_signaling",
    ]), standard: "default", property: "networkServiceType",
    "What the traffic is for: a DSCP mark on the sockets.")
  static let cellularField = FieldSpec(
    "allows_cellular_access", .bool, standard: "true", property: "allowsCellularAccess",
    comes: .laterUnless(["true"], "network policy"), "Whether cellular networks may be used.")
  static let expensiveField = FieldSpec(
    "allows_expensive_network_access", .bool, standard: "true",
    property: "allowsExpensiveNetworkAccess", comes: .laterUnless(["true"], "network policy"),
    "Whether metered networks may be used.")
  static let constrainedField = FieldSpec(
    "allows_constrained_network_access", .bool, standard: "true",
    property: "allowsConstrainedNetworkAccess", comes: .laterUnless(["true"], "network policy"),
    "Whether networks in low data mode may be used.")
  static let waitsField = FieldSpec(
    "waits_for_connectivity", .bool, standard: "false", property: "waitsForConnectivity",
    comes: .laterUnless(["false"], "waiting for connectivity"),
    "Wait for a network instead of failing; a background session always waits.")
  static let requestTimeoutField = FieldSpec(
    "timeout_for_request", .duration(positive: true), standard: "60s",
    property: "timeoutIntervalForRequest",
    "The longest silence; it restarts with every byte that moves, either way.")
  static let resourceTimeoutField = FieldSpec(
    "timeout_for_resource", .duration(positive: true), standard: "7d",
    property: "timeoutIntervalForResource", "The whole task, retries and waits counted in.")
  static let redirectsField = FieldSpec(
    "redirects", .object(redirects), standard: "as in its table",
    property: "willPerformHTTPRedirection", "Which redirects are followed.")
  static let retryField = FieldSpec(
    "retry", .object(retry), standard: "as in its table",
    "What is tried again; a task's is laid over its session's, key by key.")
  static let rateField = FieldSpec(
    "rate_limit", .object(rateLimit), standard: "none",
    "Bytes a second.")
  static let credentialsField = FieldSpec(
    "credentials", .list(.object(credential), atLeast: 0), standard: "none",
    property: "URLCredentialStorage",
    "Who we are, each to one protection space and never elsewhere; a task's replace its session's.")
}
