import Protection
import Testing
import Wire

@testable import Daemon

/// Counts of wrong passwords that programs check themselves, by a clock in the test's hand.
@Suite struct TryCountsTests {
    private let name = TryName.diary

    /// So many wrong ones, without a wait between them.
    private func fail(_ times: Int, _ counts: inout TryCounts, known: UInt32 = 0) throws {
        for _ in 0..<times { #expect(try counts.count(name, of: "a", known: known, at: 1000).wait == .zero) }
    }

    @Test func `the fourth demands a minute, whatever the program says of its count or its time`() throws {
        var counts = TryCounts()
        try fail(4, &counts)
        #expect(
            counts.end(name, of: "a", isRight: false, at: 1000) == TryReport(failures: 4, wait: .milliseconds(60_000)))
        #expect(try counts.count(name, of: "a", known: 0, at: 60_999) == TryReport(failures: 4, wait: .milliseconds(1)))
        #expect(try counts.count(name, of: "a", known: 0, at: 61_000) == TryReport(failures: 5, wait: .zero))
        #expect(try counts.count(name, of: "a", known: 0, at: 61_001).wait == .milliseconds(299_999))
    }

    @Test func `after a start of the daemon the program's count holds, and the wait begins anew`() throws {
        var counts = TryCounts()
        #expect(
            try counts.count(name, of: "a", known: 4, at: 9_999_999)
                == TryReport(failures: 4, wait: .milliseconds(60_000)))
        #expect(try counts.count(name, of: "a", known: 4, at: 10_059_999) == TryReport(failures: 5, wait: .zero))
    }

    @Test func `the right one sets the count to none, and each group has its own`() throws {
        var counts = TryCounts()
        try fail(4, &counts)
        #expect(try counts.count(name, of: "b", known: 0, at: 1000) == TryReport(failures: 1, wait: .zero))
        #expect(counts.end(name, of: "b", isRight: true, at: 1000) == TryReport(failures: 0, wait: .zero))
        #expect(try counts.count(name, of: "a", known: 0, at: 1000).wait == .milliseconds(60_000))
    }

    @Test func `programs of others take all places, and ours finds one`() throws {
        var counts = TryCounts()
        for number in 0..<TryCounts.most {
            _ = try counts.count(name, of: "other \(number)", known: 9, at: 1000)
        }
        #expect(throws: KeychainError(.parameter, .tooMany)) {
            try counts.count(self.name, of: "one more", known: 0, at: 1000)
        }
        #expect(try counts.count(name, of: "ours", isOurs: true, known: 0, at: 1000).failures == 1)
        #expect(throws: KeychainError(.parameter, .tooMany), "nor more than its own share") {
            for number in 0..<TryCounts.mostOfOne {
                _ = try counts.count(#require(TryName("\(number)")), of: "ours", isOurs: true, known: 0, at: 1000)
            }
        }
    }

    @Test func `a group has a few counts, and takes none from another's`() throws {
        var counts = TryCounts()
        try fail(1, &counts)
        for number in 1...TryCounts.mostOfOne {
            _ = try counts.count(#require(TryName("\(number)")), of: "b", known: 0, at: 1000)
        }
        #expect(throws: KeychainError(.parameter, .tooMany)) {
            try counts.count(self.name, of: "b", known: 0, at: 1000)
        }
        #expect(try counts.count(name, of: "a", known: 0, at: 1000).failures == 2)
    }
}
