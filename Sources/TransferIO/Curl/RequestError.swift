import TransferCore

/// Why a request could not be handed to libcurl.
enum RequestError: Error {
  case curl(CurlError)
  case refused(TransferFailure)

  var failure: TransferFailure {
    switch self {
    case .curl(let error):
      TransferFailure(
        .protocol, error.description, curlCode: error.domain == .easy ? error.code : nil)
    case .refused(let failure): failure
    }
  }
}
