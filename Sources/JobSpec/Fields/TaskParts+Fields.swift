/// What a task says about its file and its answer, and the objects within a task.
extension ObjectSpec {
  static let downloadFields: [FieldSpec] = [
    FieldSpec(
      "checksum",
      .alternatives([
        .text(.checksum), .object(checksumFile),
        .list(.alternatives([.text(.checksum), .object(checksumFile)]), atLeast: 1),
      ]), standard: "none", for: .download,
      "`sha256:HEX` (or sha512, sha384, sha224, sha1, md5), a list, or a checksum file."),
    FieldSpec(
      "segments", .alternatives([.int(1...64), .oneOf(["auto"])]), standard: "1",
      for: .download,
      "Connections for this one file, each for a range of it; `auto` decides from size and support."
    ),
    FieldSpec(
      "overwrite", .bool, standard: "true", for: .download,
      "Whether a file that this job did not write may be replaced."),
    FieldSpec(
      "mode", .text(.mode), standard: "\"0644\" less the umask", for: .download,
      "Permission bits, as text in octal."),
    FieldSpec(
      "allow_unframed", .bool, standard: "false", for: .download,
      "Accept a close-delimited HTTP/1.1 body of unknown length."),
    FieldSpec(
      "keep_mtime", .bool, standard: "true", for: .download,
      "Set the file's time from Last-Modified."),
  ]

  static let resultFields: [FieldSpec] = [
    FieldSpec(
      "max_bytes", .size, standard: "none; data: 16 MiB", for: [.download, .data],
      "More than this fails the task and keeps nothing."),
    FieldSpec(
      "optional", .alternatives([.bool, .object(optionalRule)]), standard: "false",
      "Whether its failure leaves the exit code and the tasks behind it alone."),
    FieldSpec("expect", .object(expect), standard: "{ status: 2xx }", "What must come back."),
    FieldSpec(
      "becomes_download", .object(becomesDownload), property: "didBecomeDownloadTask",
      for: .data, comes: .later("becomes_download"), "When the answer becomes a file."),
    FieldSpec(
      "capture", .map(.object(captureRule), keys: .name), for: .data, comes: .later("captures"),
      "Parts of the answer for later tasks, as `${tasks.ID.NAME}`."),
    FieldSpec("save", .text(.path), for: .data, "Write the body to this path as well."),
  ]

  package static let uploadSource = ObjectSpec(
    "upload_source", "What to send when it isn't one file: exactly one of these.",
    [
      FieldSpec(
        "form", .list(.object(formPart), atLeast: 1), interpolation: .secrets,
        "Parts of multipart/form-data (RFC 7578)."),
      FieldSpec("body", .text(.any), interpolation: .secrets, "A text."),
    ])

  package static let formPart = ObjectSpec(
    "form_part", "A part of a form: a `value` or a `file`.",
    [
      FieldSpec("name", .text(.headerValue), required: true, "The field's name."),
      FieldSpec("value", .text(.any), interpolation: .secrets, "The field's text."),
      FieldSpec("file", .text(.path), "The file to send."),
      FieldSpec(
        "filename", .text(.headerValue), standard: "the file's own", "The name to send with it."),
      FieldSpec("content_type", .text(.headerValue), "The part's media type."),
    ])

  package static let bodyFile = ObjectSpec(
    "body_file", "A body from a file.",
    [FieldSpec("file", .text(.path), required: true, "The file to send.")])

  package static let checksumFile = ObjectSpec(
    "checksum_file", "A list of checksums in coreutils or BSD form.",
    [
      FieldSpec(
        "file", .text(.path), interpolation: .secrets, required: true,
        "Its path, which may be another task's target, or its address."),
      FieldSpec(
        "algorithm", .oneOf(["sha256", "sha512", "sha384", "sha224", "sha1", "md5"]),
        standard: "as its name or its digits tell", "The algorithm."),
    ])

  package static let optionalRule = ObjectSpec(
    "optional_rule", "Which failures don't count.",
    [
      FieldSpec(
        "on", .list(.int(100...599), atLeast: 1), required: true, "Statuses that don't count.")
    ])

  package static let expect = ObjectSpec(
    "expect", "What an answer must be like to count.",
    [
      FieldSpec(
        "status",
        .alternatives([
          .int(100...599), .text(.statusClass), .oneOf(["any"]),
          .list(.alternatives([.int(100...599), .text(.statusClass)]), atLeast: 1),
        ]), standard: "2xx", "The status, a list, a class, or any."),
      FieldSpec("content_type", .text(.mediaType), "The media type, without parameters."),
      FieldSpec("size", .size, "The length in bytes."),
      FieldSpec(
        "body_contains", .text(.nonEmpty), for: [.data, .upload], "A text within the body."),
    ])

  package static let becomesDownload = ObjectSpec(
    "becomes_download", "When an answer becomes a file.",
    [
      FieldSpec("to", .text(.path), required: true, "The file."),
      FieldSpec("above", .size, "When it is larger than this."),
      FieldSpec(
        "content_type", .list(.text(.mediaType), atLeast: 1), "When it has one of these types."),
    ])

  package static let captureRule = ObjectSpec(
    "capture", "What to take from the answer: exactly one of these.",
    [
      FieldSpec("json", .text(.jsonPointer), "A JSON pointer (RFC 6901)."),
      FieldSpec("header", .text(.token), "A header's name."),
      FieldSpec("regex", .text(.nonEmpty), "A regular expression; its first group, or all."),
    ])

  package static let numberRange = ObjectSpec(
    "number_range", "A range of whole numbers, both ends included.",
    [
      FieldSpec("from", .int(Int64.min...Int64.max), required: true, "The first."),
      FieldSpec("to", .int(Int64.min...Int64.max), required: true, "The last."),
      FieldSpec("format", .text(.numberFormat), standard: "%d", "How each is written."),
    ])

  package static let itemsFile = ObjectSpec(
    "items_file", "Items from a file.",
    [
      FieldSpec(
        "file", .text(.path), required: true, "Its path, relative to the job file's folder."),
      FieldSpec(
        "format", .oneOf(["lines", "csv", "jsonl"]), standard: "by its name's end, else lines",
        "How it is read."),
    ])
}
