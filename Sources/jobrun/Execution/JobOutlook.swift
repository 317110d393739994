import JobSpec
import TransferCore
import TransferIO

/// A job as a run that started now would find it: its plan, its state, and what was done already in
/// the chain of runs that it would go on with. Changes nothing.
struct JobOutlook {
  var plan: Plan
  /// nil when there is none, or none that can be read.
  var state: StateStore?
  /// Tasks done earlier in the chain, with the run that did them.
  var done: [String: String]
  /// Hosts that asked to be left alone, until when.
  var held: [String: WallTime]

  /// Why there is none; what is to say has been said.
  struct End: Error {
    var code: ExitCode
  }

  init(_ preparation: JobPreparation) throws(End) {
    let now = Clock.wall()
    let runID = RunID.text(start: now, chance: Chance.seed())
    guard let job = preparation.readJob(),
      let first = preparation.plan(job, runID: runID, start: now)
    else { throw End(code: .usage) }
    plan = first
    (done, held) = ([:], [:])
    var again: RunChain?
    do throws(StateError) {
      state = try StateLocation.folder(of: first).flatMap { (folder) throws(StateError) in
        try StateStore(reading: folder, job: first.job)
      }
      if let state {
        let isFresh = preparation.invocation.has(.fresh)
        let isPart = ChosenTasks(preparation.invocation).isPart
        let chain = try state.nextRun(id: runID, at: now, fresh: isFresh && !isPart)
        done = try state.doneInChain(chain)
        if !isFresh { held = try state.holds(at: now) }
        if chain.continues != nil { again = chain }
      }
    } catch {
      preparation.errors.write("jobrun: \(error.message)\n")
      if !error.isDamage { throw End(code: error.isUsage ? .usage : .machine) }
      // A run sets it aside and begins anew: so does what is said of one.
      preparation.errors.write("jobrun: a run would set it aside; told as without a state\n")
      (state, done, held) = (nil, [:], [:])
    }
    guard let again else { return }
    guard let same = preparation.plan(job, runID: again.originID, start: again.originStarted)
    else { throw End(code: .usage) }
    plan = same
  }
}
