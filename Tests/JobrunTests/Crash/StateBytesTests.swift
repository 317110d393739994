import Glibc
import Testing
import TransferIO

/// The state's files with wrong bytes, region by region: the real binary never dies of them, sets
/// aside what it can't use, says so, and hands out no wrong file.
@Suite struct StateBytesTests {
  private static let files = ["state.db", "state.db-wal", "lock", "completion.jsonl"]

  /// A way to spoil a file at a place.
  enum Spoiling: CaseIterable {
    case cut, flipped, zeroed

    func apply(to bytes: inout [UInt8], at place: Int, _ length: Int) {
      switch self {
      case .cut: bytes.removeSubrange(place...)
      case .flipped: for index in place..<(place + length) { bytes[index] ^= 0xFF }
      case .zeroed: for index in place..<(place + length) { bytes[index] = 0 }
      }
    }
  }

  @Test(arguments: Spoiling.allCases)
  func everyRegion(spoiling: Spoiling) throws {
    let scene = try CrashScene()
    scene.publish(CrashScene.all, 0)
    #expect(try scene.run().code == 0)
    // Rows of every kind: a part file with its checkpoint, and a run that was killed.
    scene.cut(true)
    scene.publish(["big"], 1)
    #expect(try scene.run().code == 1)
    scene.cut(false)
    let folder = scene.root + "/state"
    // All of it in the database file, and then once more with a log beside it.
    let database = try SQLiteDatabase(path: folder + "/state.db", access: .readWrite)
    #expect(try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
    #expect(try scene.run(shim: ["STOP=60"]).code == 137)
    let good = try Self.files.map { ($0, try #require(Bytes.read(folder + "/" + $0))) }
    var setAside = 0
    for (name, bytes) in good {
      for place in Self.places(in: bytes.count, name) {
        for (other, content) in good { try Bytes.write(content, to: folder + "/" + other) }
        unlink(folder + "/state.db-shm")
        var wrong = bytes
        spoiling.apply(to: &wrong, at: place, min(Self.length, bytes.count - place))
        try Bytes.write(wrong, to: folder + "/" + name)
        let moment = "\(name) \(spoiling) at \(place) of \(bytes.count)"
        setAside += try expectBorne(scene, folder, moment) ? 1 : 0
      }
    }
    #expect(setAside > 0)
  }

  private static let length = 32

  /// The headers of the database and its first page closely, the rest at strides.
  private static func places(in count: Int, _ name: String) -> [Int] {
    let close = Moments.kills >= 500 ? 16 : 64
    let wide = Moments.kills >= 500 ? 128 : 2_999
    let head = name == "state.db" ? 256 : 64
    return Array(stride(from: 0, to: min(count, head), by: close))
      + Array(stride(from: min(count, head), to: count, by: wide))
  }

  /// - Returns: whether the state was set aside.
  private func expectBorne(
    _ scene: CrashScene, _ folder: String, _ moment: String
  ) throws -> Bool {
    let plan = try Jobrun.run(["plan", "job.yaml"], folder: scene.folder.path)
    #expect([0, 2, 3].contains(plan.code), "plan: \(plan.code) \(plan.err) \(moment)")
    let told = try Jobrun.run(["job.yaml"], folder: scene.folder.path)
    // 2: it says that it is another job's, or a later version's. 3 once: damage met in the run.
    #expect([0, 2, 3].contains(told.code), "\(told.code) \(told.err) \(moment)")
    for name in CrashScene.all { _ = scene.version(name, among: [0, 1], moment) }
    let aside = try Clone.files(below: folder).filter { $0.contains(".damaged-") }
    for file in aside { unlink(file) }
    if told.code == 2 {
      #expect(told.err.contains("--state"), "\(told.err) \(moment)")
      return false
    }
    if !aside.isEmpty {
      #expect(told.err.contains("set aside as \(folder)/state.db.damaged-"), "\(told.err)")
    }
    if told.code == 3 {
      #expect(!aside.isEmpty, "\(told.err) \(moment)")
      let next = try scene.run()
      #expect(next.code == 0, "\(next.code) \(next.err) \(moment)")
    }
    #expect(scene.version("big", among: [1], moment) == 1)
    return !aside.isEmpty
  }
}

/// Whole files as bytes.
enum Bytes {
  static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "we"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
