import Glibc

/// `jobrun init [FILE]`.
enum InitCommand {
  /// Writes the starter job to a new file. What stands there is left alone.
  static func write(to path: String, _ errors: OutputStream) -> ExitCode {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return refuse(path, errno, errors) }
    let file = OutputStream(descriptor: descriptor)
    file.write(StarterJob.text)
    file.flush()
    let closed = close(descriptor)
    if let number = file.failure ?? (closed == 0 ? nil : errno) {
      unlink(path)
      errors.write("jobrun: can't write \(Prose.shown(path)): \(SystemError.text(number))\n")
      return .machine
    }
    errors.write("jobrun: wrote \(Prose.shown(path)); 'jobrun plan' says what it would do\n")
    return .success
  }

  private static func refuse(_ path: String, _ number: Int32, _ errors: OutputStream) -> ExitCode {
    if number == EEXIST {
      errors.write(
        "jobrun: \(Prose.shown(path)) is there already and is left alone; name a new file\n")
      return .usage
    }
    errors.write("jobrun: can't write \(Prose.shown(path)): \(SystemError.text(number))\n")
    return number == ENOENT || number == ENOTDIR ? .usage : .machine
  }
}
