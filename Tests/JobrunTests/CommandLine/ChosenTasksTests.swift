import Testing
import TransferCore

@testable import jobrun

/// `--only`, `--skip` and `--with-dependencies` over release <- iso[1], iso[2]; publish.
@Suite struct ChosenTasksTests {
  private func ids(_ line: String, done: Set<String> = []) throws -> [String] {
    let words = line.split(separator: " ").map(String.init) + ["a.yaml"]
    let invocation = try ArgumentParser.parse(words) { _ in true }
    let plan = try ChosenTasks(invocation).apply(to: SamplePlan.make(), isDone: done.contains)
    for task in plan.tasks {
      for before in task.after { #expect(plan.tasks[Int(before)].id == "release") }
    }
    return plan.tasks.map(\.id)
  }

  @Test func allIsTheRule() throws {
    #expect(try ids("") == ["release", "iso[1]", "iso[2]", "publish"])
  }

  @Test func onlyTakesTheNamedInFileOrder() throws {
    #expect(try ids("--only publish --only release") == ["release", "publish"])
  }

  @Test func aNameThatStandsForSeveralTakesAll() throws {
    #expect(try ids("--only iso", done: ["release"]) == ["iso[1]", "iso[2]"])
    #expect(try ids("--only iso[2]", done: ["release"]) == ["iso[2]"])
  }

  @Test func dependenciesComeAlongWhenAsked() throws {
    #expect(try ids("--only iso[2] --with-dependencies") == ["release", "iso[2]"])
    let error = #expect(throws: UsageError.self) { try ids("--only iso[2]") }
    #expect(
      error?.message == "iso[2] waits for release, which isn't done; "
        + "add --with-dependencies, or --skip release")
  }

  @Test func skippedTasksCountAsMet() throws {
    #expect(try ids("--skip release") == ["iso[1]", "iso[2]", "publish"])
    #expect(try ids("--only iso --skip release") == ["iso[1]", "iso[2]"])
    #expect(try ids("--only iso --skip iso[1]", done: ["release"]) == ["iso[2]"])
  }

  @Test func unknownNamesAreTold() throws {
    let near = #expect(throws: UsageError.self) { try ids("--only realease") }
    #expect(
      near
        == UsageError(
          "the job nightly has no task \"realease\"; did you mean release?", of: .run))
    let list = #expect(throws: UsageError.self) { try ids("-n --skip release,iso") }
    #expect(
      list
        == UsageError(
          "the job nightly has no task \"release,iso\"; for more tasks repeat the option", of: .plan
        ))
  }
}
