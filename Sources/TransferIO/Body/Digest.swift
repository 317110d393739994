import CLibcrypto
import TransferCore

/// libcrypto refused a digest.
package struct DigestError: Error, Equatable, Sendable {
  package var algorithm: ChecksumAlgorithm
  package var failure: TransferFailure {
    TransferFailure(.localFile, "libcrypto has no working \(algorithm.rawValue)")
  }
}

/// A digest being computed. One owner of an EVP_MD_CTX; not Sendable.
@safe package final class Digest {
  package let algorithm: ChecksumAlgorithm
  private let context: OpaquePointer

  /// `method` is a fetched EVP_MD; the context keeps its own reference to it.
  fileprivate init(_ algorithm: ChecksumAlgorithm, _ method: OpaquePointer) throws(DigestError) {
    guard let context = unsafe EVP_MD_CTX_new() else { throw DigestError(algorithm: algorithm) }
    self.algorithm = algorithm
    unsafe self.context = context
    if unsafe EVP_DigestInit_ex2(context, method, nil) != 1 {
      throw DigestError(algorithm: algorithm)
    }
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Takes more bytes.
  package func update(_ bytes: RawSpan) {
    let code = unsafe bytes.withUnsafeBytes { bytes in
      unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }
    precondition(code == 1, "EVP_DigestUpdate failed on a started digest")
  }

  /// The digest of all bytes taken, in lower-case hexadecimal. The object is used up.
  package func finish() -> String {
    var count: UInt32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, used in
      let code = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, &count)
      precondition(code == 1, "EVP_DigestFinal_ex failed on a started digest")
      used = Int(count)
    }
    return Self.hexadecimal(bytes)
  }

  /// SHA-256 of a few bytes, in lower-case hexadecimal. On any thread.
  static func sha256(_ bytes: [UInt8]) -> String {
    let digest = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, used in
      let made = unsafe SHA256(bytes, bytes.count, buffer.baseAddress)
      unsafe precondition(made != nil, "libcrypto has no SHA-256")
      used = 32
    }
    return hexadecimal(digest)
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      for (index, byte) in bytes.enumerated() {
        unsafe buffer[2 * index] = digit(byte >> 4)
        unsafe buffer[2 * index + 1] = digit(byte & 15)
      }
      return bytes.count * 2
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x61 + value - 10
  }
}

/// libcrypto's digest methods, each fetched once: a fetch costs as much as a small file's digest.
/// Not Sendable: another thread makes its own.
@safe package final class DigestMethods {
  private var fetched: [OpaquePointer?]

  package init() {
    unsafe fetched = Array(repeating: nil, count: ChecksumAlgorithm.allCases.count)
  }

  deinit {
    for index in unsafe fetched.indices { unsafe EVP_MD_free(fetched[index]) }
  }

  /// A digest with nothing taken yet.
  package func start(_ algorithm: ChecksumAlgorithm) throws(DigestError) -> Digest {
    let index = Self.index(algorithm)
    if let method = unsafe fetched[index] { return try unsafe Digest(algorithm, method) }
    guard let method = unsafe EVP_MD_fetch(nil, algorithm.rawValue, nil) else {
      throw DigestError(algorithm: algorithm)
    }
    unsafe fetched[index] = method
    return try unsafe Digest(algorithm, method)
  }

  private static func index(_ algorithm: ChecksumAlgorithm) -> Int {
    switch algorithm {
    case .sha256: 0
    case .sha512: 1
    case .sha384: 2
    case .sha224: 3
    case .sha1: 4
    case .md5: 5
    }
  }
}
