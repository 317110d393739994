import Glibc

/// This clone, as files to read. Paths are relative to its top.
enum Repository {
  /// The top folder, absolute, without a slash at the end.
  static let root: String = {
    // Three names up: this file, TidyTests, Tests.
    var path = Substring(#filePath)
    for _ in 0..<3 { path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
    return String(path)
  }()

  /// Folders that hold what was built or fetched, not what was written.
  private static let skipped: Set<String> = [".git", ".build", "mirror"]

  /// Every file below `folder`, sorted.
  static func files(below folder: String, ending: [String] = [""]) -> [String] {
    var found: [String] = []
    var folders = [folder]
    while let next = folders.popLast() {
      for (name, isFolder) in entries(of: next) where !skipped.contains(name) {
        let path = next.isEmpty ? name : next + "/" + name
        if isFolder {
          folders.append(path)
        } else if ending.contains(where: path.hasSuffix) {
          found.append(path)
        }
      }
    }
    return found.sorted()
  }

  /// Names in `folder`, and which of them are folders.
  static func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
    guard let stream = opendir(root + "/" + folder) else { return [] }
    defer { closedir(stream) }
    var found: [(name: String, isFolder: Bool)] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      found.append((name, Int32(entry.pointee.d_type) == Int32(DT_DIR)))
    }
    return found
  }

  /// Every Swift file of ours, read once.
  static let swift: [(path: String, code: SwiftText)] =
    files(below: "", ending: [".swift"]).map { ($0, SwiftText(text(of: $0))) }

  static func text(of path: String) -> String {
    guard let file = fopen(root + "/" + path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
