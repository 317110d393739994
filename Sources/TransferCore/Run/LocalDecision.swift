/// What is known of a download's files before anything is asked of a server.
package struct LocalFacts: Equatable, Sendable {
  /// The target by `lstat`; nil when there is none.
  package var target: FileFacts?
  /// What the state remembers of the file that this task committed.
  package var committed: CommittedFile?
  /// Durable progress, when the part file is really there, the same and long enough.
  package var checkpoint: Checkpoint?
  /// The run of this chain in which the task ended `done`.
  package var doneInRun: String?
  /// Digests that the job declares or its lists name; lower-case hex.
  package var declared: [DeclaredDigest] = []
  /// Digests of the target's bytes, once it was hashed.
  package var targetDigests: [ChecksumAlgorithm: String] = [:]
  /// The address, without user info and secrets.
  package var url = ""

  package init() {}

  /// A digest, and whether it stands in the job file itself.
  package struct DeclaredDigest: Equatable, Sendable {
    package var algorithm: ChecksumAlgorithm
    package var hex: String
    package var isInline: Bool
    package init(algorithm: ChecksumAlgorithm, hex: String, isInline: Bool) {
      self.algorithm = algorithm
      self.hex = hex
      self.isInline = isInline
    }
  }
}

/// What a download does first, from the file, the state and the disk alone: `plan` prints it and
/// `run` does it.
package enum LocalDecision: Equatable, Sendable {
  /// Nothing is sent; the file stays.
  case keep(outcome: Outcome, reason: String)
  /// The target's bytes must be hashed before anything can be said.
  case hash([ChecksumAlgorithm])
  case fetch(reason: String)
  case resume(from: Int64, validator: Validator?, total: Int64?)
  /// Ask whether the file is current: at the address that it came from, and at no other.
  case revalidate(Validator, at: String)
  /// The task's address is another one than when the file came. A request without conditions; where
  /// it leads by redirects to the address that the file came from, that is asked with them.
  case fetchUnless(Validator, at: String)
  case fail(TransferFailure)

  package static func decide(
    _ download: DownloadPlan, policy: CachePolicy, _ facts: LocalFacts
  ) -> Self {
    if let failure = obstacle(download, facts) { return .fail(failure) }
    let match = TargetMatch(facts)
    if let run = facts.doneInRun, match == .same {
      return .keep(outcome: .unchanged, reason: "done in run \(run)")
    }
    switch policy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
      return resumption(facts) ?? .fetch(reason: "the cache policy asks for a new transfer")
    case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
      if let kept = stored(facts, match) { return kept }
      if policy == .returnCacheDataDontLoad {
        return .fail(
          TransferFailure(
            .cacheMiss, "no complete file is here and the cache policy forbids the network"))
      }
    case .useProtocolCachePolicy, .reloadRevalidatingCacheData: break
    }
    return refreshed(facts, match)
  }

  /// What stands at the target and may not be replaced.
  private static func obstacle(_ download: DownloadPlan, _ facts: LocalFacts) -> TransferFailure? {
    guard let target = facts.target else { return nil }
    switch target.kind {
    case .folder:
      return TransferFailure(
        .localFile, "a folder stands at \(download.path); end `to` with / to write into it")
    case .other:
      return TransferFailure(.localFile, "\(download.path) is neither a file nor a link")
    case .symbolicLink where !download.overwrites, .regular where !download.overwrites:
      // What somebody wrote into it since is theirs.
      if let own = facts.committed, own.path == download.path, own.inode == target.inode,
        own.size == target.size,
        own.modificationNanoseconds == target.modificationNanoseconds, target.kind == .regular
      {
        return nil
      }
      return TransferFailure(
        .localFile,
        "\(download.path) exists and this job did not write it; move it away, or leave "
          + "`overwrite: false` out")
    default: return nil
    }
  }

  private static func stored(_ facts: LocalFacts, _ match: TargetMatch) -> Self? {
    switch match {
    case .same, .sameBytes:
      return .keep(outcome: .cached, reason: "a complete file is here and the policy takes it")
    case .mustHash(let algorithms): return .hash(algorithms)
    case .absent, .different, .unknown: return nil
    }
  }

  private static func refreshed(_ facts: LocalFacts, _ match: TargetMatch) -> Self {
    let inline = facts.declared.contains(where: \.isInline)
    switch match {
    case .mustHash(let algorithms): return .hash(algorithms)
    case .sameBytes where inline:
      return .keep(outcome: .unchanged, reason: "the file has the declared checksum")
    case .sameBytes where facts.committed == nil:
      return .keep(outcome: .unchanged, reason: "the file has the listed checksum")
    case .same, .sameBytes: return revalidation(facts)
    case .absent:
      let isLink = facts.target?.kind == .symbolicLink
      let reason = isLink ? "a symbolic link is here: it is replaced" : "no file is here yet"
      return resumption(facts) ?? .fetch(reason: reason)
    case .different:
      return resumption(facts) ?? .fetch(reason: "the file is not the one this task wrote")
    case .unknown:
      return resumption(facts) ?? .fetch(reason: "the state knows nothing of the file here")
    }
  }

  private static func revalidation(_ facts: LocalFacts) -> Self {
    if let resumed = resumption(facts) { return resumed }
    guard let committed = facts.committed else { return .fetch(reason: "no validator is known") }
    if committed.validator.isEmpty { return .fetch(reason: "the server gave no validator") }
    if committed.askedURL ?? committed.url != facts.url {
      return .fetchUnless(committed.validator, at: committed.url)
    }
    return .revalidate(committed.validator, at: committed.url)
  }

  /// Go on with the part file, where its bytes can be proven to belong to the rest.
  private static func resumption(_ facts: LocalFacts) -> Self? {
    guard let checkpoint = facts.checkpoint, checkpoint.durableBytes > 0 else { return nil }
    let isSameAddress = checkpoint.url == facts.url
    if checkpoint.validator.strongETag != nil && (isSameAddress || checkpoint.total != nil)
      || isSameAddress && checkpoint.validator.hasStrongDate
    {
      return .resume(
        from: checkpoint.durableBytes, validator: checkpoint.validator, total: checkpoint.total)
    }
    guard !facts.declared.isEmpty else { return nil }
    return .resume(from: checkpoint.durableBytes, validator: nil, total: checkpoint.total)
  }
}

