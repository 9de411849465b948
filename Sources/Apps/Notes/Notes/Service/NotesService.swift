import Linux
import Localization
import NotesClient
import Protection
package import Resident
import Secrets
import Tresor
package import Wire
import Zones

/// tresor-notes: one thread, one loop over its clients and the daemon's notices.
///
/// It owns the store, the index, open drafts and what is read of notes. When the device locks it seals what editors
/// hold and gives its place to a fresh process: no memory outlives that. See specs/notes-socket.md.
package final class NotesService {
    private enum Limit {
        static let connections = ConnectionShares(most: 64, mostOfOne: 32, mostWindows: 48, mostWindowsOfOne: 16)
        /// Milliseconds after which nothing more is expected of a body.
        static let unfinished: UInt64 = 60_000
    }

    private let clocks: ResidentClocks
    private let host: ResidentHost
    private let signals: SignalDescriptor
    private let notices: LockNotices
    let access: NotebookAccess
    let imports = ImportBatch()
    private let clients: ResidentLoop<NotesPeer>
    var peers: [NotesPeer] { clients.peers }
    private var isStopping = false
    private var isDaemonGone = false
    private var suspension: SuspensionWatch
    private(set) var isEnding = false

    /// - Throws: `NotesError` with code `unavailable` when the daemon does not run.
    package init(home: Home, clocks: ResidentClocks, host: ResidentHost) throws {
        self.clocks = clocks
        self.host = host
        signals = try SignalDescriptor()
        var state = LockState.locked
        notices = try LockNotices(home, state: &state)
        clients = try ResidentLoop(
            host, Limit.connections, signals: signals.descriptor.raw, notices: notices.descriptor)
        suspension = SuspensionWatch(clocks)
        access = try NotebookAccess(home: home, clocks: clocks, deviceState: state)
    }

    /// Nil where nobody could open it yet.
    var notebook: Notebook? { access.notebook }

    /// Serves until a signal, the daemon's end or a client ends it; at a lock a fresh process goes on.
    package func run() throws {
        var turn = 0
        while !isStopping {
            let hasWork = notebook?.isBusy ?? false
            let lull = clients.lull(since: imports.lastImport)
            let isReady = try clients.wait(atMost: hasWork ? lull.wait : timeout)
            while let signal = signals.next() { if case .end = signal { isStopping = true } }
            takeNotices()
            // Before anybody is served: a session must not outlive a suspension by one request.
            passTime()
            // Those who come now have said nothing yet.
            let comes = clients.comes
            servePeers()
            if comes { acceptAll() }
            turn &+= 1
            if hasWork && (!isReady || turn % lull.turns == 0) { work() }
        }
        endSessions(.deviceLocked, isDeviceLocking: isDaemonGone)
        if isDaemonGone { tellOfLock() }
        try host.removeSocket()
    }

    /// A suspended machine wakes no timer on its own: while a session is open, the clocks are read every second.
    private var timeout: Duration? {
        let late = clients.patience ?? (peers.contains { $0.request != nil } ? .seconds(1) : nil)
        guard let remaining = notebook?.sessionRemaining else { return late }
        return .milliseconds(min(remaining, 1000))
    }

    private func work() {
        do { _ = try notebook?.work() } catch {
            Log.error("background work failed", error)
            notebook?.abandonWork()
        }
    }

    // MARK: The device

    private func takeNotices() {
        let isThere = notices.takeAll(isReadable: clients.isNoticed) { notice in
            switch notice {
            case .evict: evict()
            case .state(let state):
                access.take(state)
                if state == .unlocked { tell(.deviceUnlocked) }
            }
        }
        if !isThere { stopWithDaemon() }
    }

    /// A device without its daemon is before first unlock, and screens have to hear of that as of any lock.
    private func stopWithDaemon() {
        Log.note("the daemon has ended")
        (isStopping, isDaemonGone) = (true, true)
    }

    /// The device locks: what editors hold is sealed, and a fresh process takes the place of this one.
    ///
    /// The daemon waits for the end of our connection, which goes with the process.
    private func evict() {
        endSessions(.deviceLocked, isDeviceLocking: true)
        tellOfLock()
        access.close()
        host.startAnew()
    }

    private func tellOfLock() {
        tell(.deviceLocked)
        for peer in peers { try? peer.pipe.flush() }
    }

    // MARK: Sessions

    private func passTime() {
        let wasSuspended = suspension.takeSuspension()
        guard let notebook, notebook.hasOpenSession else { return }
        if wasSuspended {
            endSessions(.suspended)
        } else if notebook.sessionRemaining == 0 {
            endSessions(.time(SecureSession.Instant(clocks)))
        }
    }

    /// Ends sessions with this event: editors hand in what they hold first, and nothing of a locked note stays behind.
    ///
    /// - Parameter isDeviceLocking: whether everything has to go from the screens as well, and not locked notes alone.
    func endSessions(_ event: SecureSession.Event, isDeviceLocking: Bool = false) {
        guard let notebook, !isEnding else { return }
        isEnding = true
        collectDrafts(isDeviceLocking: isDeviceLocking)
        let hasEnded = notebook.handle(event)
        if hasEnded || event == .deviceLocked { wipeSession(notebook) }
        isEnding = false
        // Behind a lock of the device the connections end.
        if event != .deviceLocked { answerPostponed() }
    }

    /// What a session had opened leaves memory.
    private func wipeSession(_ notebook: Notebook) {
        notebook.keys.forgetEditKeys()
        for peer in peers { peer.dropSecrets(isSessionOpen: notebook.hasOpenSession) }
        Stack.wipe()
        tell(.sessionChanged(notebook.session))
    }

    /// The daemon has forgotten a session, and the notebook has found out.
    func endLostSession() {
        guard let notebook, notebook.keys.takeLoss() else { return }
        wipeSession(notebook)
    }

    /// Keys of locked notes are held as long as a client shows the note or writes in it.
    func holdWantedKeys() {
        guard !isEnding else { return }
        notebook?.keys.holdKeys(only: Set(peers.flatMap { $0.drafts.union($0.viewed.map { [$0] } ?? []) }))
    }

    private func collectDrafts(isDeviceLocking: Bool) {
        // Nobody new: a session must not outlive its end by one request.
        HandIn.collect(from: clients, accepts: false) { peer in
            if isDeviceLocking { try peer.send(.deviceLocking) }
            try peer.send(.handInDrafts)
        } serve: {
            servePeers()
        }
    }

    /// A person is at work, as a client says.
    ///
    /// It counts for one that had the passphrase, and within bounds for one that has to do with a locked note: whoever
    /// wants a session to last for ever has to have opened it.
    ///
    /// - Parameter isAboutLockedNote: whether the request is.
    func touch(by peer: NotesPeer, isAboutLockedNote: Bool) {
        guard !isEnding else { return }
        passTime()
        guard peer.hasProven || isAboutLockedNote || isAtLockedNote(peer) else { return }
        _ = notebook?.handle(.touched(at: SecureSession.Instant(clocks), isProven: peer.hasProven))
    }

    private func isAtLockedNote(_ peer: NotesPeer) -> Bool {
        guard let notebook else { return false }
        return peer.drafts.union(peer.viewed.map { [$0] } ?? []).contains {
            (try? notebook.summary(of: $0).isLocked) ?? false
        }
    }

    // MARK: Clients

    private func acceptAll() {
        clients.admit()
        removeGone()
    }

    /// Lets a client listen, or keep an edit open, for as long as it likes.
    func admitWindow(_ peer: NotesPeer) throws {
        guard clients.hasRoomForWindow(of: peer) else {
            throw NotesError(.unavailable, marked("too many windows and editors are open; close one"))
        }
    }

    private func servePeers() {
        clients.serve { peer, arrival in
            // What editors hand in is taken while a session ends, also on the way out.
            guard isEnding || !isStopping else { return false }
            do {
                guard try arrival.move() else { return true }
                try takeFrames(from: peer)
                // The more notes go to the disk together, the less each of them costs.
                while imports.waitsForMore, isReadOn(peer), try peer.pipe.receive() {
                    try takeFrames(from: peer)
                }
                try endImports()
            } catch {
                Log.error("closed a connection", error)
                peer.isClosed = true
                try? endImports()
            }
            return true
        }
        clients.closeLate()
        closeUnfinished()
        removeGone()
    }

    private func isReadOn(_ peer: NotesPeer) -> Bool {
        !peer.isClosed && !peer.pipe.wantsToWrite && peer.postponed == nil
    }

    /// Also those that came ahead of an answer that has been taken by now.
    private func takeFrames(from peer: NotesPeer) throws {
        while try isReadOn(peer) && peer.pipe.hasFrame { try take(peer.pipe.takeFrame(), from: peer) }
    }

    private func removeGone() {
        guard !isEnding else { return }
        for peer in clients.removeClosed() { leave(peer) }
    }

    /// A text that was begun and of which nothing comes any more is given up.
    private func closeUnfinished() {
        let now = SystemClock.bootMilliseconds()
        for peer in peers where peer.request != nil && now > peer.pipe.lastMoved + Limit.unfinished {
            Log.note("closed a connection: a body did not come to its end")
            peer.isClosed = true
        }
    }

    /// A client is gone: an edit that it had not saved becomes the note's text.
    private func leave(_ peer: NotesPeer) {
        guard let notebook else { return }
        defer { holdWantedKeys() }
        for note in peer.drafts {
            do { try notebook.edits.recoverDraft(of: note) } catch {
                Log.error("a draft could not be taken up yet", error)
            }
        }
    }

    func tell(_ event: NotesEvent, except origin: NotesPeer? = nil) {
        for peer in peers where peer.hears(event) && !peer.isClosed && peer !== origin {
            do { try peer.send(event) } catch { peer.isClosed = true }
        }
    }

    func stop() { isStopping = true }
}
