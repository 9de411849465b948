import EventLoop
import Linux
import Logging
import Protection
import Secrets
import Wire

/// The connections of the keychain socket: who comes in, who is served next, and who has to go.
///
/// What a request means is the business of `KeychainService`.
final class Clients {
    enum Limit {
        /// For the rest of a frame to come.
        static let frame = Duration.seconds(10)
        static let scratch = 64 * 1024
        /// One connection's turn; one request may take longer, and then has been the last of it.
        static let turn = Duration.milliseconds(10)
        /// All turns, before somebody new is looked for.
        static let round = Duration.milliseconds(50)
        /// One connection's turn while it adds items, one behind the other, and nobody else waits.
        ///
        /// Signals and the session's bus have to wait for its end, too.
        static let gathering = Duration.milliseconds(100)
        /// How many are accepted, and how long that may take, before others have their turn again.
        static let comers = 8
        static let coming = Duration.microseconds(500)
        /// How long nobody is accepted where that failed.
        static let pause = Duration.seconds(1)
    }

    /// In the order in which they came.
    var all: [Connection] { list.all }

    /// Answers one frame's payload.
    ///
    /// Set by `DaemonLoop.init`: `DaemonLoop.answer`.
    var answer: (RawSpan, Connection) throws -> Void = { _, _ in }
    /// Sends what waits until a connection's whole frames are answered.
    ///
    /// Set by `DaemonLoop.init`: `DaemonLoop.settleAdditions`.
    var settle: () throws -> Void = {}
    /// Whether something waits for that: the more goes to the disk together, the less each of it costs.
    ///
    /// Set by `DaemonLoop.init`: `Additions.isOpen`.
    var isGathering: () -> Bool = { false }
    /// Whether a process runs a program of ours.
    ///
    /// Set by `DaemonLoop.init`: `KeychainService.isOurs`.
    var isOurs: (borrowing PeerProcess) -> Bool = { _ in false }

    private let loop: EventLoop
    private let listener: FileDescriptor
    private let comes: EventLoop.Source
    private let list: PeerList<Connection>
    private let log: QuietLog
    private var nextID: UInt64 = 1
    private var scratch: SecretBuffer
    /// When somebody may be accepted again.
    private(set) var acceptsFrom: UInt64 = 0

    init(listener: consuming FileDescriptor, loop: EventLoop, log: QuietLog) throws {
        self.loop = loop
        self.log = log
        comes = try loop.add(listener.raw)
        self.listener = listener
        list = PeerList(loop)
        scratch = try SecretBuffer(capacity: Limit.scratch)
    }

    /// Says before a wait what is waited for.
    ///
    /// - Parameter accepts: whether anybody is let in now.
    func prepare(accepts: Bool) throws {
        try loop.want(comes, reading: accepts)
        try list.prepare { (reading: $0.isRead, writing: $0.wantsToWrite) }
    }

    // MARK: Coming and going

    /// Lets in a few of those who wait: whoever comes as fast as it can does not keep those who are there from their
    /// turns.
    func acceptComers() {
        guard loop.isReadable(comes) else { return }
        let end = SuspendingClock.now + Limit.coming
        defer { makeRoom() }
        for _ in 0..<Limit.comers where SuspendingClock.now < end {
            guard case .came = acceptNext() else { return }
        }
    }

    /// - Returns: the number of the last who came; nil where somebody may still wait who waited when this began.
    func acceptAll() -> UInt64? {
        defer { makeRoom() }
        // The queue is served in its order, and holds no more than this.
        for _ in 0...UnixSocket.backlog {
            switch acceptNext() {
            case .came: continue
            case .nobody: return nextID - 1
            case .failed: return nil
            }
        }
        return nextID - 1
    }

    private enum Coming { case came, nobody, failed }

    private func acceptNext() -> Coming {
        do {
            guard let raw = try UnixSocket.accept(listener) else { return .nobody }
            accept(FileDescriptor(owning: raw))
            return .came
        } catch {
            // Descriptors are short: who waits goes on waiting, and the log is not filled with it.
            acceptsFrom = SystemClock.bootMilliseconds() + Limit.pause.wholeMilliseconds
            log.warning("could not accept a connection", code: "\(error)")
            return .failed
        }
    }

