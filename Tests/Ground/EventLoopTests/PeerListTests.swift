import EventLoop
import Linux
import Testing

/// Clients of a loop: whose turn it is, and who is gone.
@Suite struct PeerListTests {
    private final class Client: LoopPeer {
        let pair: Pair
        let process: ProcessName
        let isOurs: Bool
        var isClosed = false
        var hasWork = false

        init(_ process: Int32, isOurs: Bool = false) throws {
            pair = try Pair()
            self.process = ProcessName(id: process, startTime: 1)
            self.isOurs = isOurs
        }

        var descriptor: Int32 { pair.near.raw }
    }

    private let loop: EventLoop
    private let list: PeerList<Client>

    init() throws {
        loop = try EventLoop()
        list = PeerList(loop)
    }

    private func client(_ process: Int32, isOurs: Bool = false) throws -> Client {
        let client = try Client(process, isOurs: isOurs)
        try list.insert(client)
        return client
    }

    /// Who was served, in the order in which it was.
    private func round(within limit: Duration? = nil, _ serve: (Client) throws -> Void = { _ in }) throws -> [Int32] {
        try loop.wait(milliseconds: 1000)
        var served: [Int32] = []
        list.serve(within: limit) { client, _ in
            served.append(client.process.id)
            do { try serve(client) } catch { Issue.record(error) }
            return true
        }
        return served
    }

    @Test func `whoever floods waits behind the one question of another, however many connections it has`() throws {
        let flooders = try (0..<20).map { _ in try client(7) }
        for flooder in flooders { try flooder.pair.write(String(repeating: "x", count: 50_000)) }
        // It takes time to answer it, and it goes on.
        let first = try round(within: .milliseconds(5)) { _ in SystemClock.sleep(milliseconds: 10) }
        #expect(first == [7], "a round ends, so that others are looked for")
        let quiet = try client(8)
        try quiet.pair.write()
        #expect(try round { try $0.pair.drain() }.first == 8)
        let ours = try client(9, isOurs: true)
        try ours.pair.write()
        try quiet.pair.write()
        #expect(try round { _ in }.prefix(2) == [9, 8])
    }

    @Test func `one that was closed by another's turn is not served, and is handed back once`() throws {
        let (one, other) = (try client(1), try client(2))
        try one.pair.write()
        try other.pair.write()
        let served = try round { served in
            for client in [one, other] where client !== served { client.isClosed = true }
        }
        #expect(served.count == 1)
        #expect(list.removeClosed().count == 1 && list.removeClosed().isEmpty && list.all.count == 1)
    }

    @Test func `whoever has hung up is known without another wait`() throws {
        let (live, gone) = (try client(1), try client(2))
        try loop.wait(milliseconds: 0)
        gone.pair.hangUp()
        #expect(list.hungUp().map(\.process.id) == [2])
        try live.pair.write()
        #expect(list.hungUp().count == 1, "who says something is there")
    }

    @Test func `what is wanted of each is what is heard of it`() throws {
        let (one, other) = (try client(1), try client(2))
        try one.pair.write()
        try other.pair.write()
        try list.prepare { (reading: $0 === other, writing: false) }
        #expect(try round() == [2])
        #expect(try list.othersWait(for: one) && !list.othersWait(for: other))
        one.hasWork = true
        #expect(try list.othersWait(for: other) && round() == [1, 2], "it waits for no socket")
        other.isClosed = true
        try list.prepare { _ in (reading: true, writing: false) }
        #expect(try round() == [1], "a closed one wakes nobody")
    }

    @Test func `the end of a round is the server's to say`() throws {
        for process in 1...3 as ClosedRange<Int32> { try client(process).pair.write() }
        try loop.wait(milliseconds: 1000)
        var served = 0
        list.serve { _, _ in
            served += 1
            return served < 2
        }
        #expect(served == 2)
    }
}
