import FaultOrigin
import Glibc
import Testing

/// A folder with a case's job in it, its origins, and a way to run the real binary there.
final class FaultBench {
  private let fault: FaultCase
  private let folder: TemporaryFolder
  private let site: FaultSite

  init(_ fault: FaultCase) throws {
    self.fault = fault
    folder = try TemporaryFolder()
    try folder.write("authority/of", fault.name)
    let identity =
      fault.isSecure ? try OriginIdentity(in: folder.path + "/authority") : nil
    site = try FaultSite(fault, identity)
    try folder.write("job.yaml", site.filled(fault.job(authority: identity?.certificate)))
  }

  func play() throws {
    for (number, run) in fault.runs.enumerated() {
      try prepare(run.before)
      let ended = try Jobrun.run(
        ["run", "--json", "--progress", "none"] + run.arguments + ["job.yaml"],
        environment: ["XDG_STATE_HOME=\(folder.path)/state"], folder: folder.path)
      judge(run, ended, "\(fault.name), run \(number + 1)")
    }
    expectFile()
    #expect(site.requestCount == fault.requests, "\(fault.name): requests\n\(seen)")
    let complaint = fault.complaint(site.exchanges)
    #expect(complaint == nil, "\(fault.name)\n\(seen)")
  }

  private func judge(_ run: FaultCase.Run, _ ended: ChildProcess.Ended, _ place: String) {
    #expect(ended.code == run.exit, "\(place)\n\(ended.err)\(ended.out)\n\(seen)")
    let code = Self.errorCode(ended.out)
    #expect(code == run.error, "\(place)\n\(ended.err)\(ended.out)")
    if !run.tells.isEmpty {
      #expect(ended.out.contains(run.tells), "\(place)\n\(ended.out)")
    }
    #expect(parts.isEmpty == !run.leavesPart, "\(place): \(parts)")
  }

  private func expectFile() {
    let found = bytes("out/file.bin")
    switch fault.ending {
    case .none: #expect(found == nil, "\(fault.name): \(found?.count ?? 0) bytes")
    case .bytes(let wanted):
      let isRight = found == wanted
      #expect(isRight, "\(fault.name): \(found?.count ?? -1) bytes, not \(wanted.count)")
    }
  }

  /// The first task's `error.code`.
  private static func errorCode(_ json: String) -> String? {
    let task = json.firstRange(of: "\"task\": \"f\"").map { json[$0.upperBound...] } ?? ""
    let own = task.firstRange(of: "\"attempts\": ").map { task[..<$0.lowerBound] } ?? task
    guard let start = own.firstRange(of: "\"code\": \"")?.upperBound else { return nil }
    return String(own[start...].prefix { $0 != "\"" })
  }

  private var seen: String {
    site.exchanges.map { exchange in
      let fields = exchange.request.fields.map { "\($0.name): \($0.value)" }
      return "\(exchange.place) \(exchange.request.method) \(exchange.request.target) \(fields)"
    }.joined(separator: "\n")
  }

  // MARK: Files

  private var parts: [String] {
    ((try? Clone.files(below: folder.path + "/out")) ?? []).filter { $0.hasSuffix(".part") }
  }

  private func bytes(_ name: String) -> [UInt8]? {
    guard let file = fopen(folder.path + "/" + name, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8_000_000)
    let count = fread(&bytes, 1, bytes.count, file)
    // A folder can be opened, but not read.
    return ferror(file) == 0 ? Array(bytes[..<count]) : nil
  }

  private func put(_ name: String, _ bytes: [UInt8]) throws {
    try folder.write(name, "")
    let file = try #require(fopen(folder.path + "/" + name, "w"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  private func prepare(_ change: FaultCase.Change) throws {
    switch change {
    case .nothing: break
    case .file(let name, nil): unlink(folder.path + "/" + name)
    case .file(let name, let bytes?): try put(name, bytes)
    case .folder(let name): try folder.write(name + "/inside", "")
    case .lengthenPart(let bytes):
      let part = try #require(parts.first)
      let file = try #require(fopen(part, "a"))
      defer { fclose(file) }
      fwrite(bytes, 1, bytes.count, file)
    case .shortenPart(let count):
      let part = try #require(parts.first)
      var facts = stat()
      stat(part, &facts)
      try #require(truncate(part, facts.st_size - count) == 0)
    case .copyPart: try copy(try #require(parts.first))
    case .copyTarget: try copy(folder.path + "/out/file.bin")
    }
  }

  /// Another file with the same bytes and second, under the same name.
  private func copy(_ path: String) throws {
    let ended = try Clone.run("/bin/cp", ["-p", path, path + "~"])
    try #require(ended.code == 0)
    try #require(rename(path + "~", path) == 0)
  }
}
