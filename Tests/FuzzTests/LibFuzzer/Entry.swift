import Glibc

// libFuzzer's side of the targets. Built by scripts/fuzz, and no part of the package's tests.

/// The target that FUZZ_TARGET names.
private let target: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print("FUZZ_TARGET is none of", FuzzTarget.all.map(\.name).joined(separator: " "))
    exit(2)
  }
  return target
}()

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let wrong = target.check(bytes) { fatalError("\(target.name): \(wrong)") }
  return 0
}
