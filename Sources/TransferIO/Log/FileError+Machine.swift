import TransferCore

extension FileError {
  /// What the operator is told when the file is the machine's and no task's: state or log.
  package var machineFailure: TransferFailure { TransferFailure(.disk, failure.detail) }
}
