/// Body bytes that came, in all transfers of an engine, and who hears of every so many: one turn of
/// libcurl may bring tens of MiB of a fast line.
final class Arrivals {
  private(set) var bytes: Int64 = 0
  /// `reached` is called from here on.
  var mark = Int64.max
  /// Called before the bytes that reach the mark are used, and should set the next one. It may
  /// wait, and with it the line.
  var reached: () -> Void = {}

  func add(_ count: Int) {
    bytes += Int64(count)
    if bytes >= mark { reached() }
  }
}
