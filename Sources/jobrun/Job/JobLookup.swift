import Glibc
import TransferCore
import TransferIO

/// The job that a command line names: its file's path, or the name of a job that has run before,
/// whose state remembers where its file stands. A file of that name comes first.
enum JobLookup {
  /// The job file's path; the word itself when no job of that name is known.
  /// - Parameter folder: `--state`.
  static func path(of word: String, state folder: String? = nil) -> String {
    if word == "-" || word.contains("/") || access(word, F_OK) == 0 { return word }
    guard let job = known(word, state: folder), job.file != "-" else { return word }
    return job.file
  }

  /// Whether a job of that name has run before.
  static func knows(_ name: String) -> Bool { !name.contains("/") && known(name) != nil }

  /// What the state knows of the job of that name; nil when there is none.
  static func known(_ name: String, state folder: String? = nil) -> JobIdentity? {
    guard let path = self.folder(name, folder) else { return nil }
    guard let job = StateStore.job(in: StateFolder(path: path)), job.name == name else {
      return nil
    }
    let end = job.file.lastIndex(of: "/") ?? job.file.startIndex
    let home = String(job.file[..<end])
    return JobIdentity(name: job.name, file: job.file, folder: home, root: home)
  }

  /// Whether a file is there.
  static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Where the state of the job of that name lies.
  static func folder(_ name: String, _ folder: String?) -> String? {
    if let folder { return WorkingFolder.absolute(folder) }
    return XDG.stateFolder(job: name, variable: Environment.variable)
  }
}
