import Glibc
import TransferCore

/// Checksum lists. Those on disk are read and indexed once; a look-up after that costs one stat(2),
/// by which a list that another task has replaced meanwhile is read anew. Those from addresses are
/// handed over, and stay for the run.
package final class ChecksumLists {
  /// The most bytes of a list.
  package static let bound = Int(ListPlan.bound)

  private struct Entry {
    var version: BoundedFile.Version
    var list: ChecksumList
  }
  private var lists: [String: Entry] = [:]
  private var fetched: [Int32: ChecksumList] = [:]

  package init() {}

  /// The digest that a list has for a file, in lower-case hexadecimal.
  /// - Parameters:
  ///   - targetPath: absolute.
  ///   - listPath: absolute.
  ///   - algorithm: the one wanted; nil takes the strongest that is listed.
  /// - Throws: `.checksumList` with what to do about it.
  package func digest(
    of targetPath: String, in listPath: String, algorithm: ChecksumAlgorithm?
  ) throws(TransferFailure) -> (ChecksumAlgorithm, String) {
    let list = try list(listPath)
    let path = Self.path(of: targetPath, from: listPath)
    let answer = list.answer(for: path, algorithm: algorithm)
    switch answer {
    case .found(let algorithm, let digest): return (algorithm, digest)
    default:
      let words = Self.words(answer, asked: algorithm, path: path, listPath: listPath, list)
      throw TransferFailure(.checksumList, words)
    }
  }

  /// Takes a list that came from an address.
  package func learn(_ list: Int32, _ bytes: [UInt8], from url: String) {
    fetched[list] = ChecksumList(parsing: bytes, fileName: ListedName.ofList(url))
  }

  /// Whether a list from an address is here.
  package func has(_ list: Int32) -> Bool { fetched[list] != nil }

  /// The digest that a list from an address has for a file.
  /// - Parameters:
  ///   - file: the file's address, and the path under which it is kept, absolute.
  ///   - url: the list's address, as it is shown.
  package func digest(
    of file: (url: String, target: String), in list: Int32, from url: String,
    algorithm: ChecksumAlgorithm?
  ) throws(TransferFailure) -> (ChecksumAlgorithm, String) {
    guard let list = fetched[list] else {
      throw TransferFailure(.checksumList, "the checksum list \(url) is not here yet")
    }
    let names = ListedName.candidates(url: file.url, target: file.target, list: url)
    var failure = TransferFailure(.checksumList, "\(file.url) gives no name to look for in \(url)")
    for (index, name) in names.enumerated() {
      let answer = list.answer(for: name, algorithm: algorithm)
      if case .found(let algorithm, let digest) = answer { return (algorithm, digest) }
      if index == 0 || answer != .notListed {
        let words = Self.words(answer, asked: algorithm, path: name, listPath: url, list)
        failure = TransferFailure(.checksumList, words)
      }
      if answer != .notListed { break }
    }
    throw failure
  }

  private func list(_ path: String) throws(TransferFailure) -> ChecksumList {
    do {
      if let known = lists[path] {
        let version = try BoundedFile.version(path)
        if version == known.version { return known.list }
      }
    } catch { throw Self.unreadable(path, .failed(error)) }
    do {
      let contents = try BoundedFile.read(path, bound: Self.bound)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let list = ChecksumList(parsing: contents.bytes, fileName: name)
      lists[path] = Entry(version: contents.version, list: list)
      return list
    } catch { throw Self.unreadable(path, error) }
  }

  /// From the list's folder, when the target is beneath it, else as it is.
  private static func path(of target: String, from list: String) -> String {
    guard let slash = list.utf8.lastIndex(of: UInt8(ascii: "/")) else { return target }
    let folder = list[...slash]
    return target.hasPrefix(folder) ? String(target.dropFirst(folder.count)) : target
  }
}

extension ChecksumLists {
  private static func unreadable(
    _ path: String, _ problem: BoundedFile.Problem
  ) -> TransferFailure {
    let words =
      switch problem {
      case .tooLarge(let bound):
        "the checksum list \(path) is larger than \(bound >> 20) MiB: is it the right file?"
      case .failed(let error):
        if error.cause == .system(ENOENT) {
          "there is no checksum list \(path): fetch it in a task of this job, or check the path"
        } else {
          "the checksum list can't be had: \(error.failure.detail)"
        }
      }
    return TransferFailure(.checksumList, words)
  }

  private static func words(
    _ answer: ChecksumList.Answer, asked: ChecksumAlgorithm?, path: String, listPath: String,
    _ list: ChecksumList
  ) -> String {
    switch answer {
    case .found, .notListed: missing(path, listPath, list)
    case .ambiguous(let first, let second):
      if first.name == second.name {
        "\(listPath) has two digests for \(first.name), in lines \(first.number) and "
          + "\(second.number): get a sound list"
      } else {
        "\(listPath) doesn't name \(path), and lines \(first.number) (\(first.name)) and "
          + "\(second.number) (\(second.name)) could both be meant: put the target where the "
          + "list has it"
      }
    case .otherAlgorithm(let other):
      "\(listPath) has \(path) by \(other.rawValue) and not by \(asked?.rawValue ?? "another"): "
        + "leave algorithm: out, or say \(other.rawValue)"
    case .unknownAlgorithm(let label):
      "\(listPath) has \(path) by \(label), which jobrun doesn't know: give sha256 or sha512, or "
        + "algorithm: if the list's name misleads"
    }
  }

  private static func missing(_ path: String, _ listPath: String, _ list: ChecksumList) -> String {
    let count = list.lines.count
    if count == 0 {
      return "\(listPath) has no line like `HEX  NAME` or `SHA256 (NAME) = HEX`: "
        + "is it a checksum list?"
    }
    let files = count == 1 ? "1 line is" : "\(count) lines are"
    let unreadable = list.unreadable
    let rest =
      switch unreadable.count {
      case 0: ""
      case 1: "; line \(unreadable.first) can't be read"
      default: "; \(unreadable.count) can't be read, the first is line \(unreadable.first)"
      }
    return "\(listPath) doesn't list \(path) (\(files) there\(rest))"
  }
}
