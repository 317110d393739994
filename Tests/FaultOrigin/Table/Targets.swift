private typealias Content = FaultContent

extension FaultCase {
  /// Targets that can't be written, and lengths that no disk holds.
  static let targets: [FaultCase] = [
    target("length-no-disk-holds", "Content-Length names an exbibyte") { _ in
      [.send(Content.head("200 OK", ["Content-Length: 1152921504606846976"]) + Content.one), .cut]
    }.failing("too_large").with {
      $0.section = "RFC 9110, 8.6"
      $0.does = "fails as too_large: the file system can't ever hold it; other tasks go on"
      $0.task += " }\n  - { id: g, download: OTHER/file.bin, to: out/g"
      $0.requests = 2
      $0.script = { exchange in
        let lie = Content.head("200 OK", ["Content-Length: 1152921504606846976"]) + Content.one
        return exchange.place == .other ? Content.whole() : [.send(lie), .cut]
      }
    },
    target("target-is-folder", "a folder stands in the target's place") { _ in Content.whole() }
      .failing("local_file", requests: 0).with {
        $0.does = "fails as local_file; nothing is sent"
        $0.runs[0].before = .folder("out/file.bin")
      },
    target("folder-is-file", "a file stands in the place of the target's folder") { _ in
      Content.whole()
    }.failing("local_file").with {
      $0.does = "fails as local_file; other tasks go on"
      $0.task += " }\n  - { id: g, download: OTHER/file.bin, to: there/g"
      $0.requests = 2
      $0.runs[0].before = .file("out", Array("in the way\n".utf8))
    },
    target("target-not-ours", "a file that the job didn't write, and overwrite: false") { _ in
      Content.whole()
    }.failing("local_file", requests: 0).with {
      $0.does = "fails as local_file; the file stays as it is"
      $0.task += ", overwrite: false"
      $0.runs[0].before = .file("out/file.bin", Array("mine\n".utf8))
      $0.ending = .bytes(Array("mine\n".utf8))
    },
  ]

  private static func target(
    _ name: String, _ situation: String,
    _ script: @escaping @Sendable (FaultExchange) -> [OriginStep]
  ) -> FaultCase {
    FaultCase(.disk, name, situation, "the contract", "", script: script)
  }
}
