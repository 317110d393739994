import Glibc
import JobSpec

/// The program: one command line in, one exit code out.
struct Program {
  let output = OutputStream(descriptor: STDOUT_FILENO)
  let errors = OutputStream(descriptor: STDERR_FILENO)

  /// - Parameter arguments: without the program's own name.
  func run(_ arguments: some Sequence<String>) -> ExitCode {
    // A reader that went away is met where it is written to, and not by a signal.
    signal(SIGPIPE, SIG_IGN)
    let code = obey(arguments)
    output.flush()
    errors.flush()
    return told(outputFailure: output.failure, code)
  }

  /// A result that didn't get through isn't kept quiet. A closed pipe is the reader's own wish.
  private func told(outputFailure: Int32?, _ code: ExitCode) -> ExitCode {
    guard let outputFailure, outputFailure != EPIPE else { return code }
    errors.write("jobrun: can't write to standard output: \(SystemError.text(outputFailure))\n")
    errors.flush()
    return code == .success || code == .somethingToDo ? .machine : code
  }

  private func obey(_ arguments: some Sequence<String>) -> ExitCode {
    do {
      let isJob = { (word: String) in access(word, F_OK) == 0 || JobLookup.knows(word) }
      return try perform(ArgumentParser.parse(arguments, isJob: isJob))
    } catch {
      errors.write(error.text)
      return .usage
    }
  }

  private func perform(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    if invocation.has(.help) {
      output.write(invocation.command.map(HelpPage.command) ?? HelpPage.program())
      return .success
    }
    if invocation.has(.version) {
      output.write(VersionText.text)
      return .success
    }
    switch invocation.command {
    case .help, nil: output.write(try HelpCommand.text(invocation))
    case .validate:
      return ValidateCommand(invocation: invocation, output: output, errors: errors).run()
    case .`init`:
      if let path = invocation.operands.first, path != "-" {
        return InitCommand.write(to: path, errors)
      }
      output.write(StarterJob.text)
    case .schema: output.write(JobSchema.json())
    case .plan: return try PlanCommand(invocation: invocation, output: output, errors: errors).run()
    case .explain:
      return try ExplainCommand(invocation: invocation, output: output, errors: errors).run()
    case .run: return try RunCommand(invocation: invocation, output: output, errors: errors).run()
    }
    return .success
  }
}
