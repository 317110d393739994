import Glibc

/// This process's environment.
enum Environment {
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
