import FaultOrigin
import Glibc

/// One case, served; what a client should come to is written beside its job.
struct Serving {
  private let fault: FaultCase
  private let site: FaultSite

  init(_ fault: FaultCase, _ folder: String) throws {
    self.fault = fault
    let identity = try OriginIdentity(in: folder)
    site = try FaultSite(fault, identity)
    let job = site.filled(fault.job(authority: identity.certificate))
    try Self.write(Array(job.utf8), folder + "/job.yaml")
    try Self.write(fault.truth, folder + "/right")
    try Self.write(FaultContent.one, folder + "/before")
  }

  /// `name`, how a client plays it, whether it must fail, promise, situation: split by tabs.
  static func line(_ fault: FaultCase) -> String {
    let fails = fault.runs.last?.exit != 0
    return [
      fault.name, "\(fault.peers)", fails ? "fails" : "succeeds", fault.promise.rawValue,
      fault.situation,
    ].joined(separator: "\t")
  }

  func untilInputEnds() {
    Self.say("url=\(site.filled(fault.address))")
    while readLine() != nil {}
    Self.say("requests=\(site.requestCount)")
    Self.say("connections=\(site.connectionCount)")
    Self.say("leak=\(FaultCase.leak(site.exchanges) ?? "")")
  }

  /// A line, at once: whoever reads it waits for it.
  static func say(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    let bytes = Array((text + "\n").utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }

  private static func write(_ bytes: [UInt8], _ path: String) throws {
    guard let file = fopen(path, "w") else { throw OriginError(call: path, number: errno) }
    defer { fclose(file) }
    if fwrite(bytes, 1, bytes.count, file) != bytes.count {
      throw OriginError(call: path, number: errno)
    }
  }
}