/// How the file at the target compares with what the state and the job know.
enum TargetMatch: Equatable {
  case absent
  /// Size, time and inode are those of the commit, and no declared digest speaks against it.
  case same
  /// Hashed, and its bytes are the declared ones or those of the commit.
  case sameBytes
  case different
  /// A file stands there that nothing is known of.
  case unknown
  case mustHash([ChecksumAlgorithm])

  init(_ facts: LocalFacts) {
    guard let target = facts.target, target.kind == .regular else {
      self = .absent
      return
    }
    let untouched = facts.committed.map { Self.isUntouched(target, $0) } ?? false
    if untouched, let committed = facts.committed, let sha256 = committed.sha256,
      facts.declared.allSatisfy({ $0.algorithm == .sha256 })
    {
      let agrees = facts.declared.allSatisfy { $0.hex == sha256 }
      self = agrees ? (facts.declared.isEmpty ? .same : .sameBytes) : .different
      return
    }
    if !facts.declared.isEmpty {
      self = Self.byDigest(facts.declared.map { ($0.algorithm, $0.hex) }, facts)
    } else if untouched {
      self = .same
    } else if let committed = facts.committed {
      self = Self.restored(target, committed, facts)
    } else {
      self = .unknown
    }
  }

  private static func isUntouched(_ target: FileFacts, _ committed: CommittedFile) -> Bool {
    target.inode == committed.inode && target.size == committed.size
      && target.modificationNanoseconds == committed.modificationNanoseconds
  }

  /// A restored cache or a copy: only inode or sub-second time differ.
  private static func restored(
    _ target: FileFacts, _ committed: CommittedFile, _ facts: LocalFacts
  ) -> Self {
    let sameSecond =
      target.modificationNanoseconds / 1_000_000_000
      == committed.modificationNanoseconds / 1_000_000_000
    guard target.size == committed.size, sameSecond, let sha256 = committed.sha256 else {
      return .different
    }
    return byDigest([(.sha256, sha256)], facts)
  }

  private static func byDigest(
    _ wanted: [(ChecksumAlgorithm, String)], _ facts: LocalFacts
  ) -> Self {
    let missing = wanted.map(\.0).filter { facts.targetDigests[$0] == nil }
    if !missing.isEmpty { return .mustHash(missing) }
    return wanted.allSatisfy { facts.targetDigests[$0.0] == $0.1 } ? .sameBytes : .different
  }
}

extension Validator {
  /// Last-Modified is strong when the answer's Date is at least one second later (RFC 9110,
  /// section 8.8.2.2).
  package var hasStrongDate: Bool {
    guard let lastModified, let date,
      let modified = HTTPDate.seconds(lastModified, now: 0),
      let answered = HTTPDate.seconds(date, now: 0)
    else { return false }
    return answered > modified
  }
}
