import TransferCore

/// The time of the current turn of the loop, read once a turn: callbacks take it from here.
final class StepClock {
  private(set) var now = Clock.monotonic()

  func tick() { now = Clock.monotonic() }
}
