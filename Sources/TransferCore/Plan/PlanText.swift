/// Text of a plan that may hold parts known only when its task is about to run: secrets, and what
/// earlier tasks captured.
package struct PlanText: Hashable, Sendable {
  package enum Piece: Hashable, Sendable {
    case literal(String)
    /// The value of the job's secret `name`, percent-encoded as asked.
    case secret(name: String, encoding: PercentEncoding?)
    /// What the task `task` captured under `name`.
    case capture(task: String, name: String, encoding: PercentEncoding?)
  }

  package var pieces: [Piece]

  package init(pieces: [Piece]) { self.pieces = pieces }
  package init(_ literal: String) { pieces = [.literal(literal)] }

  /// The whole text, when nothing in it waits for the run.
  package var literal: String? {
    switch pieces.count {
    case 0: return ""
    case 1:
      guard case .literal(let text) = pieces[0] else { return nil }
      return text
    default: return nil
    }
  }

  /// The text as it may be shown: secrets are `***`, captures their placeholder.
  package var shown: String {
    if let literal { return literal }
    return pieces.map { piece in
      switch piece {
      case .literal(let text): text
      case .secret: "***"
      case .capture(let task, let name, _): "${tasks.\(task).\(name)}"
      }
    }.joined()
  }

  /// The names of the secrets that the text needs.
  package var secretNames: [String] {
    pieces.compactMap { piece in
      if case .secret(let name, _) = piece { name } else { nil }
    }
  }

  /// The text with its secrets filled in.
  /// - Parameter secret: the value of a secret, or why it can't be had.
  package func filled(
    secret: (String) throws(TransferFailure) -> String
  ) throws(TransferFailure) -> String {
    if let literal { return literal }
    var text = ""
    for piece in pieces {
      switch piece {
      case .literal(let part): text += part
      case .secret(let name, let encoding):
        let value = try secret(name)
        text += encoding?.encode(value) ?? value
      case .capture(let task, let name, _):
        throw TransferFailure(.stopped, "\(task) has not captured \(name)")
      }
    }
    return text
  }
}
