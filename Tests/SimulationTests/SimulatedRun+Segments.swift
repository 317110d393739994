import TransferCore

/// A part file, and the requests that write to it at one time.
extension SimulatedRun {
  /// The part file of an accepted body; false when it is not what it has to be.
  func openPart(_ request: TransferRequest, from: Int64) throws(Killed) -> Bool {
    let task = request.task
    let kept = ByteRanges([0..<from] + (from > 0 ? request.kept.ranges : []))
    if request.segment == 0 { try willRewrite(task, from: from, keeping: kept) }
    let inode = world.disk.openOrCreate(Scenario.partPath(task))
    world.disk.open.insert(inode)
    if parts[task] == nil { parts[task] = Part(inode: inode) }
    if case .resume(_, let validator, _) = request.condition { parts[task]?.resumed = validator }
    // Its range is a gap: what is there stays as it is.
    if request.segment > 0 { return true }
    let length = max(from, kept.end)
    if size(of: task) < length { return false }
    try world.step()
    world.disk.truncate(inode, to: length)
    parts[task]?.written = kept
    return true
  }

  /// The machine hears of a body that goes to a part file.
  func tellOpened(_ request: TransferRequest) {
    guard plan.tasks[Int(request.task)].mayComeInSegments else { return }
    if request.segment == 0 {
      measure(request.task)
    } else {
      events.append(.segmentAccepted(task: request.task, segment: request.segment))
    }
  }

  func measure(_ task: Int32) {
    guard let live = transfers[StreamID(task: task)], live.isStoring, !live.hasEnough,
      let head = live.answer?.head
    else { return }
    events.append(.storing(task: task, head, position: live.position))
  }

  func bound(_ task: Int32, upTo end: Int64?) throws(Killed) {
    let stream = StreamID(task: task)
    guard let live = transfers[stream] else { return }
    transfers[stream]?.bound = end
    guard let end, live.isStoring, live.position >= end else { return }
    transfers[stream]?.hasEnough = true
    try self.end(stream, nil)
  }

  /// The requests of a task that are under way, in order.
  func streams(of task: Int32) -> [StreamID] {
    transfers.keys.filter { $0.task == task }.sorted()
  }

  func abort(_ task: Int32) throws(Killed) {
    hashing[task] = nil
    let streams = streams(of: task)
    if streams.isEmpty { events.append(.aborted(task: task)) }
    for stream in streams { try end(stream, TransferFailure(.cancelled, "cancelled")) }
  }
}

extension StreamID {
  var words: String { segment == 0 ? "\(task)" : "\(task)/\(segment)" }
}

extension TransferRequest {
  var words: String {
    let end = upTo.map { " up to \($0)" } ?? ""
    return "\(stream.words) \(url) \(condition)\(end)"
  }
}
