import FaultOrigin

/// `docs/faults.md`, from the table and from tests that play what a scripted answer can't.
enum FaultPage {
  struct Row {
    var section: String
    var situation: String
    var does: String
    /// `Suite.function`
    var test: String
  }

  static var text: String {
    var text = """
      # The fault table

      What can go wrong between a server, the network and the disk, and what jobrun then does. A row
      whose test is a name in kebab case is a case of `FaultTests`: the real binary against a
      scripted server, judged by its exit code, its error code, the bytes under the target's name
      and the number of requests that the server saw. Other rows name their test. This page is made
      from the tests; `Benchmarks/faults` plays the same cases to other clients
      ([how they fare](benchmarks.md#the-fault-table)).


      """
    for promise in FaultCase.Promise.allCases {
      text += head(promise.rawValue)
      for fault in FaultTable.cases where fault.promise == promise {
        text += row(fault.situation, fault.section, fault.does, fault.name)
      }
      text += "\n"
    }
    text += head("What a scripted answer can't play")
    for row in elsewhere { text += self.row(row.situation, row.section, row.does, row.test) }
    return text
  }

  private static func head(_ title: String) -> String {
    "## \(title)\n| situation | section | what jobrun does | test |\n|---|---|---|---|\n"
  }

  private static func row(
    _ situation: String, _ section: String, _ does: String, _ test: String
  ) -> String {
    "| \(situation) | \(section) | \(does) | `\(test)` |\n"
  }

