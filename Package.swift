// swift-tools-version: 6.2
import PackageDescription

/// What every module of ours is held to: Swift 6 language mode, and no warning passes.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
/// The modules that touch C say so at each use.
let strictAndSafe: [SwiftSetting] = strict + [.strictMemorySafety()]

let package = Package(
  name: "jobrun",
  targets: [
    // Floor 0: C libraries, each a module map over one shim header.
    .systemLibrary(name: "CLibcurl", pkgConfig: "libcurl"),
    .systemLibrary(name: "CLibyaml", pkgConfig: "yaml-0.1"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto"),
    .systemLibrary(name: "CLibssl", pkgConfig: "libssl"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .systemLibrary(name: "CLinux"),
    // Floor 1
    .target(name: "TransferCore", swiftSettings: strict),
    // Floor 2
    .target(
      name: "JobSpec", dependencies: ["TransferCore", "CLibyaml"], swiftSettings: strictAndSafe),
    .target(
      name: "TransferIO",
      dependencies: [
        "TransferCore", "CLibcurl", "CSQLite", "CLibcrypto", "CLibssl", "CZlib", "CLinux",
      ],
      swiftSettings: strictAndSafe),
    // Floor 3
    .executableTarget(
      name: "jobrun", dependencies: ["TransferCore", "JobSpec", "TransferIO"],
      swiftSettings: strict),

    // A scripted server and the fault table, for tests and Benchmarks/faults; no part of jobrun.
    .target(
      name: "FaultOrigin", dependencies: ["CLibssl"], path: "Tests/FaultOrigin",
      swiftSettings: strict),
    .executableTarget(
      name: "fault-origin", dependencies: ["FaultOrigin"], path: "Tests/fault-origin",
      swiftSettings: strict),

    .testTarget(
      name: "TransferCoreTests", dependencies: ["TransferCore"], swiftSettings: strict),
    .testTarget(
      name: "SimulationTests", dependencies: ["TransferCore"], swiftSettings: strict),
    .testTarget(
      name: "JobSpecTests", dependencies: ["JobSpec", "TransferCore"],
      exclude: ["Bad"], swiftSettings: strict),
    .testTarget(
      name: "TransferIOTests", dependencies: ["TransferIO", "TransferCore", "FaultOrigin"],
      swiftSettings: strict),
    .testTarget(
      name: "JobrunTests",
      dependencies: ["jobrun", "TransferIO", "TransferCore", "JobSpec", "FaultOrigin"],
      swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["JobSpec", "TransferIO", "TransferCore"],
      exclude: ["LibFuzzer"], swiftSettings: strict),
    .testTarget(name: "TidyTests", swiftSettings: strict),
  ]
)
