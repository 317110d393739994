package enum TransferIOPlaceholder {}