  static let elsewhere: [Row] = [
    Row(
      section: "the contract", situation: "kill -9 at any moment of a run",
      does: "every target is the old or the new whole file; the next run finishes",
      test: "KillTests.killsLeaveWholeFilesAndAStateThatFinishes"),
    Row(
      section: "the contract", situation: "kill -9 at each call that changes the disk",
      does: "the same, and nothing is fetched again beyond the checkpoint",
      test: "StepKillTests.anUpdate"),
    Row(
      section: "the contract", situation: "the power goes, at any step (ext4)",
      does: "the same, and no line of the log is lost or told twice",
      test: "PowerCutTests.atAStep"),
    Row(
      section: "the contract", situation: "EIO from any call that changes the disk",
      does: "told; the next run finishes", test: "FailedCallTests.oneInputOutputError"),
    Row(
      section: "the contract", situation: "ENOSPC from any call on",
      does: "exit 3, part files and state kept; the next run finishes",
      test: "FailedCallTests.aDiskThatStaysFull"),
    Row(
      section: "the contract", situation: "a full disk (tmpfs), and the state on it too",
      does: "exit 3; with room again the next run goes on",
      test: "DiskTests.theStateOnTheFullDiskToo"),
    Row(
      section: "the contract", situation: "a folder that can't be written",
      does: "fails its task as local_file; others go on",
      test: "DiskTests.targetsInAFolderThatCannotBeWritten"),
    Row(
      section: "RFC 9110, 9.2.2", situation: "kill -9 or a signal with a POST under way",
      does: "the next run fails it as unconfirmed, until --fresh",
      test: "UnconfirmedTests.isNotSentAgain"),
    Row(
      section: "the contract", situation: "a crash between the rename and its record",
      does: "a target with the inode and size of the intent is taken as committed",
      test: "RunRecoveryTests.diedBetweenRenameAndRecord"),
    Row(
      section: "the contract", situation: "a crash before the rename",
      does: "the intent is dropped; the target is what it was",
      test: "RunRecoveryTests.diedBeforeTheRename"),
    Row(
      section: "the contract", situation: "the target has another size than the intent",
      does: "validators never speak for other bytes: it is fetched anew",
      test: "RunRecoveryTests.aTargetOfAnotherSizeIsNotTaken"),
    Row(
      section: "the contract", situation: "a byte of the state is wrong, any one",
      does: "the state is set aside, told and rebuilt; no crash",
      test: "StateDamageTests.anyByteMayBeWrong"),
    Row(
      section: "the contract", situation: "the disk is full",
      does: "the machine's fault: exit 3, and no other task that writes starts",
      test: "PartFileTests.aFullDiskIsTheMachinesFault"),
    Row(
      section: "the contract", situation: "the part file is shorter at the end than it was",
      does: "is never put in place",
      test: "TargetPartTests.aPartFileThatIsTooShortIsNeverPutInPlace"),
    Row(
      section: "the contract", situation: "the part file is longer than the answer",
      does: "is cut to the answer's length",
      test: "TargetPartTests.whatIsBeyondTheAnswersLengthIsCutOff"),
    Row(
      section: "the contract", situation: "another file has taken the part file's name",
      does: "is not put in place",
      test: "PlacementTests.anotherFileUnderThePartsNameIsNotPutInPlace"),
    Row(
      section: "the contract", situation: "a symbolic link stands at the target",
      does: "is replaced and not followed",
      test: "PlacementTests.aLinkAtTheTargetIsReplacedAndNotFollowed"),
    Row(
      section: "the contract", situation: "a link leads out of root, also one that appears later",
      does: "fails as local_file",
      test: "TargetFoldersTests.aLinkThatAppearsLaterIsNotFollowedEither"),
    Row(
      section: "the contract", situation: "two jobs write one target at once",
      does: "the second fails as collision; the first is whole",
      test: "CollisionTests.theSecondFailsAndTheFirstIsWhole"),
    Row(
      section: "the contract", situation: "a job that was writing the target was killed",
      does: "its lock is gone with it", test: "CollisionTests.aKilledRunHoldsNothing"),
    Row(
      section: "RFC 9110, 10.2.3", situation: "Retry-After while other tasks wait for that host",
      does: "holds the whole host", test: "RunMachineRetryTests.retryAfterHoldsTheWholeHost"),
    Row(
      section: "the contract", situation: "retries and waits use up timeout_for_resource",
      does: "fails as deadline",
      test: "RunMachineRetryTests.theResourceTimeoutCountsRetriesAndWaits"),
    Row(
      section: "RFC 9110, 9.2.2", situation: "a redirect made a GET of a POST, and that is cut",
      does: "is not repeated",
      test: "RunMachineRetryTests.aPostThatARedirectMadeAGetIsNotRepeated"),
    Row(
      section: "RFC 9112, 9.3.1", situation: "a POST goes out on a connection that is dead",
      does: "libcurl may not repeat it by itself",
      test: "RequestTests.aPostIsNotSilentlyRepeatedOnADeadConnection"),
    Row(
      section: "the contract", situation: "a file changes while it is being sent",
      does: "a server never gets the whole of a mixed file",
      test: "RequestTests.aFileThatChangesOnTheWayIsNeverSentWhole"),
    Row(
      section: "the contract", situation: "an upload that nobody reads",
      does: "fails as timeout: silence counts both ways",
      test: "LimitTests.anUploadThatNobodyReadsIsATimeout"),
    Row(
      section: "RFC 1952, 2.3.1", situation: "a gzip body that is cut at any byte",
      does: "is truncated", test: "CodingTests.aCodingThatEndsEarlyIsTruncated"),
    Row(
      section: "RFC 9110, 15.4", situation: "a file: address after others",
      does: "an HTTP address never reads a file",
      test: "FileAddressTests.anHTTPAddressNeverReadsAFileAfterOneThatDid"),
    Row(
      section: "RFC 8089", situation: "a file: source that is gone", does: "fails as local_file",
      test: "FileAddressTests.aMissingFileSaysWhich"),
    Row(
      section: "the contract", situation: "a checksum file that was replaced during the run",
      does: "is read anew", test: "ChecksumListsTests.aListThatWasReplacedIsReadAnew"),
    Row(
      section: "the contract", situation: "INT during a run", does: "ends in good order, 128+N",
      test: "SignalTests.aRunThatStartsNothingNewStillEndsInGoodOrder"),
    Row(
      section: "RFC 9110, 14.2", situation: "a real nginx is asked for the rest of a file",
      does: "goes on with it, over HTTP/2", test: "SecureTests.nginxSendsTheRestOfAFile"),
  ]
}
