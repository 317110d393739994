import Glibc
import JobSpec
import TransferCore
import TransferIO

/// What `run` and `plan` do first: read the job, plan it, and tell what is wrong with it.
struct JobPreparation {
  var invocation: Invocation
  var errors: OutputStream

  /// So many of one kind are told; the rest are counted.
  private static let toldFeatures = 10

  /// The job file; nil when it can't be read, which has been told.
  func readJob() -> JobFile? {
    let path = JobLookup.path(of: invocation.operands[0], state: invocation.text(.state))
    do throws(JobInput.Problem) {
      return JobFile(try JobInput(reading: path), invocation)
    } catch {
      errors.write("jobrun: can't read the job \(Prose.shown(path)): \(error.message)\n")
      return nil
    }
  }

  /// The plan with the command line's settings; nil when it can't be made or needs what this
  /// version hasn't, which has been told.
  func plan(_ job: JobFile, runID: String, start: WallTime) -> Plan? {
    let planned = job.planned(runID: runID, start: start)
    tell(planned.diagnostics, of: job.input)
    guard var plan = planned.plan else { return nil }
    if !plan.unavailable.isEmpty {
      tell(plan.unavailable, of: job.input)
      return nil
    }
    if let aliases = TargetAliases.collision(in: plan) {
      tell(aliases, plan, job.input)
      return nil
    }
    RunOverrides.apply(invocation, to: &plan.settings)
    return plan
  }

  /// Errors, and warnings unless errors alone are wanted; notes are for `validate`.
  private func tell(_ diagnostics: [Diagnostic], of input: JobInput) {
    let told = diagnostics.filter {
      $0.severity == .error || $0.severity == .warning && !invocation.has(.quiet)
    }
    if told.isEmpty { return }
    let style = Style(
      option: invocation.text(.color), environment: Environment.variable,
      isTerminal: Terminal(descriptor: errors.descriptor).isTerminal)
    let file = DiagnosedFile(
      path: input.path, source: SourceText(input.bytes), diagnostics: told)
    errors.write(
      DiagnosticFormat.text.render(
        [file], version: ProgramVersion.number, colored: style.isColored))
    let count = file.count(of: .error)
    if count > 0 {
      errors.write(
        "\njobrun: \(Prose.shown(input.path)) has \(Prose.count(count, "error")); "
          + "nothing was started\n")
    }
  }

  private func tell(_ collision: TargetAliases.Collision, _ plan: Plan, _ input: JobInput) {
    let first = plan.tasks[collision.first]
    let second = plan.tasks[collision.second]
    errors.write(
      "\(Prose.shown(input.path)):\(second.line): \(Prose.shown(second.id)) and "
        + "\(Prose.shown(first.id)) (line \(first.line)) write one file, by a symbolic link: "
        + "\(Prose.printable(second.path ?? "")) is \(Prose.printable(first.path ?? "")); "
        + "nothing was started. Give one of them another `to`\n")
  }

  private func tell(_ features: [UnavailableFeature], of input: JobInput) {
    for feature in features.prefix(Self.toldFeatures) {
      let place = "\(Prose.shown(input.path)):\(feature.line):\(feature.column)"
      errors.write(
        "\(place): not in this version: \(Prose.printable(feature.what))"
          + " (\(Prose.printable(feature.path)))\n")
    }
    let more = features.count - Self.toldFeatures
    if more > 0 { errors.write("and \(more) more\n") }
    errors.write("jobrun: this job needs what this version hasn't; nothing was started\n")
  }
}
