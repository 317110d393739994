import Glibc
import Synchronization

/// What the origin's threads share.
final class OriginState: Sendable {
  struct Inner {
    var seen: [SeenRequest] = []
    var accepted = 0
    var open: Set<Int32> = []
    var isStopped = false
  }

  let inner = Mutex(Inner())
  let script: ScriptedOrigin.Script
  let beforeBody: (@Sendable (SeenRequest) -> [OriginStep]?)?
  private let listener: Int32
  private let identity: OriginIdentity?
  private let handshake: OriginHandshake

  init(
    listener: Int32, identity: OriginIdentity?, handshake: OriginHandshake,
    script: @escaping ScriptedOrigin.Script,
    beforeBody: (@Sendable (SeenRequest) -> [OriginStep]?)?
  ) {
    self.listener = listener
    self.identity = identity
    self.handshake = handshake
    self.script = script
    self.beforeBody = beforeBody
  }

  func acceptAll() {
    while true {
      let descriptor = accept(listener, nil, nil)
      if descriptor < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        break
      }
      let number: Int? = inner.withLock { inner in
        if inner.isStopped { return nil }
        inner.open.insert(descriptor)
        inner.accepted += 1
        return inner.accepted - 1
      }
      guard let number else {
        close(descriptor)
        break
      }
      OriginThread.run {
        if let channel = OriginChannel(descriptor, self.identity, self.handshake) {
          OriginConnection(channel, number: number, self).serve()
        }
        self.inner.withLock { _ = $0.open.remove(descriptor) }
        close(descriptor)
      }
    }
    close(listener)
  }

  func stop() {
    inner.withLock { inner in
      if inner.isStopped { return }
      inner.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for descriptor in inner.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }
}

/// A detached thread with a closure.
package enum OriginThread {
  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  package static func run(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Box(body)).toOpaque()
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        // OpenSSL writes without MSG_NOSIGNAL. Of this thread alone: children inherit the rest.
        var broken = sigset_t()
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &broken, nil)
        Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, context)
    precondition(code == 0, "no thread")
    pthread_detach(thread)
  }
}
