/// NSURLRequest.NetworkServiceType: what the traffic is for.
package enum NetworkServiceType: String, Sendable, CaseIterable {
  case `default`, voip, video, background, voice
  case responsiveData = "responsive_data"
  case avStreaming = "av_streaming"
  case responsiveAV = "responsive_av"
  case callSignaling = "call_signaling"

  /// The code point for packets, 0 to 63 (RFC 2474, section 3).
  package var dscp: UInt8 {
    switch self {
    case .default: 0
    // Lower effort (RFC 8622).
    case .background: 1
    case .responsiveData: 18
    case .callSignaling: 24
    case .avStreaming: 26
    case .video, .responsiveAV: 34
    case .voice, .voip: 46
    }
  }
}
