/// A list of files and their digests, as coreutils' `sha256sum` and the BSDs' `sha256` write it:
///
///     9f86d081…  name            binary: 9f86d081… *name      escaped: \9f86d081…  na\\me
///     SHA256 (name) = 9f86d081…
///     9f86d081…                  alone, in a list that is called name.sha256
///
/// Blank lines and lines that begin with `#` are passed over; lines may end in CR LF.
package struct ChecksumList: Sendable {
  /// What a list says about a file.
  package enum Answer: Equatable, Sendable {
    /// Its digest in lower-case hexadecimal.
    case found(ChecksumAlgorithm, String)
    /// The list does not name the file.
    case notListed
    /// Several lines could be meant, and they differ: the first two of them.
    case ambiguous(ChecksumLine, ChecksumLine)
    /// The file is listed, but not with the algorithm asked for.
    case otherAlgorithm(ChecksumAlgorithm)
    /// The file is listed with an algorithm that we don't know.
    case unknownAlgorithm(String)
  }

  /// The lines that name a file, in order.
  package private(set) var lines: [ChecksumLine] = []
  /// How many lines could not be read, and the first of them, from 1.
  package private(set) var unreadable: (count: Int, first: Int) = (0, 0)

  private var byName = [String: [Int]]()
  private var byLastSegment = [String: [Int]]()

  /// - Parameters:
  ///   - bytes: the list; what isn't UTF-8 in it becomes U+FFFD.
  ///   - fileName: the list's own last path segment, which may tell what its digests are.
  package init(parsing bytes: [UInt8], fileName: String) {
    let reader = ChecksumLineReader(fileName: fileName)
    var number = 0
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let line = line.last == 0x0D ? line.dropLast() : line
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      if let read = reader.read(line, number: number) {
        add(read)
      } else {
        unreadable = (unreadable.count + 1, unreadable.count == 0 ? number : unreadable.first)
      }
    }
  }

  /// Looks a file up by its path, from the list's folder or absolute, as it is written in the list;
  /// else by its last segment alone, if the lines that share it agree.
  /// - Parameter algorithm: the one wanted; nil takes the strongest that is listed.
  package func answer(for path: String, algorithm: ChecksumAlgorithm?) -> Answer {
    let path = ChecksumLineReader.normalized(path)
    if let named = byName[path] { return answer(among: named, algorithm) }
    let alike = byLastSegment[ChecksumLineReader.lastSegment(path)]
    return answer(among: alike ?? [], algorithm)
  }

  private mutating func add(_ line: ChecksumLine) {
    byName[line.name, default: []].append(lines.count)
    byLastSegment[ChecksumLineReader.lastSegment(line.name), default: []].append(lines.count)
    lines.append(line)
  }

  private func answer(among indices: [Int], _ asked: ChecksumAlgorithm?) -> Answer {
    // The first line of each algorithm.
    var found: [ChecksumAlgorithm: ChecksumLine] = [:]
    for line in indices.lazy.map({ lines[$0] }) {
      guard let algorithm = line.algorithm(asking: asked) else { continue }
      if let before = found[algorithm] {
        if before.digest != line.digest { return .ambiguous(before, line) }
      } else {
        found[algorithm] = line
      }
    }
    if let best = found.max(by: { $0.key.byteCount < $1.key.byteCount }) {
      return .found(best.key, best.value.digest)
    }
    guard let other = indices.first.map({ lines[$0] }) else { return .notListed }
    if let label = other.unknownLabel { return .unknownAlgorithm(label) }
    return other.algorithm.map(Answer.otherAlgorithm) ?? .notListed
  }
}
