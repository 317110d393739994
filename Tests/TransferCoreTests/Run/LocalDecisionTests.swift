import Testing
import TransferCore

@Suite struct LocalDecisionTests {
  private let validator = Validator(etag: "\"v\"")

  private func target(inode: UInt64 = 1, size: Int64 = 10, time: Int64 = 5) -> FileFacts {
    FileFacts(
      kind: .regular, device: 1, inode: inode, size: size, modificationNanoseconds: time,
      mode: 0o644)
  }

  private func facts(_ change: (inout LocalFacts) -> Void = { _ in }) -> LocalFacts {
    var facts = LocalFacts()
    facts.url = "http://a/x"
    facts.target = target()
    facts.committed = CommittedFile(
      url: "http://a/x", path: "/t", inode: 1, size: 10, modificationNanoseconds: 5,
      validator: validator, sha256: "aa")
    change(&facts)
    return facts
  }

  private func decide(
    _ facts: LocalFacts, _ policy: CachePolicy = .useProtocolCachePolicy,
    _ change: (inout DownloadPlan) -> Void = { _ in }
  ) -> LocalDecision {
    var download = DownloadPlan(path: "/t")
    change(&download)
    return LocalDecision.decide(download, policy: policy, facts)
  }

  private func fetches(_ decision: LocalDecision) -> Bool {
    if case .fetch = decision { true } else { false }
  }

  private let inline = LocalFacts.DeclaredDigest(algorithm: .sha256, hex: "aa", isInline: true)
  private let listed = LocalFacts.DeclaredDigest(algorithm: .sha256, hex: "aa", isInline: false)

  @Test func anUntouchedFileIsRevalidated() {
    #expect(decide(facts()) == .revalidate(validator, at: "http://a/x"))
  }

  @Test func aChangedOrMissingFileIsFetched() {
    #expect(fetches(decide(facts { $0.target = nil })))
    #expect(fetches(decide(facts { $0.target = target(size: 11) })))
    #expect(fetches(decide(facts { $0.target = target(time: 2_000_000_000) })))
    #expect(fetches(decide(facts { $0.committed = nil })))
  }

