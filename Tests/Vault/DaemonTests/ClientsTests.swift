import EventLoop
import Foundation
import Linux
import Logging
import Secrets
import Testing

@testable import Daemon

/// The connections of the keychain socket on a loop of their own, with nothing behind them.
@Suite struct ClientsTests {
    /// A socket in a folder of its own, and what was asked there.
    private final class Stage {
        private let folder: String
        private let loop: EventLoop
        let clients: Clients
        /// The connections that were answered, one for each frame.
        private(set) var answered: [UInt64] = []
        /// How long each answer takes, in milliseconds.
        var cost: UInt32 = 0

        init() throws {
            folder = NSTemporaryDirectory() + "tresor-clients-\(Identifier.makeRandom().description.prefix(12))"
            try FileSystem.makeDirectories(folder)
            loop = try EventLoop()
            let log = QuietLog(Logger(label: "clients"), path: folder + "/log")
            clients = try Clients(listener: UnixSocket.listen(folder + "/socket"), loop: loop, log: log)
            clients.answer = { [unowned self] _, connection in
                answered.append(connection.id)
                if cost > 0 { SystemClock.sleep(milliseconds: cost) }
            }
        }

        deinit { try? FileSystem.removeTree(folder) }

        func connect() throws -> Far { try Far(UnixSocket.connect(folder + "/socket")) }

        /// What is ready now.
        func wait() throws {
            try clients.prepare(accepts: true)
            try loop.wait(milliseconds: 0)
        }

        /// A turn of the daemon's.
        func turn() throws {
            try wait()
            clients.serve()
            clients.acceptComers()
            clients.dropClosed { _ in }
        }

        var open: Set<UInt64> { Set(clients.all.filter { !$0.isClosed }.map(\.id)) }
    }

    /// The client's end.
    private final class Far {
        private let socket: FileDescriptor
        init(_ socket: consuming FileDescriptor) { self.socket = socket }

        /// A frame of one byte, which whoever answers here does not look at.
        func ask(_ times: Int = 1) throws {
            let frames = [UInt8]((0..<times).flatMap { _ in [0, 0, 0, 1, 7] as [UInt8] })
            let isTaken = try frames.withSpan { try socket.writeAll($0) }
            #expect(isTaken)
        }
    }

    /// How many one process may have: specs/wire.md, "Limits and closing".
    private static let share = 32

    /// As many as one process may have, all of them let in.
    private func fill(_ stage: Stage) throws -> [Far] {
        let clients = try (0..<Self.share).map { _ in try stage.connect() }
        for _ in 0..<200 where stage.open.count < clients.count { try stage.turn() }
        #expect(stage.open.count == clients.count)
        return clients
    }

    @Test func `one process has its share and no more, and who comes last is let in`() throws {
        let stage = try Stage()
        let live = try fill(stage)
        let more = try (0..<8).map { _ in try stage.connect() }
        for _ in 0..<200 where !stage.open.contains(UInt64(Self.share + more.count)) { try stage.turn() }
        #expect(stage.open.count == Self.share && stage.open.contains(UInt64(Self.share + more.count)))
        #expect(stage.open.isDisjoint(with: 1...8), "who was silent longest has made room")
        withExtendedLifetime(live) {}
    }

    @Test func `connections that hung up before they were let in push away nobody who is there`() throws {
        let stage = try Stage()
        let live = try fill(stage)
        let before = stage.open
        for number in 0..<50 {
            let dead = try stage.connect()
            // Half of them have asked for something before.
            if number % 2 == 0 { try dead.ask() }
        }
        for _ in 0..<200 { try stage.turn() }
        #expect(stage.open == before)
        for far in live { try far.ask() }
        for _ in 0..<200 where stage.answered.count < live.count { try stage.turn() }
        #expect(before.isSubset(of: stage.answered), "each is served")
    }

    @Test func `where all of a process have hung up since the last wait, the next one is let in and served`() throws {
        let stage = try Stage()
        var live = try fill(stage)
        let before = stage.open
        try stage.wait()
        live.removeAll()
        let next = try stage.connect()
        try next.ask()
        let last = try #require(stage.clients.acceptAll())
        #expect(stage.open.contains(last) && stage.open.count == before.count, "a dead one has made room")
        for _ in 0..<3 { try stage.turn() }
        #expect(stage.answered == [last] && stage.open == [last])
        withExtendedLifetime(next) {}
    }

    @Test func `a few are let in at a turn, so that those who are there have theirs`() throws {
        let stage = try Stage()
        let crowd = try (0..<30).map { _ in try stage.connect() }
        try stage.turn()
        #expect((1...Clients.Limit.comers).contains(stage.open.count))
        #expect(stage.clients.acceptAll() == UInt64(crowd.count), "but all where somebody has to be sure of it")
        #expect(stage.open.count == crowd.count)
    }

    @Test func `whoever sends frames without end does not keep another one's from its turn`() throws {
        let stage = try Stage()
        let (flood, quiet) = (try stage.connect(), try stage.connect())
        for _ in 0..<200 where stage.open.count < 2 { try stage.turn() }
        stage.cost = 2
        try flood.ask(1000)
        try quiet.ask()
        for _ in 0..<50 where !stage.answered.contains(2) { try stage.turn() }
        #expect(stage.answered.contains(2), "it has had its turn")
        #expect(stage.answered.count < 500 && stage.clients.hasWork, "and the flood waits for its next one")
        withExtendedLifetime((flood, quiet)) {}
    }
}
