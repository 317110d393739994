import Testing

/// The two jobs that `make run` plays, against the same kind of origin.
@Suite(.serialized) struct ExampleJobTests {
  private let folder: TemporaryFolder
  private let origin: RealOrigin

  init() throws {
    folder = try TemporaryFolder()
    let made = try Clone.run(
      "/bin/sh",
      [
        "-c",
        """
        set -e
        mkdir -p cd dists/stable dists/testing
        for n in 1 2 3; do
          head -c $((n * 100000)) /dev/urandom > disc-$n.img
          ln disc-$n.img cd/disc-$n.iso
        done
        echo 'do as you like' > license.txt
        echo '{ "state": "ok" }' > status.json
        sha256sum disc-*.img license.txt > SHA256SUMS
        (cd cd && sha256sum disc-*.iso > SHA256SUMS)
        for suite in stable testing; do
          echo $suite > dists/$suite/Release
          echo signed > dists/$suite/Release.gpg
        done
        """,
      ], folder: folder.path)
    try #require(made.code == 0, "\(made.err)")
    origin = try RealOrigin(serving: folder.path)
  }

  private func run(_ job: String, variables: [String], environment: [String]) throws
    -> ChildProcess.Ended
  {
    var arguments = ["run", "--progress", "none", "--root", folder.path + "/copy"]
    arguments += ["--state", folder.path + "/state"]
    arguments += variables.flatMap { ["--var", $0] }
    return try Jobrun.run(
      arguments + [Clone.root + "/jobs/" + job], environment: environment, folder: folder.path)
  }

  private func unchangedCount() -> Int {
    (folder.read("state/completion.jsonl") ?? "").split(separator: "\n")
      .count { $0.contains("\"outcome\":\"unchanged\"") }
  }

  @Test func quickstartFetchesVerifiesSendsAndThenFindsNothingNew() throws {
    let environment = ["JOBRUN_QUICKSTART_ORIGIN=" + origin.http]
    for _ in 1...2 {
      let ended = try run("quickstart.yaml", variables: [], environment: environment)
      #expect(ended.code == 0, "\(ended.err)")
    }
    for name in ["SHA256SUMS", "license.txt"] {
      #expect(folder.read("copy/" + name) == folder.read(name))
    }
    let checked = try Clone.run(
      "/bin/sh", ["-c", "cd discs && sha256sum --check --ignore-missing ../SHA256SUMS"],
      folder: folder.path + "/copy")
    #expect(checked.code == 0, "\(checked.out)\(checked.err)")
    #expect(unchangedCount() == 5)
    let sent = origin.newRequests().filter { $0.method == "PUT" }
    #expect(sent.map(\.status) == [201, 204])
    #expect(try Clone.files(below: origin.uploads).count == 1)
  }

  @Test func nightlyMirrorsAndReports() throws {
    let variables = ["host=" + origin.http, "drop=" + origin.http + "/upload/reports"]
    for _ in 1...2 {
      let ended = try run(
        "nightly.yaml", variables: variables, environment: ["PUBLISH_TOKEN=a-secret-of-tests"])
      #expect(ended.code == 0, "\(ended.err)")
      #expect(!(ended.out + ended.err).contains("a-secret-of-tests"))
    }
    #expect(unchangedCount() == 8)
    #expect(folder.read("state/completion.jsonl")?.contains("a-secret-of-tests") == false)
    #expect(folder.read("copy/dists/testing/Release") == "testing\n")
  }
}
