/// Every option that is known, by its long name.
enum OptionName: String, CaseIterable, Sendable {
  case dryRun = "dry-run"
  case only, skip
  case withDependencies = "with-dependencies"
  case `var`, root, state, log
  case maxParallel = "max-parallel"
  case maxErrors = "max-errors"
  case deadline, fresh
  case onOverlap = "on-overlap"
  case json, format
  case exitCode = "exit-code"
  case strict, man, progress, quiet, verbose, color, help, version
  // Known, and not in this version.
  case probe, detach, attach, network
  case networkProfile = "network-profile"
  case overlapTimeout = "overlap-timeout"

  /// As it is written.
  var spelled: String { "--" + rawValue }
}
