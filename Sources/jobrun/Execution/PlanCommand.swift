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
    let outlook: JobOutlook
    do throws(JobOutlook.End) {
      outlook = try JobOutlook(JobPreparation(invocation: invocation, errors: errors))
    } catch { return error.code }
    let (state, done) = (outlook.state, outlook.done)
    let plan = try ChosenTasks(invocation).apply(to: outlook.plan) { id in
      done[id] != nil || (try? state?.committedFile(id)) != nil
    }
    var repeated = done
    if invocation.has(.fresh) { for task in plan.tasks { repeated[task.id] = nil } }
    return told(plan, state, repeated, outlook.held)
  }

  private func told(
    _ plan: Plan, _ state: StateStore?, _ done: [String: String], _ held: [String: WallTime]
  ) -> ExitCode {
    let preview = PlanPreview(
      plan: plan, state: state, doneInRun: done, notBefore: held,
      forgets: invocation.has(.fresh))
    let places = StateLocation.folder(of: plan).map(StateLocation.jars)
    let report = PlanReport(
      plan: plan, tasks: preview.tasks(), variable: Environment.variable,
      cookies: CookieOutlook(plan.sessions, places, at: Clock.wall()))
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
