import Glibc
import Testing

/// A page or a part of one that is made from the code. Under `UPDATE_GOLDEN=1` it is rewritten, and
/// a run that rewrites fails.
enum Golden {
  /// Holds the whole file `path` (from the top of the clone) to `text`.
  static func expect(_ path: String, is text: String) throws {
    let found = TemporaryFolder.text(of: Clone.root + "/" + path) ?? ""
    if found == text { return }
    try rewrite(path, text)
  }

  /// Holds the part of `path` between `<!-- NAME -->` and `<!-- end NAME -->` to `text`.
  static func expect(_ path: String, part name: String, is text: String) throws {
    let found = TemporaryFolder.text(of: Clone.root + "/" + path) ?? ""
    let (begin, end) = ("<!-- \(name) -->\n", "<!-- end \(name) -->")
    let start = try #require(found.firstRange(of: begin)?.upperBound, "\(path) has no \(begin)")
    let stop = try #require(found[start...].firstRange(of: end)?.lowerBound)
    if found[start..<stop] == text { return }
    try rewrite(path, found[..<start] + text + found[stop...])
  }

  private static func rewrite(_ path: String, _ text: String) throws {
    if let asked = getenv("UPDATE_GOLDEN"), String(cString: asked) == "1" {
      let file = try #require(fopen(Clone.root + "/" + path, "w"))
      fputs(text, file)
      fclose(file)
    }
    Issue.record("\(path) isn't what the code says; UPDATE_GOLDEN=1 rewrites it")
  }
}
