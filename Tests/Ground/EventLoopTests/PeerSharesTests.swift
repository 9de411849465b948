import EventLoop
import Glibc
import Linux
import Testing

/// Whose connection makes room: a rule without sockets.
@Suite struct PeerSharesTests {
    private typealias Claim = PeerShares.Claim

    /// As tresord has them.
    private let keychain = PeerShares(
        ours: PeerShares.Pool(ofOneProcess: 16, inAll: 160), others: PeerShares.Pool(ofOneProcess: 32, inAll: 192))

    private func claim(
        _ peer: UInt64, _ process: Int32, isOurs: Bool = false, _ rank: Claim.Rank = .plain, at time: UInt64 = 0,
        amount: Int = 1, hasHungUp: Bool = false
    ) -> Claim {
        Claim(
            peer: peer, process: ProcessName(id: process, startTime: 1), isOurs: isOurs, rank: rank, lastActive: time,
            amount: amount, hasHungUp: hasHungUp)
    }

    /// Lets one after the other in, as the daemon does.
    private func admit(_ comers: [Claim], into claims: inout [Claim]) {
        for comer in comers {
            claims.append(comer)
            while let id = keychain.whoGives(claims) { claims.removeAll { $0.peer == id } }
        }
    }

    @Test func `one process takes its own connections from itself, subscribed or not`() {
        var claims = [claim(1, 7, at: 1)]
        admit((2...1000).map { claim($0, 9, .subscriber, at: $0) }, into: &claims)
        #expect(claims.contains { $0.peer == 1 })
        #expect(claims.count { $0.process.id == 9 } == keychain.others.ofOneProcess)
        #expect(claims.contains { $0.peer == 1000 }, "who comes last is served")
    }

    @Test func `however many processes there are of others, ours have their part, and a newcomer is served`() {
        var claims: [Claim] = []
        admit((1...2000).map { claim($0, Int32($0), .holder, at: $0) }, into: &claims)
        #expect(claims.count == keychain.others.inAll)
        let ours = (3000...3020).map { claim($0, Int32($0), isOurs: true, at: $0) }
        admit(ours, into: &claims)
        #expect(claims.count(where: \.isOurs) == ours.count, "nobody of ours had to give")
        admit([claim(4000, 5000, at: 4000)], into: &claims)
        #expect(claims.contains { $0.peer == 4000 } && claims.count(where: \.isOurs) == ours.count)
    }

    @Test func `ours take nothing from others either`() {
        var claims = [claim(1, 7, .subscriber, at: 1)]
        admit((10...500).map { claim($0, Int32($0), isOurs: true, .subscriber, at: $0) }, into: &claims)
        #expect(claims.contains { $0.peer == 1 })
        #expect(claims.count(where: \.isOurs) == keychain.ours.inAll)
    }

    @Test func `who is silent longest gives first, subscribers after that, holders last`() {
        let full = (1...32).map { claim($0, 9, $0 == 1 ? .holder : $0 == 2 ? .subscriber : .plain, at: 100 - $0) }
        #expect(keychain.whoGives(full) == nil)
        #expect(keychain.whoGives(full + [claim(33, 9)]) == 32)
        let silent = full.filter { $0.rank != .plain } + (40...70).map { claim($0, 9, .holder, at: $0) }
        #expect(keychain.whoGives(silent) == 2)
    }

    @Test func `where all have one, who comes is served before who is silent by nature`() {
        var claims = (1...192).map { claim($0, Int32($0), .subscriber, at: $0) }
        // As many as wait to be accepted, at once.
        claims += (1000..<1065).map { claim($0, Int32($0), at: $0) }
        while let id = keychain.whoGives(claims) { claims.removeAll { $0.peer == id } }
        #expect(claims.count { $0.peer >= 1000 } == 65 && claims.count == 192)
        let ours = [claim(1, 1, isOurs: true, .holder)] + (2...161).map { claim($0, Int32($0), isOurs: true, at: $0) }
        #expect(keychain.whoGives(ours) == 2, "our holders are kept")
    }

