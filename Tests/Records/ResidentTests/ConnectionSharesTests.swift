import Resident
import Testing

@Suite struct ConnectionSharesTests {
    private let shares = ConnectionShares(most: 6, mostOfOne: 4, mostWindows: 4, mostWindowsOfOne: 2)

    /// Guests by process and time of the last byte; a negative time is a window's.
    private func guests(_ list: [(Int32, Int)]) -> [ConnectionShares.Guest] {
        list.map { ConnectionShares.Guest(process: $0.0, lastMoved: UInt64(abs($0.1)), isWindow: $0.1 < 0) }
    }

    @Test func `who finds a place is welcome`() {
        #expect(shares.verdict(on: 1, among: []) == .welcome)
        #expect(shares.verdict(on: 1, among: guests([(1, 1), (1, 2), (1, 3), (2, 1), (3, 1)])) == .welcome)
    }

    @Test func `a process with its share makes room among its own, the longest silent first`() {
        let some = guests([(2, 1), (1, 9), (1, 5), (1, 7), (1, -2)])
        #expect(shares.verdict(on: 1, among: some) == .insteadOf(2))
        #expect(shares.verdict(on: 2, among: some) == .welcome)
        #expect(shares.verdict(on: 1, among: guests([(1, -1), (1, -2), (1, -3), (1, -4)])) == .refused)
    }

    @Test func `where no place is left the process with the most pays, and never a window`() {
        let full = guests([(1, 1), (2, 9), (2, 8), (2, 7), (3, 2), (4, -1)])
        #expect(shares.verdict(on: 5, among: full) == .insteadOf(3))
        let each = guests([(1, 4), (2, 3), (3, 5), (4, -1), (5, -1), (6, -1)])
        #expect(shares.verdict(on: 7, among: each) == .insteadOf(1))
    }

    @Test func `windows leave places for commands, whoever opens them`() {
        let windows = guests([(1, -1), (2, -1), (3, -1), (4, -1)])
        #expect(!shares.hasRoomForWindow(of: 9, among: windows))
        #expect(shares.hasRoomForWindow(of: 9, among: guests([(1, -1), (2, -1), (3, -1), (4, 1)])))
        #expect(shares.verdict(on: 5, among: windows + guests([(9, 1), (9, 2)])) == .insteadOf(4))
        // Not all of the places, also where somebody says so.
        let greedy = ConnectionShares(most: 3, mostOfOne: 3, mostWindows: 9, mostWindowsOfOne: 9)
        #expect(!greedy.hasRoomForWindow(of: 1, among: guests([(1, -1), (2, -1)])))
    }

    @Test func `one process has its share of windows, and leaves the others theirs`() {
        let some = guests([(1, -1), (1, -2), (2, -1)])
        #expect(!shares.hasRoomForWindow(of: 1, among: some))
        #expect(shares.hasRoomForWindow(of: 2, among: some) && shares.hasRoomForWindow(of: 3, among: some))
        #expect(shares.hasRoomForWindow(of: 1, among: guests([(1, 1), (1, 2), (1, -3)])))
    }

    @Test func `a crowd of a thousand from one process and one from many keep nobody out`() {
        let wide = ConnectionShares(most: 64, mostOfOne: 32, mostWindows: 48, mostWindowsOfOne: 16)
        for processes in [1, 40, 1000] {
            var there: [ConnectionShares.Guest] = []
            for number in 0..<1000 {
                let process = Int32(10 + number % processes)
                switch wide.verdict(on: process, among: there) {
                case .welcome: break
                case .insteadOf(let index): there.remove(at: index)
                case .refused: continue
                }
                let wantsWindow = number % 2 == 0 && wide.hasRoomForWindow(of: process, among: there)
                there.append(
                    ConnectionShares.Guest(process: process, lastMoved: UInt64(number), isWindow: wantsWindow))
                #expect(there.count <= 64)
            }
            #expect(wide.verdict(on: 5, among: there) != .refused)
        }
    }
}

@Suite struct LogBudgetTests {
    @Test func `a log takes so many lines a minute, and says how many it did not`() {
        var budget = LogBudget()
        for _ in 0..<LogBudget.most {
            let verdict = budget.take(at: 1000)
            #expect(verdict.isGranted && verdict.leftOut == 0)
        }
        for _ in 0..<5000 { #expect(!budget.take(at: 60_999).isGranted) }
        let next = budget.take(at: 61_000)
        #expect(next.isGranted && next.leftOut == 5000)
        let after = budget.take(at: 61_000)
        #expect(after.isGranted && after.leftOut == 0)
    }
}
