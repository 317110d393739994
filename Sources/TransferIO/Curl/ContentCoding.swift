/// The content codings that libcurl undoes here.
enum ContentCoding {
  /// Whether every coding of a Content-Encoding field is one of them.
  static func isKnown(_ field: String) -> Bool {
    field.split(separator: ",").allSatisfy { item in
      known.contains(item.lowercased().filter { $0 != " " && $0 != "\t" })
    }
  }

  private static let known: Set<String> = [
    "identity", "none", "deflate", "gzip", "x-gzip", "br", "zstd",
  ]
}