    @Test func `bytes that wait are given back by who has most of them`() {
        let bytes = PeerShares(
            ours: PeerShares.Pool(ofOneProcess: 3 << 19, inAll: 4 << 19),
            others: PeerShares.Pool(ofOneProcess: 3 << 19, inAll: 5 << 19))
        let greedy = (1...4).map { claim($0, Int32($0), amount: bytes.others.inAll / 4 - 4096) }
        #expect(bytes.whoGives(greedy + [claim(9, 90, amount: 4096)]) == nil)
        #expect(bytes.whoGives(greedy + [claim(9, 90, amount: 65_536)]) == 1, "not who came with a small frame")
        #expect(bytes.whoGives([claim(1, 1, amount: bytes.others.ofOneProcess + 1)]) == 1)
    }

    // MARK: Who has hung up

    @Test func `whoever has hung up makes room before anybody who is there, whatever their ranks and shares`() {
        // The process with the most, its silent ones, and one that is a holder and gone.
        var claims = (1...30).map { claim($0, 9, at: $0) }
        claims += (40...200).map { claim($0, Int32($0), at: 500) }
        claims.append(claim(300, 300, .holder, at: 900, hasHungUp: true))
        #expect(claims.count == 192 && keychain.whoGives(claims) == nil)
        #expect(keychain.whoGives(claims + [claim(400, 400, at: 1000)]) == 300)
    }

    @Test func `of a process that has too much, its own give that have hung up, and nobody else's`() {
        let own = (1...32).map { claim($0, 9, $0 == 20 ? .subscriber : .plain, at: $0, hasHungUp: $0 == 20) }
        let others = [claim(100, 5, at: 0, hasHungUp: true)]
        #expect(keychain.whoGives(others + own + [claim(33, 9, at: 50)]) == 20)
    }

    @Test func `a hundred that came and hung up at once push nobody away`() {
        let live = (1...32).map { claim($0, 9, at: $0) }
        let dead = (100..<200).map { claim($0, 9, at: $0, hasHungUp: true) }
        #expect(Set(keychain.whoGive(live + dead, hungUp: { [] })) == Set(dead.map(\.peer)))
    }

    @Test func `who has hung up is looked up only where there is no room, and once`() {
        var looks = 0
        let few = (1...32).map { claim($0, 9, at: $0) }
        let look: () -> Set<UInt64> = {
            looks += 1
            return [30, 31]
        }
        #expect(keychain.whoGive(few, hungUp: look).isEmpty && looks == 0)
        let many = few + (33...35).map { claim($0, 9, at: $0) }
        #expect(keychain.whoGive(many, hungUp: look) == [30, 31, 1] && looks == 1)
    }

    // MARK: Processes

    @Test func `a process that was given the number of another has a share of its own`() {
        let former = (1...32).map { number in
            Claim(peer: number, process: ProcessName(id: 9, startTime: 1), rank: .plain, lastActive: number)
        }
        let later = Claim(peer: 99, process: ProcessName(id: 9, startTime: 2), rank: .plain, lastActive: 99)
        #expect(keychain.whoGives(former + [later]) == nil)
    }

    @Test func `who is at the other end has its start time in its name`() throws {
        let (near, far) = try UnixSocket.makePair()
        let socket = FileDescriptor(owning: near)
        let other = FileDescriptor(owning: far)
        let name = ProcessName(try PeerCredentials(of: socket))
        let pinned = try PeerProcess(of: other)
        let same = ProcessName(pinned)
        let started = try PeerProcess.startTime(of: getpid())
        #expect(name == ProcessName(id: getpid(), startTime: started) && started > 0)
        #expect(name == same, "however it was found out")
    }
}

/// Programs that have windows: those never make room, and never take all of it.
@Suite struct WindowSharesTests {
    private let shares = PeerShares(
        ours: PeerShares.Pool(ofOneProcess: 4, inAll: 6), others: PeerShares.Pool(ofOneProcess: 4, inAll: 6),
        windows: PeerShares.Pool(ofOneProcess: 2, inAll: 4))

    /// By process and time of the last byte; a negative time is a window's.
    private func guests(_ list: [(Int32, Int)]) -> [PeerShares.Claim] {
        list.enumerated().map { place, guest in
            PeerShares.Claim(
                peer: UInt64(place), process: ProcessName(id: guest.0, startTime: 1),
                rank: guest.1 < 0 ? .window : .plain, lastActive: UInt64(abs(guest.1)))
        }
    }

