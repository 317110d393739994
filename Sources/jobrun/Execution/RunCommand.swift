import JobSpec
import TransferCore
import TransferIO

/// `jobrun run JOB.yaml`: plan, take the job's state, carry the plan out, tell what came of it.
struct RunCommand {
  var invocation: Invocation
  var output: OutputStream
  var errors: OutputStream

  func run() throws(UsageError) -> ExitCode {
    let preparation = JobPreparation(invocation: invocation, errors: errors)
    let started = Clock.wall()
    let runID = RunID.text(start: started, chance: Chance.seed())
    guard let job = preparation.readJob(),
      let first = preparation.plan(job, runID: runID, start: started)
    else { return .usage }
    switch begin(first, runID, started) {
    case .failure(let end): return end.code
    case .success(let begun):
      let chain = begun.session.chain
      var plan = first
      if chain.continues != nil {
        // The chain's first run gives `${run.id}` and `${run.date}`.
        guard let again = preparation.plan(job, runID: chain.originID, start: chain.originStarted)
        else { return .usage }
        plan = again
      }
      let chosen = ChosenTasks(invocation)
      plan = try chosen.apply(to: plan) { id in
        begun.done[id] != nil || begun.session.hasCommitted(id)
      }
      let choice = RunChoice(
        tasks: chosen.isPart ? plan.tasks.map(\.id) : nil, isFresh: invocation.has(.fresh))
      var begun = begun
      if choice.isFresh { for id in choice.tasks ?? [] { begun.done[id] = nil } }
      do throws(RunSession.Problem) { try begun.session.begin(choice) } catch {
        return told(error, plan.job)
      }
      return RunExecution(
        invocation: invocation, output: output, errors: errors, plan: plan, begun: begun
      ).run(started: started)
    }
  }

  /// What a run has in its hands once it may begin.
  struct Begun {
    var session: RunSession
    var signals: Signals
    /// Tasks done earlier in this chain of runs, with the run that did them.
    var done: [String: String]
  }

  /// The run ends before it began; what is to say has been said.
  private struct End: Error {
    var code: ExitCode
  }

  private func begin(
    _ plan: Plan, _ runID: String, _ started: WallTime
  ) -> Result<Begun, End> {
    guard let folder = StateLocation.folder(of: plan) else {
      return .failure(End(code: told(StateLocation.unknown)))
    }
    do throws(RunSession.Problem) {
      let signals: Signals
      do throws(FileError) {
        signals = try Signals()
        try signals.watch()
      } catch { throw .machine(error.machineFailure) }
      let session = try RunSession(
        folder: folder, job: plan.job, logPath: plan.settings.logPath, runID: runID, now: started,
        fresh: invocation.has(.fresh) && !ChosenTasks(invocation).isPart,
        claims: StateLocation.claims(of: plan))
      return .success(
        Begun(session: session, signals: signals, done: try session.doneInChain()))
    } catch {
      return .failure(End(code: told(error, plan.job)))
    }
  }

  private func told(_ problem: RunSession.Problem, _ job: JobIdentity) -> ExitCode {
    switch problem {
    case .machine(let failure): return told(failure.detail)
    case .usage(let message):
      errors.write("jobrun: \(message)\n")
      return .usage
    case .held(let holder):
      return told("another run of \(job.name) is going on", holder)
    case .heldIdentifier(let identifier, let holder):
      let words = "a run of \(holder.job ?? "another job") has the background session"
      return told("\(words) \(Prose.shown(identifier))", holder)
    }
  }

  private func told(_ what: String, _ holder: JobLock.Holder) -> ExitCode {
    let process = holder.process.map { " (process \($0))" } ?? ""
    let since = holder.since.map { " since \($0)" } ?? ""
    let words = what + process + since
    if invocation.text(.onOverlap) == "skip" {
      if !invocation.has(.quiet) { errors.write("jobrun: \(words); nothing to do\n") }
      return .success
    }
    errors.write(
      "jobrun: \(words); nothing was started. Let it end, or use --on-overlap skip\n")
    return .running
  }

  private func told(_ machineFailure: String) -> ExitCode {
    errors.write("jobrun: \(machineFailure)\n")
    return .machine
  }
}
