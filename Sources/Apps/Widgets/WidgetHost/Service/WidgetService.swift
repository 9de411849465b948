import DiaryClient
import Linux
import NotesClient
import Protection
package import Resident
import ResidentClient
import Secrets
import Tresor
import WidgetClient
import Widgets
package import Wire

/// tresor-widgets: one thread, one loop over its clients, its workers and the daemon's notices; it never waits for any.
///
/// It keeps timelines sealed and hands out frames. When the device locks, every client gets its locked frame, and a
/// fresh process takes the place of this one. See specs/widgets-socket.md.
package final class WidgetService {
    enum Limit {
        static let connections = ConnectionShares(most: 128, mostOfOne: 64, mostWindows: 112, mostWindowsOfOne: 48)
        /// Orders that one client may watch.
        static let watched = 200
        /// Pages that may be asked for by a token.
        static let pages = 64
        /// Microseconds that a provider may take; a program of somebody else's has ten seconds of them.
        static let provider: Int64 = 30_000_000
        /// Microseconds that all programs of others may take to say what they have.
        static let description: Int64 = 15_000_000
        /// Microseconds until programs that had no time to say what they have may be asked again.
        static let describesAgain: Int64 = 60_000_000
        /// Microseconds that a client waits for a provider that has never answered.
        static let firstFrame: Int64 = 12_000_000
        /// Microseconds that a client waits for what has changed, where there is something older.
        static let freshFrame: Int64 = 3_000_000
        /// Microseconds for which the keychain is not looked at again for one who asks for a single frame.
        static let keychainAge: Int64 = 2_000_000
    }

    let home: Home
    let clocks: ResidentClocks
    let daemon: DaemonLink
    let timelines: Timelines
    private let host: ResidentHost
    private let signals: SignalDescriptor
    private let notices: LockNotices
    let notes: SourceWatch<NotesMessages>
    let diary: SourceWatch<DiaryMessages>
    private(set) var deviceState: LockState
    var hasPasscode: Bool
    /// In which turn of the loop it was asked whether there is one, and which this is.
    var (passcodeTurn, turn): (UInt64, UInt64) = (0, 1)
    /// The owner's; nil where they cannot be read yet, and the strictest hold.
    var chosenSettings: WidgetSettings?
    var settings: WidgetSettings { chosenSettings ?? WidgetSettings() }
    /// Widgets that may be asked for by a token; nil where they cannot be read yet.
    var pages: [Page]?
    /// Whether somebody is signed in to the diary; nil where nobody has said yet.
    var isDiaryOpen: Bool?
    /// Workers that the process before this one has left, and when they are ended, by ``uptime``.
    var survivors: [(child: AdoptedProcess, until: Int64)] = []
    /// What the programs of others have said that they have.
    var catalog: Catalog?
    /// When they were asked last, by ``uptime``.
    var lastDescription: Int64 = 0
    /// Asks the programs of others what they have, where they are others than the last time.
    var describer: (child: ChildProcess, since: Int64)?
    var peers: [WidgetPeer] = []
    private var poll = Poll()
    private var memory = IdleMemory()
    private var isStopping = false
    /// Whether a frame may have changed since the clients heard last.
    var isStale = true
    /// When an entry's time came last, by ``uptime``.
    var lastChange: Int64 = 0
    /// When the next entry of a shown widget is due, in microseconds since 1970.
    var shownUntil: [String: Int64] = [:]

    /// - Throws: `WidgetError` with code `unavailable` when the daemon does not run.
    package init(home: Home, clocks: ResidentClocks, host: ResidentHost) throws {
        self.home = home
        self.clocks = clocks
        self.host = host
        signals = try SignalDescriptor()
        var state = LockState.locked
        notices = try LockNotices(home, state: &state)
        deviceState = state
        daemon = try DaemonLink(home)
        hasPasscode = try daemon.hasPasscode()
        catalog = Catalog(home: home)
        // First: by what was chosen a widget has its class, and a timeline of another class goes.
        chosenSettings = (try? SettingsItem(daemon: daemon).read()) ?? nil
        timelines = Timelines(home: home, daemon: daemon, catalog: catalog, settings: chosenSettings)
        notes = SourceWatch(.notes(home), .follow)
        diary = SourceWatch(.diary(home), .follow)
        // Whether the diary is open nobody has said yet.
        for widget in timelines.widgets where widget.source == .diary { timelines.drop(widget.kind) }
        takeState(state)
        adoptWorkers()
        if catalog == nil { describe() }
        removeOrphans()
    }

    /// Pictures that a stream drew and left, because it was killed.
    private func removeOrphans(evenHeld: Bool = false) {
        do { try ShownImages(home).removeOrphans(evenHeld: evenHeld) } catch {
            Log.error("pictures were not removed", error)
        }
    }

    /// Serves until a signal, the daemon's end or a client ends it; at a lock a fresh process goes on.
    package func run() throws {
        while !isStopping {
            try waitForWork()
            turn += 1
            while let signal = signals.next() {
                switch signal {
                case .end: isStopping = true
                case .childEnded: takeWorkers()
                case .other: break
                }
            }
            takeNotices()
            takeNews()
            let comes = poll.isReadable(2)
            servePeers()
            if comes { acceptAll() }
            advance()
            publish()
        }
        stopWorkers { _ in true }
        stopDescriber()
        try host.removeSocket()
    }

    /// Whether the programs of others are those that were asked.
    var isCatalogCurrent: Bool { catalog?.isCurrent(home) ?? false }

    var now: Moment { Moment(microseconds: clocks.wall) }

    private func waitForWork() throws {
        poll.removeAll()
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        poll.add(notices.descriptor, reading: true, writing: false)
        poll.add(host.listener.raw, reading: true, writing: false)
        poll.add(notes.descriptor, reading: true, writing: false)
        poll.add(diary.descriptor, reading: true, writing: false)
        for peer in peers {
            // What a client asks may be about a widget that is being described.
            // One that waits for its answer has nothing to say, and must not fill the memory.
            let mayAsk = !peer.pipe.wantsToWrite && describer == nil && !peer.isWaiting
            poll.add(peer.pipe.socket.raw, reading: mayAsk, writing: peer.pipe.wantsToWrite)
        }
        let late = host.patience(peers.map(\.pipe))
        try memory.wait(for: &poll, milliseconds: [patience, late].compactMap { $0 }.min())
    }

    // MARK: The device

    private func takeNotices() {
        let isThere = notices.takeAll(isReadable: poll.isReadable(1)) { notice in
            switch notice {
            case .evict: evict()
            case .state(let state): takeState(state)
            }
        }
        if !isThere { stopWithDaemon() }
    }

    /// Clients show what they have for that.
    private func stopWithDaemon() {
        Log.note("the daemon has ended")
        isStopping = true
    }

    private func takeState(_ state: LockState) {
        deviceState = state
        isStale = true
        timelines.setDevice(LockStateWidget(state), at: now)
        // A keychain may have been shut: what it had is made anew of those that are open.
        stopWorkers(\.isMomentary)
        for widget in timelines.widgets where widget.isMomentary { timelines.drop(widget.kind) }
        do { chosenSettings = try SettingsItem(daemon: daemon).read() } catch {
            Log.error("the settings do not open", error)
        }
        takeGallery()
        do { pages = try PagesItem(daemon: daemon).read() } catch { Log.error("the pages do not open", error) }
    }

    /// The device locks: clients get what may be seen then, and a fresh process takes the place of this one.
    ///
    /// Workers end, but for those whose class lets them finish (CompleteUnlessOpen): what they have, they seal to
    /// a key that only an unlocked device opens.
    private func evict() {
        deviceState = .locked
        hasPasscode = true
        timelines.setDevice(LockStateWidget(.locked), at: now)
        isStale = true
        publish()
        for peer in peers { try? peer.pipe.flush() }
        // After what is seen: one that does not end takes its time.
        stopWorkers { !Self.survivesLocks($0) }
        stopDescriber()
        removeOrphans(evenHeld: true)
        passOnWorkers()
        host.startAnew()
    }

    private func takeNews() {
        if poll.isReadable(3) && notes.isConnected { takeNotesNews() }
        if poll.isReadable(4) && diary.isConnected { takeDiaryNews() }
    }

    private func takeNotesNews() {
        for news in notes.takeNews() {
            switch news {
            // What was changed before it listened it was not told.
            case .reply, .event: markDirty { $0 == .notes }
            case .ended: break
            }
        }
    }

    private func takeDiaryNews() {
        for news in diary.takeNews() {
            switch news {
            case .reply(.status(let status)): setDiary(isOpen: status.isSignedIn)
            case .event(.signedIn): setDiary(isOpen: true)
            case .event(.changed): markDirty { $0 == .diary }
            case .event(.locked), .ended: setDiary(isOpen: false)
            case .reply, .event(.handInDrafts): break
            }
        }
    }

    /// What came from behind the diary's door goes when that is shut, whatever the device's state.
    func setDiary(isOpen: Bool) {
        guard isOpen != isDiaryOpen else { return }
        isDiaryOpen = isOpen
        isStale = true
        guard !isOpen else { return markDirty { $0 == .diary } }
        stopWorkers { $0.source == .diary }
        for widget in timelines.widgets where widget.source == .diary { timelines.drop(widget.kind) }
    }

    // MARK: Clients

    private func acceptAll() {
        host.admit(Limit.connections, guests: { guests }) {
            peers.remove(at: $0)
        } enter: {
            peers.append(WidgetPeer($0))
        }
    }

    private var guests: [ConnectionShares.Guest] {
        peers.map {
            ConnectionShares.Guest(
                process: $0.pipe.process, lastMoved: $0.pipe.lastMoved, isWindow: !$0.watched.isEmpty)
        }
    }

    /// Lets a client be told of what it shows for as long as it likes.
    func admitWindow(_ peer: WidgetPeer) throws {
        guard !peer.watched.isEmpty || Limit.connections.hasRoomForWindow(of: peer.pipe.process, among: guests) else {
            throw WidgetError(.unavailable, "too many widgets are shown; close one")
        }
    }

    private func servePeers() {
        for (index, peer) in peers.enumerated() where !isStopping && !peer.pipe.isClosed {
            do {
                if poll.isWritable(5 + index) { try peer.pipe.flush() }
                guard !peer.pipe.wantsToWrite else { continue }
                if poll.isReadable(5 + index) { try peer.pipe.receive() }
                while try describer == nil && !peer.pipe.isClosed && !peer.pipe.wantsToWrite && !peer.isWaiting
                    && peer.pipe.hasFrame
                {
                    try take(peer.pipe.takeFrame(), from: peer)
                }
            } catch {
                Log.error("closed a connection", error)
                peer.pipe.isClosed = true
            }
            // A lock is not to wait for a hundred clients; those who are left are served in the next turn.
            if isNoticeWaiting { break }
        }
        host.closeLate(peers.map(\.pipe))
        peers.removeAll { $0.pipe.isClosed }
    }

    private var isNoticeWaiting: Bool {
        if notices.hasWaiting { return true }
        var poll = Poll()
        poll.add(notices.descriptor, reading: true, writing: false)
        return (try? poll.wait(milliseconds: 0)) != nil && poll.isReadable(0)
    }

    func stop() { isStopping = true }
}
