/// SHA-256 of the two versions of `FaultContent`, made by another program.
enum FaultDigest {
  static let one = "f6172441f3ead733929caae5dff41fdcdfaa7c33d09fef3cf350486ee9cff7f0"
  /// The same as RFC 9530 has it.
  static let fieldOne = "sha-256=:9hckQfPq1zOSnKrl3/Qf3N+qfDPQn+8881BIbunP9/A=:"
  static let two = "d8f6e3f683c703d7ecbe656f8842d8fd2ad4bdf5a9d4b8f09b43b771cd1e6409"
}
