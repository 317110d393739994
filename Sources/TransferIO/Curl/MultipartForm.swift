import CLibcurl
import TransferCore

/// A multipart/form-data body (RFC 7578) for one handle. Files are streamed by our own source, so
/// that one which changes on the way is noticed.
@safe final class MultipartForm {
  private let mime: OpaquePointer
  private(set) var sources: [BodySource] = []
  /// A form is the handle's: the handle must not go first.
  private let handle: EasyHandle

  init(_ handle: EasyHandle, _ parts: [ResolvedFormPart]) throws(RequestError) {
    guard let mime = unsafe curl_mime_init(handle.pointer) else {
      throw .curl(CurlError(.easy, CURLE_OUT_OF_MEMORY.rawValue, "curl_mime_init"))
    }
    unsafe self.mime = mime
    self.handle = handle
    for part in parts { try add(part) }
    do { try unsafe handle.set(CURLOPT_MIMEPOST, pointer: UnsafeRawPointer(mime)) } catch {
      throw .curl(error)
    }
  }

  deinit { unsafe curl_mime_free(mime) }

  private func add(_ part: ResolvedFormPart) throws(RequestError) {
    guard let entry = unsafe curl_mime_addpart(mime) else {
      throw .curl(CurlError(.easy, CURLE_OUT_OF_MEMORY.rawValue, "curl_mime_addpart"))
    }
    try Self.check(unsafe curl_mime_name(entry, part.name), part.name)
    if let type = part.contentType {
      try Self.check(unsafe curl_mime_type(entry, type), part.name)
    }
    switch part.content {
    case .value(let text):
      let bytes = Array(text.utf8)
      let code = unsafe bytes.withUnsafeBytes { bytes in
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        return unsafe curl_mime_data(entry, start, bytes.count)
      }
      try Self.check(code, part.name)
    case .file(let path, let filename):
      let source: BodySource
      do { source = try BodySource(path: path, size: nil, mayRepeat: true) } catch {
        throw .refused(error.failure)
      }
      sources.append(source)
      try Self.check(unsafe CurlCallbacks.install(source, onPart: entry), part.name)
      let name = filename ?? path.split(separator: "/").last.map(String.init) ?? path
      try Self.check(unsafe curl_mime_filename(entry, name), part.name)
    }
  }

  private static func check(_ code: CURLcode, _ name: String) throws(RequestError) {
    if code == CURLE_OK { return }
    throw .curl(CurlError(.easy, code.rawValue, "the form's part \(name)"))
  }
}
