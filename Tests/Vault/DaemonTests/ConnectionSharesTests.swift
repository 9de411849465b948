import Testing

@testable import Daemon

/// Whose connection makes room: a rule without sockets.
@Suite struct ConnectionSharesTests {
    private typealias Claim = ConnectionShares.Claim

    private func claim(
        _ connection: UInt64, _ process: Int32, isOurs: Bool = false, _ rank: Claim.Rank = .plain, at time: UInt64 = 0,
        amount: Int = 1
    ) -> Claim {
        Claim(
            connection: connection, process: ProcessName(id: process, startTime: 1), isOurs: isOurs, rank: rank,
            lastActive: time, amount: amount)
    }

    /// Lets one after the other in, as the daemon does.
    private func admit(_ comers: [Claim], into claims: inout [Claim]) {
        for comer in comers {
            claims.append(comer)
            while let id = ConnectionShares.connections.whoGives(claims) { claims.removeAll { $0.connection == id } }
        }
    }

    @Test func `one process takes its own connections from itself, subscribed or not`() {
        var claims = [claim(1, 7, at: 1)]
        admit((2...1000).map { claim($0, 9, .subscriber, at: $0) }, into: &claims)
        #expect(claims.contains { $0.connection == 1 })
        #expect(claims.count { $0.process.id == 9 } == ConnectionShares.connections.others.ofOneProcess)
        #expect(claims.contains { $0.connection == 1000 }, "who comes last is served")
    }

    @Test func `however many processes there are of others, ours have their part, and a newcomer is served`() {
        var claims: [Claim] = []
        admit((1...2000).map { claim($0, Int32($0), .holder, at: $0) }, into: &claims)
        #expect(claims.count == ConnectionShares.connections.others.inAll)
        let ours = (3000...3020).map { claim($0, Int32($0), isOurs: true, at: $0) }
        admit(ours, into: &claims)
        #expect(claims.count(where: \.isOurs) == ours.count, "nobody of ours had to give")
        admit([claim(4000, 5000, at: 4000)], into: &claims)
        #expect(claims.contains { $0.connection == 4000 } && claims.count(where: \.isOurs) == ours.count)
    }

    @Test func `ours take nothing from others either`() {
        var claims = [claim(1, 7, .subscriber, at: 1)]
        admit((10...500).map { claim($0, Int32($0), isOurs: true, .subscriber, at: $0) }, into: &claims)
        #expect(claims.contains { $0.connection == 1 })
        #expect(claims.count(where: \.isOurs) == ConnectionShares.connections.ours.inAll)
    }

    @Test func `who is silent longest gives first, subscribers after that, holders last`() {
        let full = (1...32).map { claim($0, 9, $0 == 1 ? .holder : $0 == 2 ? .subscriber : .plain, at: 100 - $0) }
        #expect(ConnectionShares.connections.whoGives(full) == nil)
        #expect(ConnectionShares.connections.whoGives(full + [claim(33, 9)]) == 32)
        let silent = full.filter { $0.rank != .plain } + (40...70).map { claim($0, 9, .holder, at: $0) }
        #expect(ConnectionShares.connections.whoGives(silent) == 2)
    }

    @Test func `where all have one, who comes is served before who is silent by nature`() {
        var claims = (1...192).map { claim($0, Int32($0), .subscriber, at: $0) }
        // As many as wait to be accepted, at once.
        claims += (1000..<1065).map { claim($0, Int32($0), at: $0) }
        while let id = ConnectionShares.connections.whoGives(claims) { claims.removeAll { $0.connection == id } }
        #expect(claims.count { $0.connection >= 1000 } == 65 && claims.count == 192)
        let ours = [claim(1, 1, isOurs: true, .holder)] + (2...161).map { claim($0, Int32($0), isOurs: true, at: $0) }
        #expect(ConnectionShares.connections.whoGives(ours) == 2, "our holders are kept")
    }

    @Test func `bytes that wait are given back by who has most of them`() {
        let limit = ConnectionShares.waitingBytes.others
        let greedy = (1...4).map { claim($0, Int32($0), amount: limit.inAll / 4 - 4096) }
        #expect(ConnectionShares.waitingBytes.whoGives(greedy + [claim(9, 90, amount: 4096)]) == nil)
        let gives = ConnectionShares.waitingBytes.whoGives(greedy + [claim(9, 90, amount: 65_536)])
        #expect(gives == 1, "not who came with a small frame")
        #expect(ConnectionShares.waitingBytes.whoGives([claim(1, 1, amount: limit.ofOneProcess + 1)]) == 1)
    }
}

/// Whose turn it is.
@Suite struct TurnsTests {
    private func name(_ id: Int32) -> ProcessName { ProcessName(id: id, startTime: 1) }

    @Test func `ours come first, and of each kind who was served least`() {
        var turns = Turns()
        turns.count(50_000_000, for: name(1), at: 10)
        turns.count(10_000_000, for: name(2), at: 10)
        turns.count(90_000_000, for: name(4), at: 10)
        let waiting = [1, 2, 3, 4].map { (process: name($0), isOurs: $0 == 4) }
        #expect(turns.order(waiting) == [3, 2, 1, 0])
    }

    @Test func `what was long ago counts no more, and nothing is kept of it`() {
        var turns = Turns()
        turns.count(50_000_000, for: name(1), at: 0)
        for second in 1...20 as ClosedRange<UInt64> { turns.count(1000, for: name(2), at: second * 1000) }
        #expect(turns.served(name(1)) == 0)
    }
}
