/// What is told when a server wants to be shown who we are, and isn't content.
enum AuthWords {
  /// Bytes of what a server says that are quoted.
  private static let longest = 80

  /// The failure of a request that ended with 401.
  static func failure(_ request: TransferRequest, _ head: ResponseHead) -> TransferFailure {
    let challenges = Challenge.all(in: head)
    let origin = Origin(url: request.url)
    let place = origin.map { "\($0.scheme)://\($0.host):\($0.port)" } ?? "the server"
    let realms = unique(challenges.compactMap(\.realm))
    let realm = realms.isEmpty ? "" : " for realm " + realms.map(quoted).joined(separator: " and ")
    let schemes = unique(challenges.map(\.scheme)).map(short).joined(separator: ", ")
    let offer = schemes.isEmpty ? "names no scheme" : "takes \(schemes)"
    let words: String
    if let grant = request.grant {
      words =
        "the server answered \(StatusPhrase.text(401)): \(place) refused \(grant.words)\(realm), "
        + "and \(offer): \(grant.advice)"
    } else {
      let advice = advice(request, challenges, origin, realms)
      words =
        "the server answered \(StatusPhrase.text(401)): \(place) wants credentials\(realm) and "
        + "\(offer): \(advice)"
    }
    return TransferFailure(.auth, words, status: 401)
  }

  /// Why none was sent, and what to write.
  private static func advice(
    _ request: TransferRequest, _ challenges: [Challenge], _ origin: Origin?, _ realms: [String]
  ) -> String {
    if request.headerLines.contains(where: { $0.lowercased().hasPrefix("authorization:") }) {
      return "check the Authorization header that the job sends"
    }
    if request.candidates.isEmpty {
      guard let origin else { return "write credentials for it" }
      let realm = realms.first.map { ", realm: \(quoted($0))" } ?? ""
      let host = "host: \(origin.host)"
      let port = origin.port == Origin.defaultPort(origin.scheme) ? "" : ", port: \(origin.port)"
      let scheme = origin.scheme == "https" ? "" : ", protocol: \(origin.scheme)"
      return "write credentials: [{ for: { \(host)\(port)\(scheme)\(realm) }, user: …, "
        + "password: … }]"
    }
    let known = request.candidates.compactMap(\.realm)
    if known.count == request.candidates.count, realms.allSatisfy({ !known.contains($0) }) {
      return "those that the job has are for realm " + known.map(quoted).joined(separator: " and ")
    }
    if challenges.contains(where: { $0.scheme == "basic" }), origin?.scheme == "http" {
      return "a password isn't sent in clear where there is something better; "
        + "method: basic sends it all the same"
    }
    return "those that the job has are shown in another way: see their method"
  }

  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return Array(texts.filter { seen.insert($0).inserted }.prefix(4))
  }

  private static func short(_ text: String) -> String {
    let bytes = text.utf8.prefix(longest)
    return String(decoding: bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x3F : $0 }, as: UTF8.self)
  }

  private static func quoted(_ text: String) -> String { "\"\(short(text))\"" }
}

extension CredentialGrant {
  /// The credential, without anything of its values.
  fileprivate var words: String {
    switch source {
    case .session, .task: "the job's credentials (\(scheme.rawValue))"
    case .netrc: "the netrc file's credentials (\(scheme.rawValue))"
    }
  }

  fileprivate var advice: String {
    switch scheme {
    case .negotiate: "see by klist that there is a ticket, and kinit gets one"
    case .bearer: "check the token: it may have expired"
    case .awsSigV4: "check key, region and service, and this machine's clock"
    case .basic, .digest, .ntlm: "check user and password"
    }
  }
}
