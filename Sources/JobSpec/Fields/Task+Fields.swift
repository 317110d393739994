/// The fields of a task.
extension ObjectSpec {
  package static let task = ObjectSpec(
    "task", "What to move: one of `download`, `upload`, `data` (and `mirror`).",
    workFields + requestFields + orderFields + overrideFields + downloadFields + resultFields
      + uploadFields + expansionFields)

  private static let workFields: [FieldSpec] = [
    FieldSpec(
      "id", .text(.taskID), "Names the task: required in a list, unique after expansion."),
    FieldSpec("session", .text(.name), standard: "default", "The session's name."),
    FieldSpec(
      "download",
      .alternatives([.text(.url), .list(.text(.url), atLeast: 1)]),
      property:
        "NSURLSessionDownloadTask", for: .download, interpolation: .secrets,
      "The address, or several addresses that are mirrors of one file."),
    FieldSpec(
      "upload", .alternatives([.text(.path), .object(uploadSource)]),
      property: "NSURLSessionUploadTask", for: .upload, interpolation: .plain,
      "The file to send, or a form, or a text."),
    FieldSpec(
      "data", .text(.url), property: "NSURLSessionDataTask", for: .data, interpolation: .secrets,
      "The address; the answer is kept in memory."),
    FieldSpec(
      "mirror", .text(.url), for: .mirror, interpolation: .secrets, comes: .later("mirror tasks"),
      "The address of a tree to mirror."),
    FieldSpec(
      "to", .text(.path), for: [.download, .upload, .mirror], interpolation: .secrets,
      "A download's file, or its folder with a trailing `/`; an upload's address."),
    FieldSpec(
      "name", .oneOf(["server"]), for: .download, comes: .later("names from the server"),
      "`server` prefers the name in Content-Disposition (RFC 6266)."),
  ]

  private static let requestFields: [FieldSpec] = [
    FieldSpec(
      "headers", headersType, standard: "none", property: "allHTTPHeaderFields",
      interpolation: .secrets, "Laid over the session's, by name."),
    FieldSpec(
      "method", .text(.token), standard: "GET; upload: PUT, with a form POST",
      property: "HTTPMethod", for: [.data, .upload], "The request's method."),
    FieldSpec(
      "body", .alternatives([.text(.any), .object(bodyFile)]), property: "HTTPBody",
      for: [.data, .upload], interpolation: .secrets, "The request's body: a text or a file."),
    FieldSpec(
      "json", .anything, property: "HTTPBody", for: [.data, .upload], interpolation: .secrets,
      "The request's body, sent as application/json."),
    FieldSpec(
      "decode", .bool, standard: "true", for: .data, "Ask for and undo content codings."),
    FieldSpec(
      "if_match", .text(.entityTag), standard: "none", for: [.upload, .data],
      "Only over what has this ETag, or `*` for anything there."),
    FieldSpec(
      "if_none_match", .text(.entityTag), standard: "none", for: [.upload, .data],
      "Only over what has another ETag, or `*` for nothing there."),
  ]

  private static let orderFields: [FieldSpec] = [
    FieldSpec(
      "after", .list(.text(.nonEmpty), atLeast: 0), standard: "none",
      "Ids of tasks that must have succeeded; a matrix id means all of its copies."),
    FieldSpec(
      "priority", .alternatives([.number(0...1), .oneOf(["low", "default", "high"])]),
      standard: "0.5", property: "NSURLSessionTask.priority", "Who goes first among the ready."),
    FieldSpec(
      "earliest_begin", .text(.dateTime), property: "earliestBeginDate",
      comes: .later("earliest_begin"), "Not before this time."),
    FieldSpec(
      "between", .text(.window), comes: .later("daily windows"),
      "A window that repeats daily; outside it the task is deferred."),
    FieldSpec(
      "expected_bytes", .size, property: "countOfBytesClientExpectsToReceive/Send",
      "An estimate for the plan, the disk check and the progress."),
  ]

  private static let overrideFields: [FieldSpec] = [
    FieldSpec(
      "cache_policy", .oneOf(policyNames), standard: "the session's",
      property: "NSURLRequest.cachePolicy", "When a stored answer is used."),
    requestTimeoutField, resourceTimeoutField, serviceTypeField, cellularField, expensiveField,
    constrainedField, waitsField, redirectsField, retryField, rateField, credentialsField,
  ]

  private static let uploadFields: [FieldSpec] = [
    FieldSpec(
      "resumable", .oneOf(["none", "tus", "ietf", "content_range", "s3"]), standard: "none",
      for: .upload, comes: .laterUnless(["none"], "resumable uploads"), "How an upload resumes."),
    FieldSpec(
      "metadata", .map(.text(.any), keys: .nonEmpty), for: .upload,
      comes: .later("resumable uploads"),
      "Metadata of a tus upload."),
    FieldSpec(
      "chunk_size", .size, for: .upload, comes: .later("resumable uploads"), "Bytes of one piece."),
    FieldSpec(
      "only_changed", .bool, standard: "false", for: .upload,
      comes: .laterUnless(["false"], "only_changed"), "Don't send what was sent last time."),
    FieldSpec(
      "mkcol", .bool, standard: "false", for: .upload,
      comes: .laterUnless(["false"], "making WebDAV parents"), "Make missing WebDAV parents."),
  ]

  private static let expansionFields: [FieldSpec] = [
    FieldSpec(
      "matrix",
      .map(.alternatives([.list(.text(.any), atLeast: 1), .object(numberRange)]), keys: .name),
      "Names to lists or ranges: one task for each member of their product."),
    FieldSpec(
      "items",
      .alternatives([
        .list(.alternatives([.text(.any), .map(.text(.any), keys: .nonEmpty)]), atLeast: 0),
        .object(itemsFile),
      ]), "A list, or a file of items: one task each."),
    FieldSpec(
      "hooks", .object(hooks), comes: .later("hooks"), "Programs that run when the task ends."),
  ]
}
