import CLinux
import Glibc
import TransferCore

/// What clocks on the wall show in a time zone, by the C library and the system's tzdata.
///
/// For one thread: the C library knows a single current zone, so that for the time of a call $TZ is
/// the zone asked for. It is put back before the call returns. libcurl's resolver threads read the
/// environment, so that the calls belong before the first transfer.
package final class CivilClock {
  private let folder: String
  private var isKnown: [String: Bool] = ["UTC": true]

  /// - Parameter variable: an environment variable, for $TZDIR.
  package init(variable: (String) -> String?) {
    let set = variable("TZDIR") ?? ""
    folder = set.isEmpty ? "/usr/share/zoneinfo" : set
  }

  /// - Parameters:
  ///   - seconds: since 1970-01-01T00:00:00Z.
  ///   - zone: an IANA name, as in `Europe/Berlin`; nil is the system's ($TZ, /etc/localtime).
  /// - Returns: nil when there is no such zone here, or the year has no number in C.
  package func time(at seconds: Int64, in zone: String?) -> CivilTime? {
    guard let zone else {
      tzset()
      return Self.local(seconds)
    }
    guard isZone(zone) else { return nil }
    let before = unsafe getenv("TZ").map { unsafe String(cString: $0) }
    // UTC needs no tzdata, which small containers lack.
    unsafe setenv("TZ", zone == "UTC" ? "UTC0" : ":\(folder)/\(zone)", 1)
    tzset()
    defer {
      if let before { unsafe setenv("TZ", before, 1) } else { unsafe unsetenv("TZ") }
      tzset()
    }
    return Self.local(seconds)
  }

  private static func local(_ seconds: Int64) -> CivilTime? {
    var moment = time_t(seconds)
    var parts = unsafe tm()
    guard unsafe localtime_r(&moment, &parts) != nil else { return nil }
    return unsafe CivilTime(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec),
      weekday: Int(parts.tm_wday), dayOfYear: Int(parts.tm_yday) + 1,
      offsetSeconds: Int(parts.tm_gmtoff),
      zoneName: parts.tm_zone.map { unsafe String(cString: $0) } ?? "")
  }

  private func isZone(_ name: String) -> Bool {
    if let known = isKnown[name] { return known }
    let isZone = Self.isName(name) && hasData(name)
    isKnown[name] = isZone
    return isZone
  }

  /// Letters, digits and `_+-/` alone: no way out of the folder.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "/") else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "_+-/".utf8.contains(byte)
      }
    }
  }

  /// Zones begin with `TZif` (RFC 8536); tables lie beside them.
  private func hasData(_ name: String) -> Bool {
    guard let file = try? BoundedFile.read("\(folder)/\(name)", bound: 1 << 20) else {
      return false
    }
    return file.bytes.starts(with: "TZif".utf8)
  }
}
