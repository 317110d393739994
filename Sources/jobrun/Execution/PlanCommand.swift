import JobSpec
import TransferCore
import TransferIO

/// `jobrun plan JOB.yaml`: what a run would do now. Changes nothing, sends nothing, reads no
/// secret.
struct PlanCommand {
  var invocation: Invocation
  var output: OutputStream
  var errors: OutputStream

  func run() throws(UsageError) -> ExitCode {
    let preparation = JobPreparation(invocation: invocation, errors: errors)
    let now = Clock.wall()
    let runID = RunID.text(start: now, chance: Chance.seed())
    guard let job = preparation.readJob(),
      var plan = preparation.plan(job, runID: runID, start: now)
    else { return .usage }
    var state: StateStore?
    var done: [String: String] = [:]
    var held: [String: WallTime] = [:]
    do throws(StateError) {
      state = try StateLocation.folder(of: plan).flatMap { (folder) throws(StateError) in
        try StateStore(reading: folder, job: plan.job)
      }
      if let state {
        let chain = try state.nextRun(id: runID, at: now, fresh: invocation.has(.fresh))
        done = try state.doneInChain(chain)
        if !invocation.has(.fresh) { held = try state.holds(at: now) }
        if chain.continues != nil {
          guard
            let again = preparation.plan(
              job, runID: chain.originID, start: chain.originStarted)
          else { return .usage }
          plan = again
        }
      }
    } catch {
      errors.write("jobrun: \(error.message)\n")
      if !error.isDamage { return error.isUsage ? .usage : .machine }
      // A run sets it aside and begins anew: so does what is said of one.
      errors.write("jobrun: a run would set it aside; planned as without a state\n")
      (state, done, held) = (nil, [:], [:])
    }
    plan = try ChosenTasks(invocation).apply(to: plan) { id in
      done[id] != nil || (try? state?.committedFile(id)) != nil
    }
    return told(plan, state, done, held)
  }

  private func told(
    _ plan: Plan, _ state: StateStore?, _ done: [String: String], _ held: [String: WallTime]
  ) -> ExitCode {
    let preview = PlanPreview(plan: plan, state: state, doneInRun: done, notBefore: held)
    let report = PlanReport(plan: plan, tasks: preview.tasks(), variable: Environment.variable)
    if invocation.text(.format) == "json" {
      output.write(PlanJSON.bytes(report))
    } else {
      let terminal = Terminal(descriptor: output.descriptor)
      let style = Style(
        option: invocation.text(.color), environment: Environment.variable,
        isTerminal: terminal.isTerminal)
      output.write(PlanTable(report: report, style: style, width: terminal.width).text)
    }
    return invocation.has(.exitCode) && report.hasWork ? .somethingToDo : .success
  }
}
