import JobSpec

/// Everything that can be said of a job file without network, state and secrets.
enum JobCheck {
  static func diagnostics(of input: JobInput) -> [Diagnostic] {
    JobYAML(bytes: input.bytes, file: input.path).read().diagnostics
  }
}
