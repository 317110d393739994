import JobSpec
import TransferCore

/// One line for a terminal: tasks, bar, bytes, speed, and a transfer that is under way.
struct ProgressBar {
  /// What the speed is reckoned from: the last five seconds.
  private var samples: [(at: Instant, bytes: Int64)] = []

  /// The line in `width` columns at most; the last one stays free: some terminals wrap there.
  mutating func line(_ snapshot: ProgressSnapshot, plan: Plan, width: Int) -> String {
    samples.append((snapshot.now, snapshot.bytes))
    while samples.count > 2, snapshot.now - samples[1].at >= .seconds(5) { samples.removeFirst() }
    let percent = Int(snapshot.fraction * 100)
    var parts = ["\(snapshot.endedTasks)/\(snapshot.totalTasks)"]
    if width >= 50 { parts.append(bar(snapshot.fraction, cells: width >= 80 ? 20 : 10)) }
    parts.append("\(percent)%".indented(to: 4))
    parts.append(HumanText.size(snapshot.bytes))
    if let speed { parts.append(speed) }
    var line = parts.joined(separator: "  ")
    if let transfer = snapshot.active.first {
      let id = Prose.printable(plan.tasks[Int(transfer.task)].id)
      let more = snapshot.active.count > 1 ? " +\(snapshot.active.count - 1)" : ""
      line += "  \(id)\(more)"
    }
    return cut(line, to: max(1, width - 1))
  }

  private var speed: String? {
    guard let first = samples.first, let last = samples.last else { return nil }
    return HumanText.speed(last.bytes - first.bytes, in: last.at - first.at)
  }

  private func cut(_ line: String, to columns: Int) -> String {
    var used = 0
    return String(
      line.prefix { character in
        used += DisplayWidth.of(String(character))
        return used <= columns
      })
  }

  private func bar(_ fraction: Double, cells: Int) -> String {
    let full = Int(fraction * Double(cells))
    return "[" + String(repeating: "#", count: full)
      + String(repeating: ".", count: cells - full) + "]"
  }
}
