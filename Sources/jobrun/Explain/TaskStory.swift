import TransferCore
import TransferIO

/// One task's history as text, 80 columns wide: what it is, what is on disk, what its last runs
/// came to, what the next one would do.
struct TaskStory {
  var id: String
  var past: JobPast
  /// What the log tells of it.
  var logged: [PastEnd]
  /// nil when the job's file is gone, or has the task no more.
  var outlook: TaskOutlook?
  var style: Style

  var text: String {
    let ends = past.ends(id, logged: logged)
    var lines = [style.paint(Prose.printable(id), .bold) + headline]
    lines += sentences(addresses(ends))
    if let path = path(ends) {
      lines += section("On disk", DiskWords.sentences(path, past, id))
    }
    for part in runs(ends) { lines += section(part.title, part.sentences) }
    lines += section("The next run", next(ends))
    return lines.map { $0 + "\n" }.joined()
  }

  private var headline: String {
    guard let outlook else { return ": a task that the job \(past.job.name) had" }
    return ": \(outlook.task.kindName) of the job \(past.job.name), session \(outlook.session)"
  }

  private func addresses(_ ends: [PastEnd]) -> [String] {
    let url =
      outlook.map { ShownAddress.withoutUserInfo($0.task.request.url.shown) }
      ?? ends.last?.record["original_url"]?.text ?? past.file(id)?.url
    let method = outlook?.task.request.method
    var words: [String] = []
    if let url { words.append("\(method ?? "from") \(url)") }
    if let path = path(ends) { words.append("to \(path)") }
    return words
  }

  private func path(_ ends: [PastEnd]) -> String? {
    if let outlook { return outlook.task.path }
    return past.file(id)?.path ?? ends.last { $0.record["path"] != nil }?.record["path"]?.text
  }

  /// The runs that are known of, the oldest first.
  private func runs(_ ends: [PastEnd]) -> [(title: String, sentences: [String])] {
    let told = ends.map { end in
      (at: end.time, title: EndWords.title(end), sentences: EndWords.sentences(end))
    }
    return (told + open(ends)).sorted { $0.at < $1.at }.map { ($0.title, $0.sentences) }
  }

  /// Runs that have begun, and of which nothing of this task is written down.
  private func open(_ ends: [PastEnd]) -> [(at: String, title: String, sentences: [String])] {
    past.runs(without: ends).compactMap { run in
      let began = "It began at \(EndWords.time(run.chain.started))"
      let words: String
      if run.outcome == nil, past.isRunning {
        words = "\(began) and is going on; the task hasn't ended in it."
      } else if run.exitCode == nil {
        words = "\(began) and was killed before the task had ended."
      } else {
        return nil
      }
      return (run.chain.started.rfc3339, "Run \(run.chain.runID)", [words])
    }
  }

  private func next(_ ends: [PastEnd]) -> [String] {
    guard let outlook else {
      return ["Nothing can be said of it: the task isn't in the job, or the job's file is gone."]
    }
    var words = [NextWords.sentence(outlook)]
    if !outlook.after.isEmpty {
      words.append("It starts after \(Prose.list(outlook.after.map(Prose.printable), "and")).")
    }
    if ends.isEmpty { words.append("No run that is still known of has ended this task.") }
    return words
  }

  private func section(_ title: String, _ sentences: [String]) -> [String] {
    ["", style.paint(title, .bold)] + self.sentences(sentences)
  }

  private func sentences(_ sentences: [String]) -> [String] {
    sentences.flatMap { sentence in
      Prose.wrap(Prose.printable(sentence), width: HelpPage.width - 2).map { "  " + $0 }
    }
  }
}

/// What the next run would do with a task, and why.
enum NextWords {
  static func sentence(_ outlook: TaskOutlook) -> String {
    let reason = outlook.planned.reason
    let failure = "would fail now: "
    if reason.hasPrefix(failure) { return "It would fail: \(reason.dropFirst(failure.count))." }
    let words: String =
      switch outlook.planned.action {
      case .fetch: "It would fetch the file from its first byte"
      case .resume:
        "It would go on from byte \(outlook.planned.fromByte ?? 0)"
          + " (\(HumanText.size(outlook.planned.fromByte ?? 0)))"
      case .revalidate: "It would keep the file if the server says that it is unchanged"
      case .keep: "It would do nothing"
      case .upload: "It would send the file"
      case .request: "It would make the request"
      case .wait: "It would wait"
      case .`defer`: "It would put the task off"
      case .skip: "It would leave the task out"
      }
    let saysIt = outlook.planned.action == .revalidate || reason.isEmpty
    return saysIt ? "\(words)." : "\(words): \(reason)."
  }
}
