import JobSpec
import Testing

@Suite struct DiagnosticFormatTests {
  /// An error with a note, and a warning that spans lines, in a file whose name needs escapes.
  private var files: [DiagnosedFile] {
    let marked = MarkedText("⟪to⟫: a<b>\n⟪to⟫: ⟪[x,\ny]⟫\n")
    let (first, second, list) = (marked.ranges[0], marked.ranges[1], marked.ranges[2])
    return [
      DiagnosedFile(
        path: "jobs/a: 100%,\"é\".yaml", source: SourceText(marked.text),
        diagnostics: [
          Diagnostic(.warning, "wide", "over & <two>\nlines", at: list),
          Diagnostic(
            .error, "duplicate-key", "`to` is 100% twice", at: second, path: "tasks[0].to",
            hint: "keep \"one\"", notes: [.init(message: "first, here", range: first)]),
        ]),
      DiagnosedFile(path: "b.yaml", source: SourceText(""), diagnostics: []),
    ]
  }

  private static let sarif = #"""
    {
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        {
          "tool": {
            "driver": {
              "name": "jobrun",
              "version": "1.2",
              "rules": [
                {
                  "id": "duplicate-key"
                },
                {
                  "id": "wide"
                }
              ]
            }
          },
          "columnKind": "unicodeCodePoints",
          "results": [
            {
              "ruleId": "duplicate-key",
              "ruleIndex": 0,
              "level": "error",
              "message": {
                "text": "`to` is 100% twice\nhint: keep \"one\""
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "jobs/a%3A%20100%25%2C%22%C3%A9%22.yaml"
                    },
                    "region": {
                      "startLine": 2,
                      "startColumn": 1,
                      "endLine": 2,
                      "endColumn": 3
                    }
                  },
                  "logicalLocations": [
                    {
                      "fullyQualifiedName": "tasks[0].to"
                    }
                  ]
                }
              ],
              "relatedLocations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "jobs/a%3A%20100%25%2C%22%C3%A9%22.yaml"
                    },
                    "region": {
                      "startLine": 1,
                      "startColumn": 1,
                      "endLine": 1,
                      "endColumn": 3
                    }
                  },
                  "message": {
                    "text": "first, here"
                  }
                }
              ]
            },
            {
              "ruleId": "wide",
              "ruleIndex": 1,
              "level": "warning",
              "message": {
                "text": "over & <two>\nlines"
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "jobs/a%3A%20100%25%2C%22%C3%A9%22.yaml"
                    },
                    "region": {
                      "startLine": 2,
                      "startColumn": 5,
                      "endLine": 3,
                      "endColumn": 3
                    }
                  }
                }
              ]
            }
          ]
        }
      ]
    }

    """#

  @Test func json() {
    #expect(
      DiagnosticFormat.json.render(files, version: "1.2") == #"""
        {
          "schema": 1,
          "diagnostics": [
            {
              "file": "jobs/a: 100%,\"é\".yaml",
              "line": 2,
              "column": 1,
              "end_line": 2,
              "end_column": 3,
              "severity": "error",
              "id": "duplicate-key",
              "message": "`to` is 100% twice",
              "path": "tasks[0].to",
              "hint": "keep \"one\"",
              "notes": [
                {
                  "line": 1,
                  "column": 1,
                  "end_line": 1,
                  "end_column": 3,
                  "message": "first, here"
                }
              ]
            },
            {
              "file": "jobs/a: 100%,\"é\".yaml",
              "line": 2,
              "column": 5,
              "end_line": 3,
              "end_column": 3,
              "severity": "warning",
              "id": "wide",
              "message": "over & <two>\nlines"
            }
          ]
        }

        """#)
  }

  @Test func sarif() {
    #expect(DiagnosticFormat.sarif.render(files, version: "1.2") == Self.sarif)
  }

  @Test func sarifNamesAbsolutePathsAsFiles() {
    let file = DiagnosedFile(
      path: "/etc/a b.yaml", source: SourceText("x"),
      diagnostics: [Diagnostic(.note, "n", "m", at: MarkedText("⟪x⟫").ranges[0])])
    let text = DiagnosticFormat.sarif.render([file], version: "1")
    #expect(text.contains("\"uri\": \"file:///etc/a%20b.yaml\""))
    #expect(text.contains("\"level\": \"note\""))
  }

  @Test func github() {
    #expect(
      DiagnosticFormat.github.render(files, version: "1") == """
        ::error file=jobs/a%3A 100%25%2C"é".yaml,line=2,col=1,endLine=2,endColumn=2,\
        title=duplicate-key::`to` is 100%25 twice%0Ahint: keep "one"
        ::notice file=jobs/a%3A 100%25%2C"é".yaml,line=1,col=1,endLine=1,endColumn=2,\
        title=duplicate-key::first, here
        ::warning file=jobs/a%3A 100%25%2C"é".yaml,line=2,endLine=3,title=wide::\
        over & <two>%0Alines

        """)
  }

  @Test func junit() {
    #expect(
      DiagnosticFormat.junit.render(files, version: "1") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="jobrun validate" tests="2" failures="1">
          <testsuite name="jobs/a: 100%,&quot;é&quot;.yaml" tests="1" failures="1" errors="0">
            <testcase name="jobs/a: 100%,&quot;é&quot;.yaml" classname="validate">
              <failure message="`to` is 100% twice" type="duplicate-key">\
        error: `to` is 100% twice [duplicate-key]
         --&gt; jobs/a: 100%,&quot;é&quot;.yaml:2:1
          |
        2 | to: [x,
          | ^^
          = in: tasks[0].to
          = hint: keep &quot;one&quot;
        note: first, here
         --&gt; jobs/a: 100%,&quot;é&quot;.yaml:1:1
          |
        1 | to: a&lt;b&gt;
          | ^^
        </failure>
              <system-out>warning: over &amp; &lt;two&gt;
        lines [wide]
         --&gt; jobs/a: 100%,&quot;é&quot;.yaml:2:5
          |
        2 | to: [x,
          |     ^^^
        </system-out>
            </testcase>
          </testsuite>
          <testsuite name="b.yaml" tests="1" failures="0" errors="0">
            <testcase name="b.yaml" classname="validate">
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func junitHoldsNothingThatXMLForbids() {
    let file = DiagnosedFile(
      path: "a\u{1}\n.yaml", source: SourceText("x\u{0}"),
      diagnostics: [
        Diagnostic(.error, "i", "m\u{1B}\t\u{FFFF}", at: MarkedText("⟪x⟫").ranges[0])
      ])
    let text = DiagnosticFormat.junit.render([file], version: "1")
    #expect(text.contains("name=\"a\u{FFFD}&#10;.yaml\""))
    #expect(text.contains("message=\"m\u{FFFD}&#9;\u{FFFD}\""))
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
  }

  @Test func nothingFoundIsStillADocument() {
    #expect(DiagnosticFormat.text.render([], version: "1").isEmpty)
    #expect(DiagnosticFormat.github.render([], version: "1").isEmpty)
    #expect(
      DiagnosticFormat.json.render([], version: "1")
        == "{\n  \"schema\": 1,\n  \"diagnostics\": []\n}\n")
    #expect(DiagnosticFormat.sarif.render([], version: "1").contains("\"results\": []"))
  }

  @Test func linesComeInOrderAndNothingTwice() {
    func diagnostic(_ line: Int32, _ column: Int32, _ message: String) -> Diagnostic {
      let place = SourcePosition(line: line, column: column)
      return Diagnostic(.error, "id", message, at: SourceRange(start: place, end: place))
    }
    let file = DiagnosedFile(
      path: "j", source: SourceText(""),
      diagnostics: [
        diagnostic(2, 1, "c"), diagnostic(1, 5, "b"), diagnostic(2, 1, "c"), diagnostic(1, 2, "a"),
        diagnostic(2, 1, "b"),
      ])
    #expect(file.diagnostics.map(\.message) == ["a", "b", "c", "b"])
    #expect(file.count(of: .error) == 4)
    #expect(file.count(of: .warning) == 0)
  }

  @Test func linesOfASourceText() {
    let text = SourceText("a\r\nb\rc\n\né")
    #expect((0...6).map { text.line($0) } == ["", "a", "b", "c", "", "é", ""])
    #expect(text.lineCount == 5)
    #expect(SourceText("\u{FEFF}x").line(1) == "x")
    #expect(SourceText([0x61, 0xFF]).line(1) == "a\u{FFFD}")
    #expect(SourceText("").lineCount == 1)
  }
}
