import Testing
import TransferCore

@testable import TransferIO

/// AWS's own examples: its test suite of Signature Version 4, and the S3 page on header-based
/// authentication.
@Suite struct RequestSignatureTests {
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

  /// A request of the suite: service `service` in us-east-1.
  private func suite(
    _ method: String, _ path: String, _ query: String,
    _ headers: [(String, String)] = [], payload: String = empty
  ) -> String {
    let time = "20150830T123600Z"
    return RequestSignature(
      method: method, path: path, query: query,
      headers: [("Host", "example.amazonaws.com"), ("X-Amz-Date", time)] + headers,
      payload: payload, time: time, region: "us-east-1", service: "service"
    ).authorization(user: "AKIDEXAMPLE", secret: Self.secret, by: RequestSigner.hashing)
  }

  private func signature(_ authorization: String) -> String {
    authorization.split(separator: "=").last.map(String.init) ?? ""
  }

  @Test func theSuitesVanillaRequest() {
    #expect(
      suite("GET", "/", "")
        == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
        + "SignedHeaders=host;x-amz-date, "
        + "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
  }

  @Test(arguments: [
    // get-vanilla-query-order-key-case
    (
      "GET", "/", "Param2=value2&Param1=value1",
      "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
    ),
    // get-vanilla-empty-query-key
    (
      "GET", "/", "Param1=value1",
      "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"
    ),
    // get-utf8
    ("GET", "/ሴ", "", "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
    // post-vanilla
    ("POST", "/", "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
  ])
  func theSuitesQueriesAndPaths(method: String, path: String, query: String, wanted: String) {
    #expect(signature(suite(method, path, query)) == wanted)
  }

  @Test func theSuitesHeaders() {
    // get-header-value-order, get-header-value-trim
    #expect(
      signature(
        suite(
          "GET", "/", "",
          [
            ("My-Header1", "value4"), ("My-Header1", "value1"), ("My-Header1", "value3"),
            ("My-Header1", "value2"),
          ])) == "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01")
    #expect(
      signature(
        suite(
          "GET", "/", "", [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")]))
        == "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736")
  }

  private func s3(
    _ method: String, _ path: String, _ query: String, _ headers: [(String, String)] = [],
    payload: String = empty
  ) -> String {
    let time = "20130524T000000Z"
    return signature(
      RequestSignature(
        method: method, path: path, query: query,
        headers: [
          ("host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", payload),
          ("x-amz-date", time),
        ] + headers, payload: payload, time: time, region: "us-east-1", service: "s3"
      ).authorization(
        user: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        by: RequestSigner.hashing))
  }

  @Test func theExamplesOfS3() {
    #expect(
      s3("GET", "/test.txt", "", [("Range", "bytes=0-9")])
        == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    let body = Array("Welcome to Amazon S3.".utf8)
    #expect(
      s3(
        "PUT", "/test$file.text", "",
        [
          ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ], payload: Digest.sha256(body))
        == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    #expect(
      s3("GET", "/", "lifecycle")
        == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    #expect(
      s3("GET", "/", "max-keys=2&prefix=J")
        == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test(arguments: [
    ("b=2&a=1", "a=1&b=2"), ("a=2&a=1", "a=1&a=2"), ("acl", "acl="), ("a=b=c", "a=b%3Dc"),
    ("p=a/b", "p=a%2Fb"), ("p=%7Ea+b", "p=~a%20b"), ("p=%zz", "p=%25zz"), ("", ""),
    ("a=%41", "a=A"), ("A=1&a=1", "A=1&a=1"), ("&&a=1&", "a=1"), ("p=%+1", "p=%25%201"),
  ])
  func aQueryHasOneForm(query: String, wanted: String) {
    #expect(RequestSignature.canonicalQuery(query) == wanted)
  }
}
