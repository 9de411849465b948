import Linux
import Testing

/// What a wait by poll(2) came to, and how it counts time.
@Suite struct PollTests {
    @Test func `a wait tells what it came to, and each descriptor is asked for by what adding it gave`() throws {
        let (quiet, loud) = (try Pair(), try Pair())
        var poll = Poll()
        let first = poll.add(quiet.near.raw, reading: true, writing: false)
        let second = poll.add(loud.near.raw, reading: true, writing: false)
        #expect(try poll.wait(milliseconds: 0) == .timedOut)
        #expect(!poll.isReadable(first) && !poll.isReadable(second))
        try loud.write()
        #expect(try poll.wait(atMost: .seconds(10)) == .ready)
        #expect(!poll.isReadable(first) && poll.isReadable(second) && !poll.isBroken(second))
        #expect(!poll.isReadable(nil), "what was not added is never ready")
        quiet.hangUp()
        #expect(try poll.wait(atMost: .zero) == .ready)
        #expect(poll.isBroken(first) && poll.isReadable(first))
    }

    @Test func `one descriptor is waited for alone`() throws {
        let pair = try Pair()
        #expect(try Poll.wait(untilReadable: pair.near.raw, milliseconds: 1) == .timedOut)
        try pair.write()
        #expect(try Poll.wait(untilReadable: pair.near.raw, milliseconds: nil) == .ready)
    }

    @Test func `a time is rounded up to what the kernel counts, and what does not fit is the longest`() {
        #expect(Duration.zero.pollMilliseconds == 0)
        #expect(Duration.seconds(-1).pollMilliseconds == 0)
        #expect(Duration.nanoseconds(1).pollMilliseconds == 1)
        #expect(Duration.milliseconds(1500).pollMilliseconds == 1500)
        #expect(Duration.microseconds(1_500_001).pollMilliseconds == 1501)
        #expect(Duration.milliseconds(UInt64.max).pollMilliseconds == Int(Int32.max))
    }
}
