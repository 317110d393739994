import Glibc
import TransferCore

/// Gets the values of a job's secrets when they are first needed, each once: a value is remembered
/// to the end of the run, and so is the failure to get it.
///
/// A `command` holds the caller until it ends, for 30 s at most.
package final class SecretResolver {
  /// The most bytes of a secret.
  package static let bound = 1 << 20

  private let sources: [String: SecretSource]
  private let folder: String
  let variable: (String) -> String?
  let warn: (String) -> Void
  private let shouldStop: () -> Bool
  private var resolved: [String: Result<String, TransferFailure>] = [:]
  /// Values that are secret too, though they don't stand under `secrets`.
  private var covered: Set<String> = []

  /// - Parameters:
  ///   - folder: the job file's, absolute: where commands run.
  ///   - variable: an environment variable.
  ///   - warn: told of what is dangerous but works, in one line.
  ///   - shouldStop: asked while a command runs; true ends it. `Signals.isEndWaiting` is the one.
  package init(
    _ sources: [String: SecretSource], folder: String, variable: @escaping (String) -> String?,
    warn: @escaping (String) -> Void, shouldStop: @escaping () -> Bool = { false }
  ) {
    self.sources = sources
    self.folder = folder
    self.variable = variable
    self.warn = warn
    self.shouldStop = shouldStop
  }

  /// Masks what was resolved so far. Made anew for each secret alone, so that asking costs nothing.
  package private(set) var mask = SecretMask()

  /// What was resolved so far.
  package var values: [String] { resolved.values.compactMap { try? $0.get() } + covered }

  /// Masks these as well.
  func cover(_ values: [String]) {
    let new = values.filter { covered.insert($0).inserted }
    if !new.isEmpty { mask = SecretMask(self.values) }
  }

  /// The value of the job's secret `name`: UTF-8, not empty, without NUL.
  /// - Throws: `.secret` with what to do about it; `.stopped` when the run is being ended, which is
  ///   not remembered.
  package func value(_ name: String) throws(TransferFailure) -> String {
    if let known = resolved[name] { return try known.get() }
    guard let source = sources[name] else {
      throw TransferFailure(.secret, "the job has no secret \(name): add it under secrets:")
    }
    do {
      let value = try Self.checked(bytes(of: source, name), from: source, name)
      resolved[name] = .success(value)
      mask = SecretMask(values)
      return value
    } catch {
      if error.kind != .stopped { resolved[name] = .failure(error) }
      throw error
    }
  }

  private func bytes(
    of source: SecretSource, _ name: String
  ) throws(TransferFailure) -> [UInt8] {
    switch source {
    case .environment(let key):
      guard let value = variable(key) else {
        throw Self.failure(name, "$\(key) is not set: export it before jobrun starts")
      }
      return Array(value.utf8)
    case .file(let path): return try file(path, name, warns: true)
    case .credential(let credential): return try self.credential(credential, name)
    case .command(let words): return try output(of: words, name)
    }
  }

  private func file(
    _ path: String, _ name: String, warns: Bool
  ) throws(TransferFailure) -> [UInt8] {
    do {
      let contents = try BoundedFile.read(path, bound: Self.bound)
      if warns && contents.mode & 0o044 != 0 {
        let mode = "0" + String(contents.mode, radix: 8)
        warn("secret \(name): others can read \(path) (mode \(mode)): chmod 600 \(path)")
      }
      return Self.withoutNewline(contents.bytes)
    } catch {
      switch error {
      case .tooLarge:
        throw Self.failure(name, "\(path) is larger than 1 MiB: is it the right file?")
      case .failed(let error): throw Self.failure(name, error.failure.detail)
      }
    }
  }

  private func credential(
    _ credential: String, _ name: String
  ) throws(TransferFailure) -> [UInt8] {
    if credential.isEmpty || credential.contains("/") || [".", ".."].contains(credential) {
      throw Self.failure(name, "\(credential) is no credential's name: it has no slashes")
    }
    guard let folder = variable("CREDENTIALS_DIRECTORY"), !folder.isEmpty else {
      throw Self.failure(
        name,
        "$CREDENTIALS_DIRECTORY is not set: start jobrun from a systemd unit with "
          + "LoadCredential=\(credential):PATH, or use file: or env: here")
    }
    // systemd shields the folder; the mode of what lies in it says nothing.
    return try file("\(folder)/\(credential)", name, warns: false)
  }

  private func output(of words: [String], _ name: String) throws(TransferFailure) -> [UInt8] {
    let command = SecretCommand(words: words, folder: folder, shouldStop: shouldStop)
    do {
      return Self.withoutNewline(try command.run())
    } catch {
      if error == .stopped { throw TransferFailure(.stopped, "the run is being ended") }
      throw Self.failure(name, error.words(command: words.first ?? "", folder: folder))
    }
  }

  private static func checked(
    _ bytes: [UInt8], from source: SecretSource, _ name: String
  ) throws(TransferFailure) -> String {
    let origin =
      switch source {
      case .environment(let key): "$\(key)"
      case .file(let path): path
      case .credential(let credential): "the credential \(credential)"
      case .command(let words): "the output of \(words.first ?? "")"
      }
    if bytes.isEmpty { throw failure(name, "\(origin) is empty: put the secret there") }
    if bytes.contains(0) { throw failure(name, "\(origin) has a NUL byte in it: store it as text") }
    guard let value = String(validating: bytes, as: UTF8.self) else {
      throw failure(name, "\(origin) is not UTF-8: store it as text, as in base64")
    }
    return value
  }

  /// Without one line end at its end.
  private static func withoutNewline(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.last == 0x0A else { return bytes }
    return bytes.dropLast(bytes.dropLast().last == 0x0D ? 2 : 1)
  }

  private static func failure(_ name: String, _ words: String) -> TransferFailure {
    TransferFailure(.secret, "secret \(name): \(words)")
  }
}