    private func accept(_ socket: consuming FileDescriptor) {
        // Who has hung up, and has asked for nothing before, costs nobody anything.
        if socket.hasHungUp(), (try? socket.waitingByteCount()) == 0 { return }
        guard let peer = try? PeerCredentials(of: socket), peer.user == CurrentProcess.user || peer.user == 0 else {
            return log.warning("refused a connection of another user", code: "user")
        }
        // Who is gone before we look at them wants nothing.
        guard let connection = try? Connection(id: nextID, socket: socket) else { return }
        connection.isOurs = isOurs(connection.peer)
        do { try list.insert(connection) } catch {
            return log.warning("could not watch a connection", code: "\(error)")
        }
        nextID += 1
    }

    private func makeRoom() { makeRoom(.connections, open.map { $0.claim(1) }, "limit") }

    /// Closes who takes more locked memory for what waits than there is for them.
    private func makeRoomInMemory() {
        let claims = open.filter { $0.waitingBytes > 0 }.map { $0.claim($0.waitingBytes) }
        makeRoom(.waitingBytes, claims, "memory")
    }

    private func makeRoom(_ shares: PeerShares, _ claims: [PeerShares.Claim], _ code: String) {
        for id in shares.whoGive(claims, hungUp: { Set(list.hungUp().map(\.id)) }) { give(id, code) }
    }

    private var open: [Connection] { all.filter { !$0.isClosed } }

    private func give(_ id: UInt64, _ code: String) {
        guard let connection = all.first(where: { $0.id == id }) else { return }
        close(connection, "one process, or all, take more than there is for them", code)
        connection.input = nil
        connection.output = nil
    }

    func close(_ connection: Connection, _ reason: String, _ code: String) {
        log.warning("closed a connection: \(reason)", code: code)
        connection.isClosed = true
    }

    /// Forgets who has gone, and hands each to who keeps something of theirs.
    func dropClosed(_ release: (Connection) -> Void) {
        list.removeClosed().forEach(release)
    }

    /// Closes who leaves a frame unfinished, or replies untaken.
    func endLate(_ now: UInt64) {
        let patience = Limit.frame.wholeMilliseconds
        for connection in all where !connection.isClosed {
            let isUnfinished = connection.inputSince > 0 && connection.isRead
            if isUnfinished && now > connection.inputSince + patience {
                close(connection, "a frame did not come to its end", "timeout")
            }
            if connection.wantsToWrite && now > connection.outputSince + patience {
                // What it holds, no later lock could have it wipe.
                if connection.isHolder { connection.killProcess() }
                close(connection, "replies were not taken", "timeout")
            }
        }
    }

    /// Whether a deadline of somebody's has to be watched.
    var isTimed: Bool { all.contains { $0.inputSince > 0 || $0.wantsToWrite } }

    /// Whether somebody can be served without waiting for a socket.
    var hasWork: Bool { all.contains(where: \.hasWork) }

    // MARK: Taking turns

    /// Serves whoever is ready, for a round's time.
    func serve() {
        list.serve(within: Limit.round) { connection, readiness in
            takeTurn(of: connection, readiness)
            return true
        }
    }

    private func takeTurn(of connection: Connection, _ readiness: Epoll.Readiness) {
        do {
            let isWaiting = connection.wantsToWrite || connection.isLookedAt
            if readiness.contains(.broken) && !readiness.contains(.writable) && isWaiting {
                return connection.isClosed = true
            }
            if readiness.contains(.writable) {
                try connection.flush()
                // While a reply waited, the client's next frame could not come to its end.
                if connection.inputSince > 0 { connection.inputSince = SystemClock.bootMilliseconds() }
            }
            // Whole frames may have waited for the client to take its replies, or for their turn.
            if connection.hasWork {
                try answerWaiting(connection)
            } else if !readiness.isDisjoint(with: [.readable, .broken]) && connection.isRead {
                try read(connection)
            }
        } catch KeychainService.Closing.malformed(let code) {
            close(connection, "malformed request", code)
        } catch let violation as StreamFrame.Violation {
            close(connection, "malformed frame", "\(violation)")
        } catch is SecretMemoryError {
            close(connection, "no locked memory left", "memory")
        } catch { close(connection, "connection failed", "\(error)") }
        if connection.waitingBytes > 0 { makeRoomInMemory() }
    }

    // MARK: Reading

