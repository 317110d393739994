import CLibcurl
import CLinux
import Glibc
import TransferCore

/// What a `file:` address points to. libcurl reads it; what libcurl doesn't look at is looked at
/// here.
struct FileAddress: Equatable {
  let path: String
  let size: Int64
  private let modifiedSeconds: Int
  private let modifiedNanoseconds: Int

  /// Follows symbolic links, as opening the file does.
  init(_ url: String) throws(TransferFailure) {
    guard let address = Address(url), !address.path.isEmpty else {
      throw TransferFailure(.localFile, "the file: address can't be read")
    }
    try self.init(path: address.path)
  }

  private init(path: String) throws(TransferFailure) {
    var facts = stat()
    if unsafe stat(path, &facts) != 0 { throw FileError.last("open", path).failure }
    if facts.st_mode & S_IFMT != S_IFREG {
      throw FileError(.notRegular, "open", path).failure
    }
    self.path = path
    size = Int64(facts.st_size)
    modifiedSeconds = facts.st_mtim.tv_sec
    modifiedNanoseconds = facts.st_mtim.tv_nsec
  }

  /// Whether the file is still what it was.
  func stillHolds() -> Bool { (try? FileAddress(path: path)) == self }

  /// Size and time: the date for people, the exact ones as a weak tag.
  var validator: Validator {
    let time = String(modifiedSeconds, radix: 16) + "." + String(modifiedNanoseconds, radix: 16)
    return Validator(
      etag: "W/\"\(String(size, radix: 16))-\(time)\"",
      lastModified: Self.date(modifiedSeconds))
  }

  /// IMF-fixdate (RFC 9110, section 5.6.7); nil before 1970 and after 9999.
  private static func date(_ seconds: Int) -> String? {
    let (count, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let date = CalendarDay(daysSince1970: Int64(count))
    guard seconds >= 0, date.year <= 9_999 else { return nil }
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let day = "\(days[(count + 4) % 7]), \(two(Int(date.day)))"
    let time = [rest / 3_600, rest / 60 % 60, rest % 60].map(two).joined(separator: ":")
    return "\(day) \(months[Int(date.month) - 1]) \(date.year) \(time) GMT"
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension Transfer {
  /// A `file:` address has no head: its verdict is made from what the file is.
  func prepareFile(_ work: Work) throws(RequestError) {
    guard work.request.method == "GET", case .none = work.request.body else {
      throw .refused(
        TransferFailure(.unsupportedScheme, "a file: address can be read and not written to"))
    }
    isPlain = false
    let file: FileAddress
    do { file = try FileAddress(work.request.url) } catch { throw .refused(error) }
    do throws(CurlError) { try handle.set(CURLOPT_PROTOCOLS_STR, "file") } catch {
      throw .curl(error)
    }
    work.file = file
    let head = ResponseHead(status: 0, contentLength: file.size, validator: file.validator)
    work.receiver.accept(head, Self.verdict(work.request, file))
  }

  private static func verdict(_ request: TransferRequest, _ file: FileAddress) -> HeadVerdict {
    if case .refresh(let known) = request.condition, known.etag == file.validator.etag {
      return .notModified
    }
    if let most = request.maxBytes, file.size > most {
      return .fail(
        TransferFailure(.tooLarge, "the file has \(file.size) bytes, max_bytes is \(most)"))
    }
    if let wanted = request.expect.size, wanted != file.size {
      return .fail(
        TransferFailure(
          .unexpectedContent, "the file has \(file.size) bytes, expected \(wanted)"))
    }
    switch request.sink {
    case .part: return .store(from: 0, total: file.size)
    case .memory(let limit): return .keep(limit: limit)
    }
  }
}
