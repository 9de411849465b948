import DiaryClient
import Linux
import Localization
import Protection
package import Resident
import Secrets
import Tresor
package import Wire
import Zones

/// tresor-diary: one thread, one loop over its clients and the daemon's notices.
///
/// It owns the diary's store and, while somebody is signed in, its keys. When the diary or the device locks a fresh
/// process takes the place of this one: no memory outlives that. See specs/diary-socket.md.
package final class DiaryService {
    private enum Limit {
        static let connections = ConnectionShares(most: 64, mostOfOne: 32, mostWindows: 48, mostWindowsOfOne: 16)
        /// Milliseconds after which nothing more is expected of a body.
        static let unfinished: UInt64 = 60_000
    }

    let home: Home
    /// Over which the device was asked to lock.
    var lockLink: DaemonLink?
    private let host: ResidentHost
    private let signals: SignalDescriptor
    private let notices: LockNotices
    let session: DiarySession
    var autoLock: AutoLock
    let desk: PhotoDesk
    let photos: PhotoQueue
    let files: EntryFiles
    private let clients: ResidentLoop<DiaryPeer>
    private var peers: [DiaryPeer] { clients.peers }
    /// Of the decoders that look at photos now.
    private var decoders = Poll()
    private var isStopping = false
    /// Whether editors are handing in their last words, and the keys go next.
    private(set) var isEnding = false
    /// Set by a request, done when its answer is on its way.
    var wantsToLock = false

    /// - Throws: `DiaryError` with code `unavailable` when the daemon does not run.
    package init(home: Home, clocks: ResidentClocks, host: ResidentHost) throws {
        self.home = home
        self.host = host
        signals = try SignalDescriptor()
        var state = LockState.locked
        notices = try LockNotices(home, state: &state)
        clients = try ResidentLoop(
            host, Limit.connections, signals: signals.descriptor.raw, notices: notices.descriptor)
        session = DiarySession(home: home, daemon: try DaemonLink(home), clocks: clocks, deviceState: state)
        desk = PhotoDesk(program: try CurrentProcess.executableDirectory() + "/tresor-thumb")
        photos = PhotoQueue(desk: desk, session: session)
        files = EntryFiles(desk: desk)
        autoLock = AutoLock(clocks)
    }

    /// Serves until a signal, the daemon's end or a client ends it; at a lock a fresh process goes on.
    package func run() throws {
        var turn = 0
        while !isStopping {
            let hasWork = session.journal?.isBusy ?? false
            let lull = clients.lull()
            let isReady = try waitForWork(hasWork ? lull.wait : nil)
            while let signal = signals.next() { if case .end = signal { isStopping = true } }
            if !decoders.isEmpty { try decoders.wait(milliseconds: 0) }
            desk.advance(decoders)
            takeNotices()
            // Before anybody is served: an open diary must not outlive a suspension by one request.
            if autoLock.isOverdue(session.lockMinutes) { lock() }
            let comes = clients.comes
            servePeers()
            if comes { acceptAll() }
            if wantsToLock || autoLock.isAbandoned { lock() }
            photos.takeOldOnes { [weak self] in self?.tell(.changed) }
            turn &+= 1
            if hasWork && (!isReady || turn % lull.turns == 0) { work() }
        }
        collectDrafts()
        session.close()
        try host.removeSocket()
    }

    /// - Parameter limit: nil for as long as nothing is due.
    /// - Returns: whether somebody has something for us.
    private func waitForWork(_ limit: Duration?) throws -> Bool {
        decoders.removeAll()
        desk.add(to: &decoders)
        // A suspended machine wakes no timer on its own: while the diary is open, the clocks are read every second.
        let isTimed = clients.patience != nil || peers.contains { $0.request != nil }
        let second = Duration.seconds(1)
        let decoding = desk.patience.map { Duration.milliseconds($0) } ?? second
        let longest = session.journal == nil ? (isTimed ? second : nil) : min(second, decoding)
        return try clients.wait(atMost: limit ?? longest, others: decoders.interests) { peer in
            // Who waits for a decoder may ask for one more thing meanwhile, and not fill the memory.
            !peer.isAnswering || (try? peer.pipe.hasFrame) == false
        }
    }

    /// Has photos of an entry looked at that nobody has looked at yet.
    func lookAtPhotos(of entry: Identifier) { photos.take(of: entry) { [weak self] in self?.tell(.changed) } }

    private func work() {
        do { try session.journal?.work() } catch {
            Log.error("background work failed", error)
            session.journal?.abandonWork()
        }
    }

    // MARK: Locking

    private func takeNotices() {
        let isThere = notices.takeAll(isReadable: clients.isNoticed) { notice in
            switch notice {
            case .evict: lock()
            case .state(let state): session.take(state)
            }
        }
        if !isThere { stopWithDaemon() }
    }

    private func stopWithDaemon() {
        Log.note("the daemon has ended")
        isStopping = true
    }

    /// Seconds until the diary locks by itself; nil where it is shut, or never does.
    var locksIn: Int? { autoLock.locksIn(session.lockMinutes) }

    /// Everything that was opened goes with this process; a fresh one takes its place.
    ///
    /// The daemon waits for the end of our connection, which goes with the process.
    private func lock() {
        collectDrafts()
        for peer in peers where peer.hearsEvents && !peer.pipe.isClosed {
            try? peer.pipe.send(event: DiaryEvent.locked)
        }
        for peer in peers { try? peer.pipe.flush() }
        desk.forgetAll()
        session.close()
        host.startAnew()
    }

    /// Windows cover what they show, and hand in what was typed; then the keys may go.
    private func collectDrafts() {
        guard session.journal != nil, !isEnding else { return }
        isEnding = true
        defer { isEnding = false }
        for peer in peers { peer.answerEarly?() }
        HandIn.collect(from: clients, accepts: true) {
            try $0.pipe.send(event: DiaryEvent.handInDrafts)
        } serve: {
            let comes = clients.comes
            servePeers()
            if comes { acceptAll() }
        }
    }

    // MARK: Clients

    private func acceptAll() {
        clients.admit()
        if !isEnding { removeGone() }
    }

    /// Whether requests are taken: also while a lock waits for last words.
    private var serves: Bool { isEnding || !isStopping && !wantsToLock }

    /// Lets a client listen for as long as it likes.
    func admitWindow(_ peer: DiaryPeer) throws {
        guard clients.hasRoomForWindow(of: peer) else {
            throw DiaryError(.unavailable, marked("too many windows are open; close one"))
        }
    }

    /// Bytes of texts that are coming.
    var incomingBytes: Int { peers.reduce(0) { $0 + ($1.request?.body.count ?? 0) } }

    private func servePeers() {
        clients.serve { peer, arrival in
            guard serves else { return false }
            do {
                guard try arrival.move() else { return true }
                // Also what came ahead of an answer that has been taken by now.
                while try !peer.pipe.isClosed && !peer.pipe.wantsToWrite && !peer.isAnswering && serves
                    && peer.pipe.hasFrame
                {
                    try take(peer.pipe.takeFrame(), from: peer)
                }
            } catch {
                Log.error("closed a connection", error)
                peer.pipe.isClosed = true
            }
            return true
        }
        guard !isEnding else { return }
        clients.closeLate { !$0.isAnswering }
        let now = SystemClock.bootMilliseconds()
        for peer in peers where peer.request != nil && now > peer.pipe.lastMoved + Limit.unfinished {
            Log.note("closed a connection: a body did not come to its end")
            peer.pipe.isClosed = true
        }
        removeGone()
    }

    private func removeGone() {
        let hasLostWindow = peers.contains { $0.isWindow && $0.pipe.isClosed }
        clients.removeClosed()
        if hasLostWindow { autoLock.loseWindow() }
        if session.journal == nil || peers.contains(where: \.isWindow) { autoLock.forgetLostWindow() }
    }

    func tell(_ event: DiaryEvent, except origin: DiaryPeer? = nil) {
        for peer in peers where peer.hearsEvents && !peer.pipe.isClosed && peer !== origin {
            do { try peer.pipe.send(event: event) } catch { peer.pipe.isClosed = true }
        }
    }

    func stop() { isStopping = true }
}
