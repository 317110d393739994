import Glibc
import JobSpec

/// `jobrun validate JOB.yaml...`.
struct ValidateCommand {
  var invocation: Invocation
  var output: OutputStream
  var errors: OutputStream

  func run() -> ExitCode {
    let format = DiagnosticFormat(rawValue: invocation.text(.format) ?? "text") ?? .text
    let files = invocation.operands.map(diagnose)
    let style = Style(
      option: invocation.text(.color), environment: Environment.variable,
      isTerminal: Terminal(descriptor: output.descriptor).isTerminal)
    output.write(
      format.render(files, version: ProgramVersion.number, colored: style.isColored))
    if format == .text { output.write(Self.summary(files)) }
    return files.contains { $0.count(of: .error) > 0 } ? .usage : .success
  }

  private func diagnose(_ path: String) -> DiagnosedFile {
    do throws(JobInput.Problem) {
      let input = try JobInput(reading: path)
      let found = JobFile(input).diagnostics().map(isStrict ? Self.stricter : { $0 })
      // The lines are looked for only where one is shown.
      let source = found.isEmpty ? SourceText("") : SourceText(input.bytes)
      return DiagnosedFile(path: path, source: source, diagnostics: found)
    } catch {
      let found = [Diagnostic(unreadable: error)]
      return DiagnosedFile(path: path, source: SourceText(""), diagnostics: found)
    }
  }

  private var isStrict: Bool { invocation.has(.strict) }

  private static func stricter(_ diagnostic: Diagnostic) -> Diagnostic {
    var diagnostic = diagnostic
    if diagnostic.severity == .warning { diagnostic.severity = .error }
    return diagnostic
  }

  /// `nightly.yaml: ok`, or what was found; more than one file gets a line each.
  static func summary(_ files: [DiagnosedFile]) -> String {
    let lines = files.map { file in
      let counts = Diagnostic.Severity.allCases.compactMap { severity -> String? in
        let count = file.count(of: severity)
        return count == 0 ? nil : Prose.count(count, severity.rawValue)
      }
      let isRight = file.count(of: .error) == 0
      let found = (isRight ? ["ok"] : []) + counts
      return "\(Prose.printable(file.path)): \(found.joined(separator: ", "))\n"
    }
    let hasFindings = files.contains { !$0.diagnostics.isEmpty }
    return (hasFindings ? "\n" : "") + lines.joined()
  }
}
