import TransferCore
package final class SecretResolver {
  package init() {}
  func value(_ name: String) throws(TransferFailure) -> String {
    throw TransferFailure(.secret, "no secrets yet")
  }
  var mask: SecretMask { SecretMask([]) }
}
final class ChecksumLists {
  func digest(of path: String, in list: String, algorithm: ChecksumAlgorithm?)
    throws(TransferFailure) -> (ChecksumAlgorithm, String)
  {
    throw TransferFailure(.checksumList, "no lists yet")
  }
}
