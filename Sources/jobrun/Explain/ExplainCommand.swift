import JobSpec
import TransferCore
import TransferIO

/// `jobrun explain JOB TASK`: one task's history in sentences. Changes nothing, sends nothing.
struct ExplainCommand {
  var invocation: Invocation
  var output: OutputStream
  var errors: OutputStream

  private var task: String { invocation.operands[1] }

  func run() throws(UsageError) -> ExitCode {
    if let job = jobWithoutFile { return try tell(job) }
    let outlook: JobOutlook
    do throws(JobOutlook.End) {
      outlook = try JobOutlook(JobPreparation(invocation: invocation, errors: errors))
    } catch { return error.code }
    let plan = outlook.plan
    let folder = StateLocation.folder(of: plan)
    let past = JobPast(
      job: plan.job, state: outlook.state, folder: folder,
      log: plan.settings.logPath ?? folder?.log)
    do throws(TaskSelection.UnknownTask) {
      let indices = try TaskSelection(only: [task]).tasks(of: plan)
      tell(indices.map { plan.tasks[$0].id }, past) { id in
        TaskOutlook(outlook, task: id)
      }
      return .success
    } catch {
      // A task that the job has no more may have a history all the same.
      if past.knows(task) {
        tell([task], past) { _ in nil }
        return .success
      }
      let near = error.nearest.map { "; did you mean \(Prose.shown($0))?" } ?? ""
      throw UsageError(
        "the job \(plan.job.name) has no task \(Prose.quoted(error.id))\(near)", of: .explain)
    }
  }

  /// A job that is known by its name, and whose file is gone.
  private var jobWithoutFile: JobIdentity? {
    let word = invocation.operands[0]
    let state = invocation.text(.state)
    guard JobLookup.path(of: word, state: state) != word,
      let job = JobLookup.known(word, state: state), !JobLookup.isThere(job.file)
    else { return nil }
    return job
  }

  private func tell(_ job: JobIdentity) throws(UsageError) -> ExitCode {
    errors.write(
      "jobrun: \(Prose.shown(job.file)) is gone: told from the job's state alone\n")
    guard let folder = JobLookup.folder(job.name, invocation.text(.state)).map(StateFolder.init)
    else { return .machine }
    var state: StateStore?
    do throws(StateError) { state = try StateStore(reading: folder, job: job) } catch {
      errors.write("jobrun: \(error.message)\n")
      return error.isUsage ? .usage : .machine
    }
    let log = invocation.text(.log).map(WorkingFolder.absolute) ?? folder.log
    let past = JobPast(job: job, state: state, folder: folder, log: log)
    guard past.knows(task) else {
      throw UsageError(
        "nothing is known of a task \(Prose.quoted(task)) of \(job.name)", of: .explain)
    }
    tell([task], past) { _ in nil }
    return .success
  }

  private func tell(_ ids: [String], _ past: JobPast, _ outlook: (String) -> TaskOutlook?) {
    let style = Style(
      option: invocation.text(.color), environment: Environment.variable,
      isTerminal: Terminal(descriptor: output.descriptor).isTerminal)
    let logged = past.logged(Set(ids))
    for (index, id) in ids.enumerated() {
      if index > 0 { output.write("\n") }
      let story = TaskStory(
        id: id, past: past, logged: logged[id] ?? [], outlook: outlook(id), style: style)
      output.write(story.text)
    }
  }
}

/// A task as a run that started now would find it.
struct TaskOutlook {
  var task: TaskPlan
  var session: String
  var planned: PlannedTask
  /// What it comes after.
  var after: [String]

  init?(_ outlook: JobOutlook, task id: String) {
    let plan = outlook.plan
    guard let index = plan.tasks.firstIndex(where: { $0.id == id }) else { return nil }
    task = plan.tasks[index]
    session = plan.sessions[task.session].name
    after = task.after.map { plan.tasks[Int($0)].id }
    let preview = PlanPreview(
      plan: plan, state: outlook.state, doneInRun: outlook.done, notBefore: outlook.held)
    planned = preview.task(Int32(index))
  }
}
