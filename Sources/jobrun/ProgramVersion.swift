/// Which version this is.
enum ProgramVersion {
  static let number = "0.1.0"
}
