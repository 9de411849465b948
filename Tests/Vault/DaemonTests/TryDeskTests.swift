import Protection
import Testing
import Wire

@testable import Daemon

/// Counts of wrong passwords that programs check themselves, by a clock in the test's hand.
@Suite struct TryDeskTests {
    private let name = TryName.diary

    /// So many wrong ones, without a wait between them.
    private func fail(_ times: Int, _ desk: inout TryDesk, known: UInt32 = 0) throws {
        for _ in 0..<times { #expect(try desk.count(name, of: "a", known: known, at: 1000).wait == 0) }
    }

    @Test func `the fourth demands a minute, whatever the program says of its count or its time`() throws {
        var desk = TryDesk()
        try fail(4, &desk)
        #expect(desk.end(name, of: "a", isRight: false, at: 1000) == TryReport(failures: 4, wait: 60_000))
        #expect(try desk.count(name, of: "a", known: 0, at: 60_999) == TryReport(failures: 4, wait: 1))
        #expect(try desk.count(name, of: "a", known: 0, at: 61_000) == TryReport(failures: 5, wait: 0))
        #expect(try desk.count(name, of: "a", known: 0, at: 61_001).wait == 299_999)
    }

    @Test func `after a start of the daemon the program's count holds, and the wait begins anew`() throws {
        var desk = TryDesk()
        #expect(try desk.count(name, of: "a", known: 4, at: 9_999_999) == TryReport(failures: 4, wait: 60_000))
        #expect(try desk.count(name, of: "a", known: 4, at: 10_059_999) == TryReport(failures: 5, wait: 0))
    }

    @Test func `the right one sets the count to none, and each group has its own`() throws {
        var desk = TryDesk()
        try fail(4, &desk)
        #expect(try desk.count(name, of: "b", known: 0, at: 1000) == TryReport(failures: 1, wait: 0))
        #expect(desk.end(name, of: "b", isRight: true, at: 1000) == TryReport(failures: 0, wait: 0))
        #expect(try desk.count(name, of: "a", known: 0, at: 1000).wait == 60_000)
    }

    @Test func `programs of others take all places, and ours finds one`() throws {
        var desk = TryDesk()
        for number in 0..<TryDesk.most {
            _ = try desk.count(name, of: "other \(number)", known: 9, at: 1000)
        }
        #expect(throws: KeychainError(.parameter, .tooMany)) {
            try desk.count(self.name, of: "one more", known: 0, at: 1000)
        }
        #expect(try desk.count(name, of: "ours", isOurs: true, known: 0, at: 1000).failures == 1)
        #expect(throws: KeychainError(.parameter, .tooMany), "nor more than its own share") {
            for number in 0..<TryDesk.mostOfOne {
                _ = try desk.count(#require(TryName("\(number)")), of: "ours", isOurs: true, known: 0, at: 1000)
            }
        }
    }

    @Test func `a group has a few counts, and takes none from another's`() throws {
        var desk = TryDesk()
        try fail(1, &desk)
        for number in 1...TryDesk.mostOfOne {
            _ = try desk.count(#require(TryName("\(number)")), of: "b", known: 0, at: 1000)
        }
        #expect(throws: KeychainError(.parameter, .tooMany)) {
            try desk.count(self.name, of: "b", known: 0, at: 1000)
        }
        #expect(try desk.count(name, of: "a", known: 0, at: 1000).failures == 2)
    }
}
