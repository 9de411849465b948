import Testing

@testable import Daemon

/// When tresord looks through the trash.
@Suite struct TrashRoundTests {
    private static let minute: UInt64 = 60_000

    @Test func `the first round comes ten minutes behind a start, and then one each hour`() throws {
        var rounds = TrashRounds(start: 7)
        var looks: [UInt64] = []
        for now in stride(from: UInt64(7), through: 7 + 131 * Self.minute, by: 30_000) {
            _ = rounds.goOn(at: now, days: 30) { time, row in
                #expect(time == .seconds(30 * 86_400) && row == 0)
                looks.append((now - 7) / Self.minute)
                return (removed: 0, next: nil)
            }
        }
        #expect(looks == [10, 70, 130])
    }

    @Test func `a long round goes on part by part, and its end says how many went`() throws {
        var rounds = TrashRounds(start: 0)
        var now = 10 * Self.minute
        var rows: [Int64] = []
        var told: [Int?] = []
        for next in [64, 128, nil] as [Int64?] {
            told.append(
                rounds.goOn(at: now, days: 1) { _, row in
                    rows.append(row)
                    return (removed: 2, next: next)
                })
            now = rounds.due
        }
        #expect(rows == [0, 64, 128] && told == [nil, nil, 6])
        #expect(now > 70 * Self.minute)
    }

    @Test func `nothing is looked at where nothing shall go, and a failure waits for the next hour`() throws {
        struct Failure: Error {}
        var rounds = TrashRounds(start: 0)
        #expect(
            rounds.goOn(at: 10 * Self.minute, days: 0) { _, _ in
                Issue.record("a look")
                return (removed: 0, next: nil)
            } == nil)
        #expect(throws: Failure.self) { try rounds.goOn(at: rounds.due, days: 1) { _, _ in throw Failure() } }
        #expect(rounds.due == 130 * Self.minute)
    }
}
