import Glibc

/// One connection of the origin: reads requests, plays the steps.
final class OriginConnection {
  private let channel: OriginChannel
  private let number: Int
  private let state: OriginState
  private var buffer: [UInt8] = []
  private var served = 0
  private var skipsBody = false

  init(_ channel: OriginChannel, number: Int, _ state: OriginState) {
    self.channel = channel
    self.number = number
    self.state = state
  }

  func serve() {
    while let head = readHead() {
      var request = Self.parse(head)
      request.connection = number
      request.number = served
      served += 1
      skipsBody = false
      if hasBody(request), !playBeforeBody(request) { return }
      if skipsBody { continue }
      request.isWhole = readBody(&request)
      let whole = request
      state.inner.withLock { $0.seen.append(whole) }
      if !request.isWhole || !play(state.script(request)) { return }
    }
  }

  // MARK: Reading

  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = channel.receive(&piece)
    if count <= 0 { return false }
    buffer += piece[..<count]
    return true
  }

  private func readHead() -> String? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let found = firstRange(of: end) {
        let head = String(decoding: buffer[..<found], as: UTF8.self)
        buffer.removeFirst(found + end.count)
        return head
      }
      if !fill() { return nil }
    }
  }

  private func firstRange(of pattern: [UInt8]) -> Int? {
    guard buffer.count >= pattern.count else { return nil }
    return (0...(buffer.count - pattern.count)).first { start in
      buffer[start..<start + pattern.count].elementsEqual(pattern)
    }
  }

  private func readLine() -> String? {
    while true {
      if let end = firstRange(of: [0x0D, 0x0A]) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 2)
        return line
      }
      if !fill() { return nil }
    }
  }

  private func take(_ count: Int, into body: inout [UInt8]) -> Bool {
    var left = count
    while left > 0 {
      if buffer.isEmpty, !fill() { return false }
      let piece = min(left, buffer.count)
      body += buffer[..<piece]
      buffer.removeFirst(piece)
      left -= piece
    }
    return true
  }

  private static func parse(_ head: String) -> SeenRequest {
    var request = SeenRequest()
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ")
    request.method = words.isEmpty ? "" : String(words[0])
    request.target = words.count > 1 ? String(words[1]) : ""
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      request.fields.append((String(line[..<colon]), String(value)))
    }
    return request
  }

  private func hasBody(_ request: SeenRequest) -> Bool {
    request["Transfer-Encoding"] != nil || Int(request["Content-Length"] ?? "0") != 0
  }

  private func readBody(_ request: inout SeenRequest) -> Bool {
    if request["Transfer-Encoding"] == nil {
      return take(Int(request["Content-Length"] ?? "0") ?? 0, into: &request.body)
    }
    while let line = readLine(), let size = Int(line, radix: 16) {
      if !take(size, into: &request.body) || readLine() == nil { return false }
      if size == 0 { return true }
    }
    return false
  }

  // MARK: Playing

  private func playBeforeBody(_ request: SeenRequest) -> Bool {
    if let steps = state.beforeBody?(request) {
      let goesOn = play(steps)
      if !goesOn || skipsBody { state.inner.withLock { $0.seen.append(request) } }
      return goesOn
    }
    if request["Expect"] != nil { return play(.raw("HTTP/1.1 100 Continue\r\n\r\n")) }
    return true
  }

  /// False when the connection is at its end.
  private func play(_ steps: [OriginStep]) -> Bool {
    for step in steps {
      switch step {
      case .send(let bytes): if !channel.send(bytes) { return false }
      case .hold:
        while fill() { buffer.removeAll() }
        return false
      case .sendBare(let bytes): if !channel.send(bytes, bare: true) { return false }
      case .dribble(let bytes, let milliseconds):
        for byte in bytes {
          if !channel.send([byte]) { return false }
          usleep(milliseconds * 1_000)
        }
      case .skipBody: skipsBody = true
      case .wait(let gate): gate.wait()
      case .pause(let milliseconds): usleep(milliseconds * 1_000)
      case .close:
        channel.sayGoodbye()
        endGently()
        return false
      case .cut:
        endGently()
        return false
      case .reset:
        channel.resetAtClose()
        return false
      }
    }
    return true
  }

  /// FIN first and the rest read, so that the close doesn't turn into a reset.
  private func endGently() {
    shutdown(channel.descriptor, Int32(SHUT_WR))
    while fill() { buffer.removeAll() }
  }
}
