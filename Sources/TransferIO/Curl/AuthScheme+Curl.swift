import TransferCore

extension AuthScheme {
  /// CURLAUTH_…, which are casts in C that Swift doesn't import.
  var curlBit: Int {
    switch self {
    case .basic: 1 << 0
    case .digest: 1 << 1
    case .negotiate: 1 << 2
    case .ntlm: 1 << 3
    case .bearer: 1 << 6
    case .awsSigV4: 1 << 7
    }
  }
}
