import Protection
import Testing

/// Durations as messages and files have them.
@Suite struct DurationTests {
    private static let readOnes: [UInt64] = [0, 1, 999, 1000, 60_000, UInt64(UInt32.max), UInt64.max]

    @Test(arguments: readOnes)
    func `milliseconds come back as they were read`(_ milliseconds: UInt64) {
        #expect(Duration.milliseconds(milliseconds).wholeMilliseconds == milliseconds)
    }

    @Test func `what does not fit is the longest, and what is negative is none`() {
        #expect((Duration.milliseconds(UInt64.max) + .milliseconds(1)).wholeMilliseconds == .max)
        #expect((Duration.milliseconds(UInt64.max) + .seconds(1)).wholeMilliseconds == .max)
        #expect(Duration.milliseconds(-1).wholeMilliseconds == 0)
        #expect(Duration.microseconds(1999).wholeMilliseconds == 1)
    }
}
