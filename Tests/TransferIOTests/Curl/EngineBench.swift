import Glibc
import TransferCore

@testable import TransferIO

/// An engine, a folder of its own, and a way to make one request and have its report.
final class EngineBench {
  let engine: TransferEngine
  let folder: String
  /// Another folder that goes with the bench.
  var alsoRemove: String?

  /// `environment` names proxies, if any.
  init(
    _ sessions: [SessionPlan] = [SessionPlan(name: "test")], environment: [String: String] = [:],
    rateLimit: RateLimit = RateLimit(), trace: ((Int32, String) -> Void)? = nil
  ) throws {
    var options = TransferEngine.Options()
    options.environment = { environment[$0] }
    options.trace = trace
    options.rateLimit = rateLimit
    engine = try TransferEngine(sessions: sessions, options: options)
    folder = try Self.freshFolder()
  }

  deinit {
    for folder in [folder, alsoRemove].compactMap(\.self) {
      for name in Self.names(in: folder) { unlink(folder + "/" + name) }
      rmdir(folder)
    }
  }

  static func freshFolder() throws -> String {
    var template = Array("/tmp/jobrun-engine-XXXXXX".utf8CString)
    let made: String? = template.withUnsafeMutableBufferPointer { buffer in
      mkdtemp(buffer.baseAddress!).map { String(cString: $0) }
    }
    guard let made else { throw OriginError(call: "mkdtemp", number: errno) }
    return made
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  func path(_ name: String) -> String { folder + "/" + name }

  /// Writes a file in the folder and gives its path.
  @discardableResult
  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    // Without a lock: a process that another test is just starting would hold it a moment longer.
    guard let file = fopen(path(name), "we") else {
      throw OriginError(call: "fopen", number: errno)
    }
    defer { fclose(file) }
    let bytes = Array(bytes)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw OriginError(call: "fwrite", number: errno)
    }
    return path(name)
  }

  func contents(_ name: String) -> [UInt8]? {
    guard let file = fopen(path(name), "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64 * 1_048_576)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<count])
  }

  func part(_ name: String = "part") throws -> PartFile { try PartFile(path: path(name)) }

  /// Runs the loop until every started transfer ended; at most ten seconds.
  func run(each: (EngineBench) -> Void = { _ in }) throws -> [TransferReport] {
    var reports: [TransferReport] = []
    let start = Clock.monotonic()
    while engine.activeCount > 0 {
      try engine.step { reports.append($0) }
      each(self)
      if engine.activeCount == 0 { break }
      _ = try engine.wait(upTo: .milliseconds(100))
      if Clock.monotonic() - start > .seconds(10) { throw Stuck() }
    }
    return reports
  }

  struct Stuck: Error {}

  func fetch(
    _ request: TransferRequest, part: PartFile? = nil, hashing: [ChecksumAlgorithm] = []
  ) throws -> TransferReport {
    engine.start(request, part: part.map { part in { _ in part } }, hashing: hashing)
    let reports = try run()
    guard reports.count == 1 else { throw Stuck() }
    return reports[0]
  }
}

extension TransferRequest {
  /// A GET to memory, to be changed as a test needs it.
  static func test(_ url: String, task: Int32 = 0) -> TransferRequest {
    TransferRequest(
      task: task, session: 0, url: url, shownURL: url, method: "GET", headerLines: [],
      body: .none, condition: .none, sink: .memory(limit: 1 << 24), decodes: false,
      expect: Expectation(), jobAskedPartial: false, allowsUnframed: false,
      timeoutForRequest: .seconds(10), minimumSpeed: nil, maxBytes: nil, followsRedirects: true)
  }

  /// The same to the part file.
  static func download(_ url: String, task: Int32 = 0) -> TransferRequest {
    let request = test(url, task: task)
    request.sink = .part
    return request
  }
}
