import Testing

@testable import TerminalScreen

/// Typing tells that the owner is there; a screen that nobody touches does not.
@Suite struct OwnerPulseTests {
    private final class Count {
        var value = 0
    }

    @Test func `typing is told of at most once a second, and nothing without a key`() {
        let count = Count()
        var pulse = OwnerPulse { count.value += 1 }
        #expect(count.value == 0)
        // Ten keys a second for ten seconds.
        for key in 0..<100 { pulse.keyPressed(at: 5000 + UInt64(key) * 100) }
        #expect(count.value == 10)
        pulse.keyPressed(at: 60_000)
        #expect(count.value == 11)
    }

    @Test func `the first key is told of at once`() {
        let count = Count()
        var pulse = OwnerPulse { count.value += 1 }
        pulse.keyPressed(at: 1)
        #expect(count.value == 1)
    }

    @Test func `what a terminal sends by itself is no key`() {
        var keys = KeyDecoder()
        let reports = ["\u{1B}[I", "\u{1B}[O", "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}[?62;4c"]
        for report in reports { for byte in report.utf8 { #expect(keys.decode(byte) == nil, "\(report.dropFirst())") } }
    }
}
