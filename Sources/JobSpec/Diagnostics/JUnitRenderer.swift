/// JUnit XML: a suite with one case a file; each error is a failure of the case, the rest is its
/// output.
enum JUnitRenderer {
  static func render(_ files: [DiagnosedFile]) -> String {
    let failed = files.count { $0.count(of: .error) > 0 }
    var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    xml += "<testsuites name=\"jobrun validate\" tests=\"\(files.count)\" failures=\"\(failed)\">\n"
    for file in files { xml += suite(file) }
    return xml + "</testsuites>\n"
  }

  private static func suite(_ file: DiagnosedFile) -> String {
    let name = attribute(file.path)
    let failures = file.count(of: .error) > 0 ? 1 : 0
    var xml = "  <testsuite name=\(name) tests=\"1\" failures=\"\(failures)\" errors=\"0\">\n"
    xml += "    <testcase name=\(name) classname=\"validate\">\n"
    let text = TextRenderer(isColored: false)
    var rest: [String] = []
    for diagnostic in file.diagnostics {
      let body = text.render(diagnostic, of: file)
      guard diagnostic.severity == .error else {
        rest.append(body)
        continue
      }
      xml += "      <failure message=\(attribute(diagnostic.message))"
      xml += " type=\(attribute(diagnostic.id))>\(escaped(body))</failure>\n"
    }
    if !rest.isEmpty {
      xml += "      <system-out>\(escaped(rest.joined(separator: "\n")))</system-out>\n"
    }
    return xml + "    </testcase>\n  </testsuite>\n"
  }

  private static func attribute(_ text: String) -> String {
    var escapedText = ""
    for scalar in escaped(text).unicodeScalars {
      switch scalar {
      case "\n": escapedText += "&#10;"
      case "\t": escapedText += "&#9;"
      default: escapedText.unicodeScalars.append(scalar)
      }
    }
    return "\"\(escapedText)\""
  }

  /// What XML 1.0 has no way to write becomes U+FFFD.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default:
        let isAllowed = scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE
        result.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
      }
    }
  }
}
