import Biometry
package import DesktopSession
import EventLoop
import KeychainStore
package import Linux
import MessageBus
package import Logging
import Protection
import Secrets
package import Wire

/// tresord: one thread, one loop over its sockets.
///
/// Whoever is slow waits alone; see docs/decisions/0002.
package final class DaemonLoop {
    enum Limit {
        /// Within which deleted bytes leave the write-ahead log.
        static let scrub = Duration.milliseconds(500)
        /// And how long after the disk has forbidden it that is tried again.
        static let scrubAgain = Duration.seconds(10)
        /// Within which holders of keys and plaintext wipe them; who does not is killed.
        static let eviction = Duration.seconds(2)
        /// Within which who was killed has ended.
        static let death = Duration.seconds(2)
        /// A suspension: clocks that are read one after the other differ by less.
        static let suspension = Duration.seconds(2)
    }

    /// What its socket is called where systemd opens it (`FileDescriptorName=`).
    package static let socketName = "keychain"

    let home: Home
    let log: Logger
    /// Whether the socket is systemd's: its name stays when this ends, and whoever waits there is the next one's.
    let isSocketPassed: Bool
    private let lockFile: FileDescriptor
    private let loop: EventLoop
    private let signals: SignalDescriptor
    private let signalSource: EventLoop.Source
    private let clients: Clients
    private let quiet: QuietLog
    let device: DeviceOwner
    let session: SessionWatch
    private let service: KeychainService
    var connections: [Connection] { clients.all }
    private var alarms = DeadlineHeap<Alarm>()
    private var replies: Replies
    private var additions = Additions()
    /// When the owner last did something that we saw, in milliseconds of the boot clock; see ``idleDeadline``.
    private(set) var lastOwnerInput = SystemClock.bootMilliseconds()
    /// Where a lock failed for want of its owner, it is tried again then.
    var nextIdleLock: UInt64 = 0
    private var scrubSince: UInt64?
    var toldState: LockState?
    private var followDue: UInt64 = 0
    var isStopping = false
    /// A lock that waits for the holders of keys and plaintext, by the numbers of their connections.
    var eviction = Eviction<UInt64>(
        patience: Limit.eviction.wholeMilliseconds, dying: Limit.death.wholeMilliseconds)
    /// Who is to hear of that lock when it is over, and what.
    var lockAnswers: [(connection: Connection, reply: [UInt8])] = []
    var isReplacementTold = false
    /// Whether the machine waits with its sleep for a lock to be over.
    var isSleepWaiting = false
    /// Whether the sleep that ends next has been heard of, and locked for, before it began.
    var isSleepKnown = false
    var trashRounds = TrashRounds(start: SystemClock.bootMilliseconds())
    let suspensionClock: () -> UInt64
    /// What it said when last looked.
    var suspended: UInt64
    /// Whether logind was heard when last looked.
    var isSessionHeard = false
    /// When the session is asked at the latest, in milliseconds of the boot clock.
    private var sessionDue: UInt64 = 0

    /// - Parameters:
    ///   - enclaveProgram: the path of tresor-enclave.
    ///   - passed: its socket, where systemd has opened it; nil to open it here.
    ///   - reader: where the fingerprint reader is asked.
    ///   - place: where the desktop tells of the owner's session.
    ///   - clock: by which tries are counted; milliseconds since the machine started.
    ///   - suspension: milliseconds that the machine has been suspended since it started.
    /// - Throws: `DaemonFailure`, `StartFailure`, or the system call that failed.
    package init(
        home: Home, enclaveProgram: String, passed: PassedListener? = nil,
        reader: FingerprintSource = FingerprintSource(), place: SessionPlace,
        clock: @escaping () -> UInt64 = SystemClock.bootMilliseconds,
        suspension: @escaping () -> UInt64 = SystemClock.suspendedMilliseconds, log: Logger
    ) throws {
        self.home = home
        isSocketPassed = passed != nil
        suspensionClock = suspension
        suspended = suspension()
        self.log = log
        try FileSystem.makeDirectories(home.data)
        lockFile = try FileDescriptor.open(home.lock, FileFlags.readWriteOrCreate)
        guard try Self.takeLock(lockFile, home, isSocketPassed) else { throw DaemonFailure.alreadyRunning }
        try Self.refuseListener(home, isSocketPassed)
        // Two that start at once make nothing twice.
        try HomeFolders.prepare(home, log)
        try Self.leaveMark(in: lockFile)
        loop = try EventLoop()
        signals = try SignalDescriptor()
        signalSource = try loop.add(signals.descriptor.raw)
        device = try DeviceOwner(home: home, enclaveProgram: enclaveProgram, clock: clock, log: log)
        let fingers = FingerprintVerification(device: device, source: reader)
        // The store must end when the daemon does: it does not own who asks the reader.
        device.store.enrolment = { [unowned fingers] in try fingers.enrolment() }
        replies = try Replies()
        quiet = QuietLog(log, path: home.log)
        service = KeychainService(device: device, fingers: fingers, quiet: quiet)
        clients = try Clients(listener: Self.listener(home, passed), loop: loop, log: quiet)
        session = SessionWatch(user: CurrentProcess.user, place: place)
        service.lock = { [unowned self] in try lock(for: .command) }
        service.ownerIsActive = { [unowned self] in lastOwnerInput = SystemClock.bootMilliseconds() }
        service.acceptWaiting = { [unowned self] in clients.acceptAll() }
        service.connections = { [unowned self] in clients.all }
        clients.isOurs = { [unowned self] in service.isOurs($0) }
        clients.answer = { [unowned self] in try answer($0, $1) }
        clients.settle = { [unowned self] in try settleAdditions() }
        clients.isGathering = { [unowned self] in additions.isOpen }
    }

    /// Waits for one that is ending, whose socket has gone already.
    ///
    /// One that serves is not waited for: this one would run on after that was told to end.
    private static func takeLock(
        _ lockFile: borrowing FileDescriptor, _ home: Home, _ isSocketPassed: Bool
    ) throws -> Bool {
        for _ in 0..<100 {
            if try lockFile.lockExclusively() { return true }
            // One that was passed takes connections whether or not anybody serves.
            if !isSocketPassed, (try? UnixSocket.connect(home.socket)) != nil { return false }
            SystemClock.sleep(milliseconds: 10)
        }
        return try lockFile.lockExclusively()
    }

    /// Ends a start where somebody listens though nobody serves, for the lock is ours.
    ///
    /// It is systemd, for the `tresord` that it starts, or a program that wants to be taken for one. A socket in the
    /// place of systemd's would leave that listening for nobody.
    private static func refuseListener(_ home: Home, _ isSocketPassed: Bool) throws {
        guard isSocketPassed || !UnixSocket.hasListener(home.socket) else {
            throw DaemonFailure.socketTaken(home.socket)
        }
    }

    private static func listener(_ home: Home, _ passed: PassedListener?) throws -> FileDescriptor {
        if let passed { return passed.own() }
        // The lock is ours, so a socket that is left here is nobody's.
        try FileSystem.remove(home.socket)
        return try UnixSocket.listen(home.socket)
    }

    /// By this it is found, and ended, when it answers nobody any more.
    private static func leaveMark(in lockFile: borrowing FileDescriptor) throws {
        let process = CurrentProcess.id
        let mark = DaemonMark(process: process, startTime: try PeerProcess.startTime(of: process))
        // A full disk must not keep a device from starting.
        do {
            try lockFile.truncate()
            try lockFile.write(mark.bytes, at: 0)
        } catch  where error.isOutOfSpace {}
    }

    /// Serves until a signal or a client ends it.
    package func run() throws {
        log.info("ready", metadata: ["state": "\(device.lockState.name)"])
        toldState = device.lockState
        while !isStopping || isLocking {
            try waitForWork()
            lockAfterSleep()
            if loop.isReadable(signalSource) { try readSignals() }
            // Who has something to wipe may ask for something first, also at the end.
            clients.serve()
            clients.acceptComers()
            service.goOnLooking().forEach(tell)
            try doUpkeep()
        }
        device.end()
    }

    /// What the loop wakes for though nothing has come.
    private enum Alarm: Hashable, Sendable {
        case eviction, session, scrub, idle, desktop, accepting, finger, watch, trash
    }

    private func waitForWork() throws {
        let now = SystemClock.bootMilliseconds()
        try clients.prepare(accepts: !isStopping && now >= clients.acceptsFrom)
        let desktop = session.interests
        let buses = desktop + (service.fingers.interest.map { [$0] } ?? [])
        try loop.watch(
            others: buses.map { DescriptorInterest($0.descriptor, reading: $0.reading, writing: $0.writing) })
        sessionDue = session.nextProcessing(at: now)
        setAlarms(now)
        try loop.wait(milliseconds: clients.hasWork || service.isLooking ? 0 : alarms.milliseconds(at: now))
        if desktop.contains(where: { loop.isReady(other: $0.descriptor) }) { sessionDue = 0 }
    }

    private func setAlarms(_ now: UInt64) {
        alarms[.eviction] = eviction.deadline
        alarms[.session] = device.sessions.nextEnd
        alarms[.scrub] = scrubSince.map { $0 + Limit.scrub.wholeMilliseconds }
        // Once it is due, what is waited for is an answer about terminals.
        alarms[.idle] = idleDeadline.map { max($0, nextIdleLock, now + 20) }
        alarms[.desktop] = sessionDue < .max ? sessionDue : nil
        alarms[.accepting] = clients.acceptsFrom > now ? clients.acceptsFrom : nil
        alarms[.finger] = service.fingers.interest?.milliseconds.map { now + UInt64($0) }
        let isWatched = clients.isTimed || quiet.hasMore || device.isBehindEnclave || device.appsAreStale
        alarms[.watch] = isWatched ? now + 1000 : nil
        alarms[.trash] = trashRounds.due
    }

    private func readSignals() throws {
        while let signal = signals.next() {
            switch signal {
            case .end: beginEnd()
            case .childEnded: if device.enclave.hasEnded() { try replaceEnclave() }
            case .other: break
            }
        }
    }

    func close(_ connection: Connection, _ reason: String, _ code: String) {
        clients.close(connection, reason, code)
    }

    private func answer(_ payload: RawSpan, _ connection: Connection) throws {
        defer { replies.clear() }
        let addition = KeychainRequest.addition(payload)
        if addition == nil {
            try settleAdditions()
        } else {
            try additions.begin(device, connection)
        }
        let consequence = try service.answer(payload, on: connection, into: &replies.buffer)
        if let addition, additions.keep(replies.buffer, id: addition) {
            lockReplaced()
            return follow()
        }
        if consequence == .stop { beginEnd() }
        lockReplaced()
        follow()
        if consequence != .none && isLocking {
            // The lock is reported when every holder has wiped what it held.
            lockAnswers.append((connection: connection, reply: replies.buffer.withBytes { $0.copyToArray() }))
        } else if replies.buffer.count > 0 {
            try replies.buffer.withBytes { try connection.send($0) }
        }
    }

    /// Answers who has added items, once they are on the disk.
    private func settleAdditions() throws {
        try additions.settle(device)
        lockReplaced()
    }

    /// Sends the answer to a request that had to wait.
    private func tell(_ late: KeychainService.LateAnswer) {
        defer { replies.clear() }
        do {
            try late.encode(into: &replies.buffer)
            try replies.buffer.withBytes { try late.connection.send($0) }
        } catch { close(late.connection, "could not answer", "\(error)") }
    }

    /// A touch that comes after a lock was not asked for.
    func cancelFingers() { service.fingers.cancel(.locked) }

    /// Answers who waited for a finger.
    private func answerFingers() {
        guard let answer = service.fingers.process() else { return }
        defer { replies.clear() }
        if answer.error == nil { service.ownerIsActive() }
        do {
            try answer.encode(into: &replies.buffer)
            try replies.buffer.withBytes { try answer.connection.send($0) }
        } catch { close(answer.connection, "could not tell of a finger", "\(error)") }
    }

    private func doUpkeep() throws {
        answerFingers()
        dropClosed()
        device.sessions.expire()
        let now = SystemClock.bootMilliseconds()
        clients.endLate(now)
        quiet.goOn(now)
        if (device.isBehindEnclave || device.appsAreStale) && now >= followDue {
            followDue = now + 1000
            device.followEnclave()
        }
        if device.enclave.isGone { try replaceEnclave() }
        if now >= sessionDue { hearSession() }
        lockWhenIdle()
        lockReplaced()
        follow()
        carryOut(eviction.goOn(at: now))
        endEviction()
        letSleep()
        expireTrash(now)
        try scrubInTime(now)
        // Those that this turn has closed: nothing is heard of them any more.
        dropClosed()
    }

    private func dropClosed() {
        clients.dropClosed {
            device.forget($0)
            eviction.left($0.id)
        }
    }

    private func scrubInTime(_ now: UInt64) throws {
        guard device.store.needsScrub else { return scrubSince = nil }
        guard let since = scrubSince else { return scrubSince = now }
        guard now >= since + Limit.scrub.wholeMilliseconds else { return }
        do {
            try device.store.scrub()
            scrubSince = nil
        } catch {
            log.error("deleted bytes could not be overwritten yet", metadata: ["error": "\(error)"])
            // Also where nobody asks for anything.
            scrubSince = now + Limit.scrubAgain.wholeMilliseconds
        }
    }
}