    /// Who gives when one more of a process comes.
    private func giving(_ process: Int32, among list: [(Int32, Int)]) -> UInt64? {
        shares.whoGives(guests(list + [(process, 100)]))
    }

    private func room(_ process: Int32, among list: [(Int32, Int)]) -> Bool {
        shares.hasRoomForWindow(of: ProcessName(id: process, startTime: 1), among: guests(list))
    }

    @Test func `who finds a place is welcome`() {
        #expect(giving(1, among: []) == nil)
        #expect(giving(1, among: [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1)]) == nil)
    }

    @Test func `a process with its share makes room among its own, the longest silent first`() {
        #expect(giving(1, among: [(2, 1), (1, 9), (1, 5), (1, 7), (1, -2)]) == 2)
        #expect(giving(2, among: [(2, 1), (1, 9), (1, 5), (1, 7), (1, -2)]) == nil)
        #expect(giving(1, among: [(1, -1), (1, -2), (1, -3), (1, -4)]) == 4, "who comes is refused")
    }

    @Test func `where no place is left the process with the most pays, and never a window`() {
        #expect(giving(5, among: [(1, 1), (2, 9), (2, 8), (2, 7), (3, 2), (4, -1)]) == 3)
        #expect(giving(7, among: [(1, 4), (2, 3), (3, 5), (4, -1), (5, -1), (6, -1)]) == 1)
        #expect(giving(4, among: [(4, -1), (4, -2), (2, 3), (3, 5), (5, -1), (6, -1)]) == 2, "no debt of who comes")
        #expect(giving(5, among: [(4, -1), (4, -2), (4, 9), (2, 1), (2, 2), (3, 5)]) == 2, "but a part of its share")
    }

    @Test func `a window that has hung up is none`() {
        var claims = guests([(1, -1), (1, -2), (1, -3), (1, -4), (1, 100)])
        claims[1].hasHungUp = true
        #expect(shares.whoGives(claims) == 1)
    }

    @Test func `windows leave places for commands, whoever opens them`() {
        let windows: [(Int32, Int)] = [(1, -1), (2, -1), (3, -1), (4, -1)]
        #expect(!room(9, among: windows))
        #expect(room(9, among: [(1, -1), (2, -1), (3, -1), (4, 1)]))
        #expect(giving(5, among: windows + [(9, 1), (9, 2)]) == 4)
        // Not all of the places, also where somebody says so.
        let pool = PeerShares.Pool(ofOneProcess: 3, inAll: 3)
        let greedy = PeerShares(ours: pool, others: pool, windows: PeerShares.Pool(ofOneProcess: 9, inAll: 9))
        #expect(
            !greedy.hasRoomForWindow(of: ProcessName(id: 1, startTime: 1), among: guests([(1, -1), (2, -1)])))
    }

    @Test func `one process has its share of windows, and leaves the others theirs`() {
        let some: [(Int32, Int)] = [(1, -1), (1, -2), (2, -1)]
        #expect(!room(1, among: some))
        #expect(room(2, among: some) && room(3, among: some))
        #expect(room(1, among: [(1, 1), (1, 2), (1, -3)]))
    }

    @Test func `a crowd of a thousand from one process and one from many keep nobody out`() {
        let pool = PeerShares.Pool(ofOneProcess: 32, inAll: 64)
        let wide = PeerShares(ours: pool, others: pool, windows: PeerShares.Pool(ofOneProcess: 16, inAll: 48))
        for processes in [1, 40, 1000] {
            var there: [PeerShares.Claim] = []
            for number in 0..<1000 {
                let process = ProcessName(id: Int32(10 + number % processes), startTime: 1)
                let isWindow = number % 2 == 0 && wide.hasRoomForWindow(of: process, among: there)
                there.append(
                    PeerShares.Claim(
                        peer: UInt64(number), process: process, rank: isWindow ? .window : .plain,
                        lastActive: UInt64(number)))
                while let peer = wide.whoGives(there) { there.removeAll { $0.peer == peer } }
                #expect(there.count <= 64)
            }
            let comer = PeerShares.Claim(
                peer: 5000, process: ProcessName(id: 5, startTime: 1), rank: .plain, lastActive: 5000)
            #expect(wide.whoGives(there + [comer]) != 5000)
        }
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
