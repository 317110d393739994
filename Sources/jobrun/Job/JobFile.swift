import Glibc
import JobSpec
import TransferCore
import TransferIO

/// A job file at hand: checked, or planned with what the command line says.
struct JobFile {
  var input: JobInput
  /// `--var`.
  var variables: [String: String] = [:]
  /// `--root`.
  var root: String?

  init(_ input: JobInput) { self.input = input }

  init(_ input: JobInput, _ invocation: Invocation) {
    self.input = input
    for assignment in invocation.assignments(.var) { variables[assignment.name] = assignment.value }
    root = invocation.text(.root)
  }

  /// Everything that can be said of it without network, state and secrets.
  func diagnostics() -> [Diagnostic] {
    let start = Clock.wall()
    return JobReader.plan(
      bytes: input.bytes,
      in: environment(.validate, runID: RunID.text(start: start, chance: 0), start)
    ).diagnostics
  }

  /// The plan of a run that first started as `runID` at `start`.
  func planned(runID: String, start: WallTime) -> PlannedJob {
    JobReader.plan(bytes: input.bytes, in: environment(.plan, runID: runID, start))
  }

  private func environment(
    _ mode: PlanEnvironment.Mode, runID: String, _ start: WallTime
  ) -> PlanEnvironment {
    var environment = PlanEnvironment(
      jobFile: input.path, runID: runID, runStart: start.microseconds / 1_000_000,
      version: ProgramVersion.number)
    environment.mode = mode
    environment.variable = Environment.variable
    environment.homeFolder = XDG.homeFolder(variable: Environment.variable)
    environment.workingFolder = WorkingFolder.path
    environment.variables = variables
    environment.root = root
    let clock = CivilClock(variable: Environment.variable)
    environment.civilTime = { clock.time(at: $0, in: $1) }
    environment.readItems = Self.items
    return environment
  }

  private static func items(
    _ path: String, _ format: PlanEnvironment.ItemsFormat
  ) -> Result<[PlanEnvironment.ItemRow], PlanEnvironment.ItemsProblem> {
    let form: ItemsReader.Format =
      switch format {
      case .lines: .lines
      case .csv: .csv
      case .jsonl: .jsonl
      }
    do throws(ItemsReader.Problem) {
      return .success(
        try ItemsReader.rows(of: path, form).map(PlanEnvironment.ItemRow.init(columns:)))
    } catch {
      return .failure(PlanEnvironment.ItemsProblem(message: error.message))
    }
  }
}
