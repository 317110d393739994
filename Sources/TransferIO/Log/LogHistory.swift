import CLinux
import Glibc
import TransferCore

/// Reads from a completion log how tasks ended, for looking at it: takes no lock, changes nothing.
package enum LogHistory {
  /// No more of the log's end is read.
  private static let bound: off_t = 16 * 1_048_576

  /// The ends of a job's tasks that the log's end tells, the newest first. A log that can't be
  /// read tells none.
  package static func ends(
    in path: String, job: String, tasks: Set<String>
  ) -> [String: [PastEnd]] {
    let needles = tasks.map(needle)
    var ends: [String: [PastEnd]] = [:]
    for line in end(of: path).split(separator: UInt8(ascii: "\n")).reversed() {
      // A record begins with what it is of: most lines need no reading.
      let start = line.prefix(4_096)
      if needles.count <= 8, !needles.contains(where: { start.firstRange(of: $0) != nil }) {
        continue
      }
      guard let record = JSONNode(line), record["job"]?.text == job,
        record["event"]?.text == "task_finished", let task = record["task"]?.text,
        tasks.contains(task), let run = record["run_id"]?.text
      else { continue }
      ends[task, default: []].append(PastEnd(runID: run, record: record))
    }
    return ends
  }

  /// `"task":"ID"` as a record has it.
  private static func needle(_ task: String) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("task", task)
    return Array(json.bytes.dropFirst())
  }

  private static func end(of path: String) -> [UInt8] {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = unsafe jobrun_openat(AT_FDCWD, path, flags, 0)
    if descriptor < 0 { return [] }
    defer { close(descriptor) }
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return []
    }
    let start = max(0, facts.st_size - bound)
    var bytes = [UInt8](repeating: 0, count: Int(facts.st_size - start))
    let count = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe pread(descriptor, bytes.baseAddress, bytes.count, start)
    }
    // The first line may have lost its start: then it is no JSON.
    return Array(bytes.prefix(max(0, count)))
  }
}