    /// Reads what is there and answers the whole frames in it, as far as its turn goes.
    private func read(_ connection: Connection) throws {
        if var waiting = connection.takeInput() {
            let room = max(Limit.scratch, (try frameEnd(waiting.bytes) ?? 0) - waiting.count)
            try receive(connection, into: &waiting, room: room)
            try answerFrames(in: &waiting, connection)
            keep(consume waiting, connection)
        } else {
            defer { scratch.removeAll() }
            try receive(connection, into: &scratch, room: Limit.scratch)
            try answerFrames(in: &scratch, connection)
            if scratch.count > 0 {
                var waiting = try SecretBuffer(capacity: max(4096, scratch.count))
                try scratch.withBytes { try waiting.append($0) }
                connection.input = consume waiting
                connection.inputSince = SystemClock.bootMilliseconds()
            }
        }
    }

    private func answerWaiting(_ connection: Connection) throws {
        guard var waiting = connection.takeInput() else { return connection.hasWholeFrame = false }
        try answerFrames(in: &waiting, connection)
        keep(consume waiting, connection)
    }

    private func keep(_ waiting: consuming SecretBuffer, _ connection: Connection) {
        if waiting.count > 0 {
            connection.input = consume waiting
        } else {
            connection.inputSince = 0
        }
    }

    private func receive(_ connection: Connection, into buffer: inout SecretBuffer, room: Int) throws {
        if try connection.socket.read(into: &buffer.storage, room: room) == .closed { connection.isClosed = true }
    }

    /// - Returns: whether something came.
    private func receiveMore(_ connection: Connection, into buffer: inout SecretBuffer) throws -> Bool {
        let count = buffer.count
        guard count < Limit.scratch else { return false }
        // An end is found by the next turn: what was answered by then is still to be sent.
        _ = try connection.socket.read(into: &buffer.storage, room: Limit.scratch - count)
        return buffer.count > count
    }

    /// Whether somebody else asks for something, or comes.
    private func othersWait(for connection: Connection) -> Bool {
        // Who is being looked up waits for the loop, and not for its socket.
        if list.all.contains(where: { $0 !== connection && $0.isLookedAt && !$0.isClosed }) { return true }
        do {
            // Replies may wait by now for whom nothing waited before.
            try prepare(accepts: true)
            return try list.othersWait(for: connection) || loop.peek().readiness(of: comes).contains(.readable)
        } catch { return true }
    }

    private func settleAll(_ connection: Connection) {
        do { try settle() } catch { close(connection, "could not answer", "\(error)") }
    }

    private func frameEnd(_ bytes: RawSpan) throws(StreamFrame.Violation) -> Int? {
        try StreamFrame.byteCount(of: bytes, limit: StreamFrame.keychainLimit)
    }

    /// The length of the frame that begins at `used`, once all of it is there.
    private func wholeFrame(in buffer: borrowing SecretBuffer, from used: Int) throws(StreamFrame.Violation) -> Int? {
        let rest = buffer.bytes.extracting(droppingFirst: used)
        guard let length = try frameEnd(rest), rest.byteCount >= length else { return nil }
        return length
    }

    private func answerFrames(in buffer: inout SecretBuffer, _ connection: Connection) throws {
        var used = 0
        defer { buffer.removeFirst(used) }
        connection.hasWholeFrame = false
        let begin = SuspendingClock.now
        var now = begin
        var end = begin + Limit.turn
        defer { settleAll(connection) }
        while !connection.isClosed {
            guard let length = try wholeFrame(in: buffer, from: used) else {
                guard now < begin + Limit.gathering, isGathering(), !othersWait(for: connection) else { return }
                buffer.removeFirst(used)
                used = 0
                // What has come meanwhile goes along.
                guard try receiveMore(connection, into: &buffer) else { return }
                now = SuspendingClock.now
                continue
            }
            if now >= end, now < begin + Limit.gathering, isGathering(), !othersWait(for: connection) {
                end = now + Limit.turn
            }
            guard now < end, !connection.wantsToWrite, !connection.isLookedAt else {
                return connection.hasWholeFrame = true
            }
            let frame = buffer.bytes.extracting(used..<used + length)
            try answer(frame.extracting(droppingFirst: StreamFrame.headerByteCount), connection)
            used += length
            now = SuspendingClock.now
            connection.lastActive = SystemClock.bootMilliseconds()
            if connection.inputSince > 0 { connection.inputSince = connection.lastActive }
        }
    }
}
