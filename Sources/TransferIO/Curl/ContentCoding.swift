/// The content codings that are undone.
enum ContentCoding {
  /// Those that are asked for: their own end shows whether they are whole, and is looked at.
  static let asked = "gzip, deflate"

  /// Whether libcurl undoes every coding of a Content-Encoding field.
  static func isKnown(_ field: String) -> Bool {
    field.split(separator: ",").allSatisfy { item in
      known.contains(item.lowercased().filter { $0 != " " && $0 != "\t" })
    }
  }

  private static let known: Set<String> = [
    "identity", "none", "deflate", "gzip", "x-gzip", "br", "zstd",
  ]
}
