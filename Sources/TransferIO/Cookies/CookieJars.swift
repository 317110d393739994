import Glibc
import TransferCore

/// The jars of a run's sessions, as their files are when it begins.
package final class CookieJars {
  /// Where jars lie.
  package struct Places: Sendable {
    /// The user's shared jar; nil without a home folder: then it is kept in memory.
    package var shared: String?
    /// The job's state folder.
    package var folder: StateFolder

    package init(shared: String?, folder: StateFolder) {
      self.shared = shared
      self.folder = folder
    }

    /// nil where the session has no jar on disk.
    func file(of session: SessionPlan) -> CookieJarFile? {
      switch session.cookies.storage {
      case .shared:
        shared.map { CookieJarFile(path: $0, isOurs: true, isRequired: false) }
      case .private:
        CookieJarFile(
          path: "\(folder.path)/cookies-\(session.name).txt", isOurs: true, isRequired: true)
      case .file(let path):
        CookieJarFile(path: Self.real(path), isOurs: path == shared, isRequired: true)
      case .memory, .none: nil
      }
    }

    /// Where a symbolic link leads, so that the file there is replaced and not the link.
    private static func real(_ path: String) -> String {
      guard let real = unsafe realpath(path, nil) else { return path }
      defer { unsafe free(real) }
      return unsafe String(cString: real)
    }
  }

  /// What was found and set right: for the operator.
  package private(set) var notices: [String] = []
  /// By session; nil for those that keep no cookies.
  private var jars: [CookieJar?]
  let suffixes = PublicSuffixes()

  /// Jars in memory alone.
  init(memoryFor sessions: [SessionPlan]) {
    jars = sessions.map { $0.cookies.storage == .none ? nil : CookieJar(file: nil, CookieFile()) }
  }

  /// - Parameter used: sessions that tasks use: the files of others are left alone.
  package init(
    _ sessions: [SessionPlan], used: Set<Int>, _ places: Places, at now: WallTime
  ) throws(FileError) {
    jars = []
    var byPath: [String: CookieJar] = [:]
    for (index, session) in sessions.enumerated() {
      guard used.contains(index), let file = places.file(of: session) else {
        let keepsNone = session.cookies.storage == .none
        jars.append(keepsNone ? nil : CookieJar(file: nil, CookieFile()))
        continue
      }
      if let known = byPath[file.path] {
        jars.append(known)
        continue
      }
      let jar = try open(file, now)
      byPath[file.path] = jar
      jars.append(jar)
    }
  }

  private func open(_ file: CookieJarFile, _ now: WallTime) throws(FileError) -> CookieJar {
    do throws(FileError) {
      let (contents, notice) = try file.readForRun(at: now)
      if let notice { notices.append(notice) }
      return CookieJar(file: file, contents)
    } catch {
      if file.isRequired { throw error }
      notices.append(Self.lossWords(error))
      return CookieJar(file: nil, CookieFile())
    }
  }

  /// What the operator is told of a jar that the run goes on without.
  static func lossWords(_ error: FileError) -> String {
    "cookies are not kept for the next run: \(error.failure.detail)"
  }

  func jar(of session: Int) -> CookieJar? { jars[session] }

  /// When something is to be written next.
  var nextDue: Instant? { jars.lazy.compactMap { $0?.due }.min() }

  /// What is due; or all that changed, at the end of a run.
  func writes(at now: Instant, all: Bool = false) -> [CookieWrite] {
    jars.compactMap { jar in
      guard let jar, let due = jar.due, all || due <= now else { return nil }
      return jar.takeChanges(at: now)
    }
  }
}
