import TransferCore

/// Locks by the identifiers of background sessions: two runs with one identifier, of whichever
/// job, are never under way at once.
package enum IdentifierLock {
  /// What a run needs.
  package struct Claims: Sendable {
    /// The user's folder of such locks, absolute; nil without a home folder.
    package var folder: String?
    package var job: String
    package var identifiers: [String]

    package init(folder: String?, job: String, identifiers: [String]) {
      self.folder = folder
      self.job = job
      self.identifiers = identifiers
    }
  }

  /// Takes all of them, or says who has one. They hold for as long as what is returned.
  static func take(
    _ claims: Claims, now: WallTime
  ) throws(RunSession.Problem) -> [JobLock] {
    if claims.identifiers.isEmpty { return [] }
    guard let folder = claims.folder else {
      throw .machine(
        TransferFailure(
          .disk, "there is no home folder for the locks of background sessions; set HOME"))
    }
    var locks: [JobLock] = []
    for identifier in claims.identifiers {
      let path = "\(folder)/\(PercentEncoding.query.encode(identifier)).lock"
      let attempt: JobLock.Attempt
      do throws(FileError) {
        try FolderChain.create(folder, mode: 0o700)
        attempt = try JobLock.attempt(path: path, now: now, job: claims.job)
      } catch { throw .machine(error.machineFailure) }
      switch attempt {
      case .taken(let lock): locks.append(lock)
      case .held(let holder): throw .heldIdentifier(identifier, holder)
      }
    }
    return locks
  }
}
