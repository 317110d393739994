import FaultOrigin
import Testing

/// The fault table: each case to the real binary.
@Suite struct FaultTests {
  @Test(arguments: FaultTable.cases.map(\.name)) func aFault(_ name: String) throws {
    try FaultBench(#require(FaultTable.named(name))).play()
  }

  @Test func theTableIsLongAndItsNamesAreUnique() {
    #expect(FaultTable.cases.count >= 100)
    #expect(Set(FaultTable.cases.map(\.name)).count == FaultTable.cases.count)
  }
}