  @Test func aNewAddressIsFetchedWithoutConditions() {
    // The machine lays conditions on nothing but the known address, should a redirect lead there.
    #expect(
      decide(facts { $0.url = "http://b/x" }) == .fetchUnless(validator, at: "http://a/x"))
  }

  @Test func aRestoredCopyIsHashedOnce() {
    let copy = facts { $0.target = target(inode: 2, time: 6) }
    #expect(decide(copy) == .hash([.sha256]))
    var hashed = copy
    hashed.targetDigests = [.sha256: "aa"]
    #expect(decide(hashed) == .revalidate(validator, at: "http://a/x"))
    hashed.targetDigests = [.sha256: "bb"]
    #expect(fetches(decide(hashed)))
  }

  @Test func aDeclaredChecksumNeedsNoRequest() {
    let kept = LocalDecision.keep(
      outcome: .unchanged, reason: "the file has the declared checksum")
    #expect(decide(facts { $0.declared = [inline] }) == kept)
    let unknown = facts {
      $0.committed = nil
      $0.declared = [inline]
    }
    #expect(decide(unknown) == .hash([.sha256]))
    var hashed = unknown
    hashed.targetDigests = [.sha256: "aa"]
    #expect(decide(hashed) == kept)
  }

  @Test func aListedChecksumIsStillRevalidatedAndAnotherOneFetchesAnew() {
    #expect(decide(facts { $0.declared = [listed] }) == .revalidate(validator, at: "http://a/x"))
    var other = listed
    other.hex = "bb"
    #expect(fetches(decide(facts { $0.declared = [other] })))
  }

  @Test func doneEarlierInTheChainIsKeptWhileTheFileIsThatOne() {
    let done = facts { $0.doneInRun = "r0" }
    #expect(decide(done) == .keep(outcome: .unchanged, reason: "done in run r0"))
    var gone = done
    gone.target = nil
    #expect(fetches(decide(gone)))
  }

  @Test func cachePoliciesOfDownloads() {
    #expect(fetches(decide(facts(), .reloadIgnoringLocalCacheData)))
    #expect(fetches(decide(facts(), .reloadIgnoringLocalAndRemoteCacheData)))
    #expect(
      decide(facts(), .reloadRevalidatingCacheData) == .revalidate(validator, at: "http://a/x"))
    let cached = LocalDecision.keep(
      outcome: .cached, reason: "a complete file is here and the policy takes it")
    #expect(decide(facts(), .returnCacheDataElseLoad) == cached)
    #expect(decide(facts(), .returnCacheDataDontLoad) == cached)
    let gone = facts { $0.target = nil }
    #expect(fetches(decide(gone, .returnCacheDataElseLoad)))
    if case .fail(let failure) = decide(gone, .returnCacheDataDontLoad) {
      #expect(failure.kind == .cacheMiss)
    } else {
      Issue.record("the network was asked")
    }
  }

  @Test func whatStandsInTheWayFails() {
    var folder = target()
    folder.kind = .folder
    func kind(_ decision: LocalDecision) -> TransferFailure.Kind? {
      if case .fail(let failure) = decision { failure.kind } else { nil }
    }
    #expect(kind(decide(facts { $0.target = folder })) == .localFile)
    let foreign = facts { $0.committed = nil }
    #expect(kind(decide(foreign, .useProtocolCachePolicy) { $0.overwrites = false }) == .localFile)
    #expect(kind(decide(facts(), .useProtocolCachePolicy) { $0.overwrites = false }) == nil)
    // Somebody wrote into it, in place.
    var edited = target()
    edited.size += 9
    let own = facts { $0.target = edited }
    #expect(kind(decide(own, .useProtocolCachePolicy) { $0.overwrites = false }) == .localFile)
    var link = target()
    link.kind = .symbolicLink
    let linked = facts { $0.target = link }
    #expect(kind(decide(linked, .useProtocolCachePolicy) { $0.overwrites = false }) == .localFile)
    #expect(fetches(decide(linked)))
  }

  private func checkpoint(_ validator: Validator, url: String = "http://a/x") -> Checkpoint {
    Checkpoint(url: url, path: "/p", inode: 9, durableBytes: 4, total: 10, validator: validator)
  }

  @Test func aPartFileIsContinuedOnlyWithProof() {
    func resume(_ point: Checkpoint, declared: Bool = false) -> LocalDecision {
      decide(
        facts {
          $0.target = nil
          $0.committed = nil
          $0.checkpoint = point
          if declared { $0.declared = [inline] }
        })
    }
    #expect(
      resume(checkpoint(validator)) == .resume(from: 4, validator: validator, total: 10))
    // A strong ETag speaks for a new address too, and If-Range asks.
    #expect(
      resume(checkpoint(validator, url: "http://b/y"))
        == .resume(from: 4, validator: validator, total: 10))
    let weak = Validator(etag: "W/\"v\"")
    #expect(fetches(resume(checkpoint(weak))))
    #expect(resume(checkpoint(weak), declared: true) == .resume(from: 4, validator: nil, total: 10))
    let dated = Validator(
      lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", date: "Sun, 06 Nov 1994 08:49:38 GMT")
    #expect(resume(checkpoint(dated)) == .resume(from: 4, validator: dated, total: 10))
    #expect(fetches(resume(checkpoint(dated, url: "http://b/y"))))
    let sameSecond = Validator(
      lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", date: "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(fetches(resume(checkpoint(sameSecond))))
  }

  /// What counts as another address is the task's own; asked is where the file came from.
  @Test func aFileThatCameByARedirectIsAskedForThere() {
    let moved = facts { facts in
      facts.committed?.url = "http://b/y"
      facts.committed?.askedURL = "http://a/x"
    }
    #expect(decide(moved) == .revalidate(validator, at: "http://b/y"))
    let renamed = facts { $0.committed?.url = "http://b/y" }
    #expect(decide(renamed) == .fetchUnless(validator, at: "http://b/y"))
  }
}
