import Biometry
import KeychainStore
import Linux
import MessageBus
package import Logging
import Protection
import Secrets
package import Wire

/// tresord: one thread, one loop over its sockets.
///
/// Whoever is slow waits alone; see docs/decisions/0002.
package final class DaemonLoop {
    private enum Limit {
        static let connections = 256
        /// Milliseconds for the rest of a frame to come.
        static let frame: UInt64 = 10_000
        /// Milliseconds within which deleted bytes leave the write-ahead log.
        static let scrub: UInt64 = 500
        static let scratch = 64 * 1024
        /// Milliseconds within which holders of keys and plaintext wipe them; who does not is killed.
        static let eviction: UInt64 = 2000
    }

    private let home: Home
    private let log: Logger
    private let lockFile: FileDescriptor
    private let signals: SignalDescriptor
    private let listener: FileDescriptor
    private let device: DeviceOwner
    private let door: NativeDoor
    private var connections: [Connection] = []
    private var nextID: UInt64 = 1
    private var poll = Poll()
    private var scratch: SecretBuffer
    private var replies: SecretBuffer
    private var lastActivity = SystemClock.bootMilliseconds()
    private var scrubSince: UInt64?
    private var toldState: LockState?
    private var acceptsFrom: UInt64 = 0
    private var booksDue: UInt64 = 0
    private var isStopping = false
    private var eviction: Eviction?

    /// - Parameters:
    ///   - enclaveProgram: the path of tresor-enclave.
    ///   - reader: where the fingerprint reader is asked.
    /// - Throws: `DaemonFailure`, `StartFailure`, or the system call that failed.
    package init(
        home: Home, enclaveProgram: String, reader: FingerprintSource = FingerprintSource(), log: Logger
    ) throws {
        self.home = home
        self.log = log
        try HomeFolders.prepare(home, log)
        lockFile = try FileDescriptor.open(home.lock, FileFlags.readWriteOrCreate)
        guard try lockFile.lockExclusively(within: 1000) else { throw DaemonFailure.alreadyRunning }
        signals = try SignalDescriptor()
        device = try DeviceOwner(home: home, enclaveProgram: enclaveProgram, log: log)
        let fingers = FingerprintDesk(device: device, source: reader)
        // The store must end when the daemon does: it does not own who asks the reader.
        device.store.enrolment = { [unowned fingers] in try fingers.enrolment() }
        door = NativeDoor(device: device, fingers: fingers, log: log)
        scratch = try SecretBuffer(capacity: Limit.scratch)
        replies = try SecretBuffer(capacity: Limit.scratch)
        // The lock is ours, so a socket that is left here is nobody's.
        try FileSystem.remove(home.socket)
        listener = try UnixSocket.listen(home.socket)
        door.acceptWaiting = { [unowned self] in acceptAll() ? nextID - 1 : nil }
    }

    /// Serves until a signal or a client ends it.
    package func run() throws {
        log.info("ready", metadata: ["state": "\(device.lockState.name)"])
        toldState = device.lockState
        while !isStopping {
            try waitForWork()
            if poll.isReadable(0) { try readSignals() }
            for (index, connection) in connections.enumerated() where !isStopping { serve(connection, at: 2 + index) }
            if poll.isReadable(1) { acceptAll() }
            try doUpkeep()
        }
        try FileSystem.remove(home.socket)
        try endHolders()
        device.end()
    }

    /// Nobody keeps keys or plaintext beyond the daemon's end.
    private func endHolders() throws {
        device.mustEvictHolders = true
        guard evictHolders() else { return }
        while let deadline = eviction?.deadline {
            let now = SystemClock.bootMilliseconds()
            let holders = connections.filter { $0.mustEvict && !$0.isClosed }
            guard !holders.isEmpty else { return }
            poll.removeAll()
            for holder in holders { poll.add(holder.socket.raw, reading: true, writing: false) }
            try poll.wait(milliseconds: deadline > now ? Int(deadline - now) : 0)
            for (index, holder) in holders.enumerated() where poll.isReadable(index) {
                scratch.removeAll()
                try receive(holder, into: &scratch, room: Limit.scratch)
            }
            killLateHolders(SystemClock.bootMilliseconds())
        }
    }

    private func waitForWork() throws {
        poll.removeAll()
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        poll.add(listener.raw, reading: SystemClock.bootMilliseconds() >= acceptsFrom, writing: false)
        for connection in connections {
            poll.add(
                connection.socket.raw, reading: !connection.wantsToWrite, writing: connection.wantsToWrite)
        }
        if let bus = door.fingers.interest {
            poll.add(bus.descriptor, reading: bus.reading, writing: bus.writing)
        }
        try poll.wait(milliseconds: timeout)
    }

    private var timeout: Int? {
        let now = SystemClock.bootMilliseconds()
        var deadlines: [UInt64] = []
        if let eviction { deadlines.append(eviction.deadline) }
        if let end = device.sessions.nextEnd { deadlines.append(end) }
        if let scrubSince { deadlines.append(scrubSince + Limit.scrub) }
        if let idleDeadline { deadlines.append(idleDeadline) }
        if acceptsFrom > now { deadlines.append(acceptsFrom) }
        if let wait = door.fingers.interest?.milliseconds { deadlines.append(now + UInt64(wait)) }
        let waits = connections.contains { $0.inputSince > 0 || $0.wantsToWrite }
        if waits || device.booksAreOpen || device.appsAreStale { deadlines.append(now + 1000) }
        return deadlines.min().map { Int($0 > now ? $0 - now : 0) }
    }

    private var idleDeadline: UInt64? {
        guard device.idleLockSeconds > 0, device.lockState == .unlocked,
            device.enclave.hasPasscode || device.hasOpenKeychains
        else { return nil }
        return lastActivity + UInt64(device.idleLockSeconds) * 1000
    }

    private func readSignals() throws {
        while let signal = signals.next() {
            switch signal {
            case .end: isStopping = true
            case .childEnded: if device.enclave.hasEnded() { try device.replaceEnclave() }
            case .other: break
            }
        }
    }

    /// - Returns: whether nobody waits any more who waited when this began.
    @discardableResult
    private func acceptAll() -> Bool {
        // The queue is served in its order, and holds no more than this.
        for _ in 0...UnixSocket.backlog {
            let raw: Int32
            do {
                guard let next = try UnixSocket.accept(listener) else { return true }
                raw = next
            } catch {
                // Descriptors are short: who waits goes on waiting, and the log is not filled with it.
                acceptsFrom = SystemClock.bootMilliseconds() + 1000
                log.warning("could not accept a connection", metadata: ["error": "\(error)"])
                return false
            }
            accept(FileDescriptor(owning: raw))
        }
        return true
    }

    private func accept(_ socket: consuming FileDescriptor) {
        guard let peer = try? PeerCredentials(of: socket), peer.user == CurrentProcess.user || peer.user == 0 else {
            return log.warning("refused a connection of another user")
        }
        // Who is gone before we look at them wants nothing.
        guard let connection = try? Connection(id: nextID, socket: socket) else { return }
        connections.append(connection)
        nextID += 1
        makeRoom()
    }

    /// Whoever has been silent longest makes room for who comes now; subscribers are silent by nature.
    private func makeRoom() {
        guard connections.count > Limit.connections else { return }
        let candidates = connections.filter { !$0.isSubscribed && !$0.isClosed }
        if let idlest = candidates.min(by: { $0.lastActive < $1.lastActive }) {
            close(idlest, "too many connections", "limit")
            connections.removeAll { $0.isClosed }
        } else if let newest = connections.popLast() {
            close(newest, "too many connections", "limit")
        }
    }

    private func serve(_ connection: Connection, at index: Int) {
        do {
            if poll.isBroken(index) && !poll.isWritable(index) && connection.wantsToWrite {
                return connection.isClosed = true
            }
            if poll.isWritable(index) {
                try connection.flush()
                // While a reply waited, the client's next frame could not come to its end.
                if connection.inputSince > 0 { connection.inputSince = SystemClock.bootMilliseconds() }
                // Whole frames may have waited for the client to take its replies.
                try answerWaiting(connection)
            }
            if poll.isReadable(index) && !connection.wantsToWrite { try read(connection) }
        } catch NativeDoor.Closing.malformed(let code) {
            close(connection, "malformed request", code)
        } catch let violation as Frame.Violation {
            close(connection, "malformed frame", "\(violation)")
        } catch is SecretMemoryError {
            close(connection, "no locked memory left", "memory")
        } catch { close(connection, "connection failed", "\(error)") }
    }

    private func close(_ connection: Connection, _ reason: String, _ code: String) {
        log.warning("closed a connection: \(reason)", metadata: ["code": "\(code)"])
        connection.isClosed = true
    }

    /// Reads what is there and answers every whole frame in it.
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
        guard var waiting = connection.takeInput() else { return }
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

    private func frameEnd(_ bytes: RawSpan) throws(Frame.Violation) -> Int? {
        try Frame.byteCount(of: bytes, limit: Frame.nativeLimit)
    }

    private func answerFrames(in buffer: inout SecretBuffer, _ connection: Connection) throws {
        var used = 0
        defer { buffer.removeFirst(used) }
        while !isStopping && !connection.wantsToWrite && !connection.isClosed {
            let rest = buffer.bytes.extracting(droppingFirst: used)
            guard let end = try frameEnd(rest), rest.byteCount >= end else { return }
            defer { replies.removeAll() }
            let consequence = try door.answer(
                rest.extracting(Frame.headerByteCount..<end), on: connection, into: &replies)
            used += end
            connection.lastActive = SystemClock.bootMilliseconds()
            if connection.inputSince > 0 { connection.inputSince = connection.lastActive }
            let evicts = evictHolders()
            if consequence == .locked && evicts {
                // The lock is reported when every holder has wiped what it held.
                eviction?.answers.append((connection: connection, reply: replies.withBytes { $0.copyToArray() }))
            } else {
                try replies.withBytes { try connection.send($0) }
            }
            apply(consequence)
        }
    }

    private func apply(_ consequence: NativeDoor.Consequence) {
        if consequence != .none { lastActivity = SystemClock.bootMilliseconds() }
        switch consequence {
        case .none, .activity: break
        case .stateMayHaveChanged, .locked: tellState()
        case .stop: isStopping = true
        }
    }

    /// Tells subscribers of a lock state that they have not heard of.
    private func tellState() {
        let state = device.lockState
        guard state != toldState else { return }
        toldState = state
        for connection in connections where connection.isSubscribed && !connection.isClosed {
            do {
                var event = try SecretBuffer(capacity: 64)
                let frame = try NativeReply.begin(id: 0, .lockState, in: &event)
                try event.uint8(state.rawValue)
                Frame.end(frame, in: &event)
                try connection.send(event.bytes)
            } catch { close(connection, "could not tell the lock state", "\(error)") }
        }
    }

    /// Answers who waited for a finger.
    private func answerFingers() {
        guard let answer = door.fingers.process() else { return }
        defer { replies.removeAll() }
        do {
            try answer.encode(into: &replies)
            try replies.withBytes { try answer.connection.send($0) }
        } catch { close(answer.connection, "could not tell of a finger", "\(error)") }
    }

    private func doUpkeep() throws {
        answerFingers()
        for connection in connections where connection.isClosed { device.sessions.closeAll(of: connection.id) }
        connections.removeAll { $0.isClosed }
        device.sessions.expire()
        let now = SystemClock.bootMilliseconds()
        _ = evictHolders()
        killLateHolders(now)
        endEviction()
        for connection in connections
        where connection.inputSince > 0 && !connection.wantsToWrite && now > connection.inputSince + Limit.frame {
            close(connection, "a frame did not come to its end", "timeout")
        }
        for connection in connections where connection.wantsToWrite && now > connection.outputSince + Limit.frame {
            close(connection, "replies were not taken", "timeout")
        }
        if (device.booksAreOpen || device.appsAreStale) && now >= booksDue {
            booksDue = now + 1000
            device.closeBooks()
        }
        if device.enclave.isGone { try device.replaceEnclave() }
        if let idleDeadline, now >= idleDeadline {
            log.info("locked after the chosen idle time")
            do { try device.lock() } catch let error as KeychainError where error.reason == .noPasscodeSet {
                // Keychains with a passcode of their own are shut now; without one of the device that is all.
            } catch { log.error("idle lock failed", metadata: ["error": "\(error)"]) }
        }
        tellState()
        try scrubInTime(now)
    }

    /// Tells every holder to wipe, where a lock or the end of class keys demands it.
    ///
    /// - Returns: whether somebody has still to do so.
    private func evictHolders() -> Bool {
        guard device.mustEvictHolders else { return eviction != nil }
        device.mustEvictHolders = false
        for connection in connections where connection.isHolder && !connection.isClosed && !connection.mustEvict {
            connection.mustEvict = true
            do {
                var event = try SecretBuffer(capacity: 64)
                Frame.end(try NativeReply.begin(id: 0, .evict, in: &event), in: &event)
                try connection.send(event.bytes)
            } catch { close(connection, "could not tell a holder to wipe", "\(error)") }
        }
        guard connections.contains(where: { $0.mustEvict && !$0.isClosed }) else { return false }
        if eviction == nil { eviction = Eviction(deadline: SystemClock.bootMilliseconds() + Limit.eviction) }
        return true
    }

    /// Answers those who wait for a lock, once nobody holds anything any more.
    private func endEviction() {
        guard let ended = eviction, !connections.contains(where: { $0.mustEvict && !$0.isClosed }) else { return }
        eviction = nil
        for (connection, reply) in ended.answers where !connection.isClosed {
            do { try reply.withSpan { try connection.send($0) } } catch {
                close(connection, "could not answer", "\(error)")
            }
        }
    }

    /// Who has not wiped in time is ended: its memory goes with it.
    private func killLateHolders(_ now: UInt64) {
        guard let eviction, now >= eviction.deadline else { return }
        for connection in connections where connection.mustEvict && !connection.isClosed {
            if let process = try? PeerCredentials(of: connection.socket).process { ChildProcess.kill(process) }
            close(connection, "a holder did not wipe in time and was killed", "eviction")
        }
    }

    private func scrubInTime(_ now: UInt64) throws {
        guard device.store.needsScrub else { return scrubSince = nil }
        guard let since = scrubSince else { return scrubSince = now }
        guard now >= since + Limit.scrub else { return }
        do { try device.store.scrub() } catch {
            log.error("deleted bytes could not be overwritten yet", metadata: ["error": "\(error)"])
        }
        scrubSince = nil
    }
}
