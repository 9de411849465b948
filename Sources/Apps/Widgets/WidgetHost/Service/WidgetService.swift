import Linux
import Localization
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
    private static let connections = ConnectionShares(
        most: 128, mostOfOne: 64, mostWindows: 112, mostWindowsOfOne: 48)

    private let home: Home
    private let host: ResidentHost
    private let signals: SignalDescriptor
    private let notices: LockNotices
    let clock: WidgetClock
    let conditions: WidgetConditions
    let settings: ChosenSettings
    let pages: PageTable
    let programs: ProgramCatalog
    let timelines: Timelines
    let frames: FrameMaker
    let delivery: FrameDelivery
    private let sources: WidgetSources
    private let providers: Providers
    private let clients: ResidentLoop<WidgetPeer>
    var peers: [WidgetPeer] { clients.peers }
    private var isStopping = false

    /// - Throws: `WidgetError` with code `unavailable` when the daemon does not run.
    package init(home: Home, clocks: ResidentClocks, host: ResidentHost) throws {
        self.home = home
        self.host = host
        clock = WidgetClock(clocks)
        signals = try SignalDescriptor()
        var state = LockState.locked
        notices = try LockNotices(home, state: &state)
        clients = try ResidentLoop(
            host, Self.connections, signals: signals.descriptor.raw, notices: notices.descriptor)
        let daemon = try DaemonLink(home)
        conditions = try WidgetConditions(daemon: daemon, deviceState: state)
        programs = ProgramCatalog(home: home, clock: clock)
        // First: by what was chosen a widget has its class, and a timeline of another class goes.
        settings = ChosenSettings(daemon: daemon)
        pages = PageTable(daemon: daemon)
        timelines = Timelines(home: home, daemon: daemon, catalog: programs.current, settings: settings.chosen)
        sources = WidgetSources(home: home)
        frames = FrameMaker(timelines: timelines, conditions: conditions, settings: settings, clock: clock)
        providers = Providers(timelines: timelines, conditions: conditions, sources: sources, clock: clock)
        delivery = FrameDelivery(frames: frames, providers: providers)
        // Whether the diary is open nobody has said yet.
        timelines.dropAll { $0.source == .diary }
        takeState(state)
        if programs.current == nil { describePrograms() }
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
            conditions.beginTurn()
            while let signal = signals.next() {
                switch signal {
                case .end: isStopping = true
                case .childEnded: takeWorkers()
                case .other: break
                }
            }
            takeNotices()
            takeNews()
            let comes = clients.comes
            servePeers()
            if comes { acceptAll() }
            advance()
            delivery.publish(to: peers)
            clients.removeClosed()
        }
        providers.stop { _ in true }
        programs.stop()
        try host.removeSocket()
    }

    private func waitForWork() throws {
        let others = [sources.descriptors.notes, sources.descriptors.diary].filter { $0 >= 0 }
        let limit = [patience.map { Duration.milliseconds($0) }, clients.patience].compactMap { $0 }.min()
        _ = try clients.wait(atMost: limit, others: others.map { DescriptorInterest($0) }) { peer in
            // What a client asks may be about a widget that is being described.
            // One that waits for its answer has nothing to say, and must not fill the memory.
            !programs.isAsking && !peer.isWaiting
        }
    }

    // MARK: The clock

    /// Kinds that are shown somewhere.
    private var active: Set<String> {
        var kinds: Set<String> = []
        for peer in peers where !peer.pipe.isClosed {
            for order in peer.watched { kinds.insert(order.kind) }
            if let order = peer.waitingRender?.order { kinds.insert(order.kind) }
        }
        return kinds
    }

    /// Milliseconds until something is to be done by the clock; nil for never.
    private var patience: Int? {
        // What came ahead of an answer is no longer to be read, and wakes nobody.
        let hasBacklog = peers.contains { peer in
            !peer.isWaiting && !peer.pipe.wantsToWrite && (try? peer.pipe.hasFrame) == true
        }
        if hasBacklog && !programs.isAsking { return 0 }
        let now = clock.uptime
        let kinds = active
        var next = SoonestTime()
        next.consider(providers.nextTime(kinds))
        next.consider(delivery.nextTime(kinds, peers))
        next.consider(programs.deadline)
        return next.time.map { Int(max(0, min(($0 - now) / 1000 + 1, 3_600_000))) }
    }

    /// Does what is due.
    private func advance() {
        let kinds = active
        let isDiaryThere = sources.connect(
            kinds.compactMap { timelines.slots[$0]?.widget.source }, now: clock.boot)
        if !isDiaryThere { setDiary(isOpen: false) }
        if programs.endLate() { answerDeferred() }
        providers.advance(kinds)
        delivery.advance(kinds)
    }

    /// Takes what workers that have ended had to say.
    private func takeWorkers() {
        if programs.takeAnswer() {
            takeGallery()
            answerDeferred()
        }
        if providers.takeEnded() && !programs.isCurrent { describePrograms() }
    }

    /// Has the programs of others asked what they have; clients wait for the answer.
    func describePrograms() {
        if !programs.ask() { answerDeferred() }
    }

    /// Takes what widgets there are by now, each with the class that it has by now.
    func takeGallery() {
        let gallery = Gallery(home: home, catalog: programs.current, settings: settings.chosen)
        timelines.take(gallery, isWhole: programs.current?.isWhole == true)
        timelines.markStale()
    }

    // MARK: The device

    private func takeNotices() {
        let isThere = notices.takeAll(isReadable: clients.isNoticed) { notice in
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
        conditions.take(state)
        timelines.markStale()
        timelines.setDevice(LockStateWidget(state), at: clock.now)
        // A keychain may have been shut: what it had is made anew of those that are open.
        providers.stop(\.isMomentary)
        timelines.dropAll(\.isMomentary)
        settings.reread()
        takeGallery()
        pages.reread()
    }

    /// The device locks: clients get what may be seen then, and a fresh process takes the place of this one.
    ///
    /// Workers end, but for those whose class lets them finish (CompleteUnlessOpen): what they have, they seal to
    /// a key that only an unlocked device opens.
    private func evict() {
        conditions.lock()
        timelines.setDevice(LockStateWidget(.locked), at: clock.now)
        timelines.markStale()
        delivery.publish(to: peers)
        for peer in peers { try? peer.pipe.flush() }
        // After what is seen: one that does not end takes its time.
        providers.stopForLock()
        programs.stop()
        removeOrphans(evenHeld: true)
        providers.passOn()
        host.startAnew()
    }

    private func takeNews() {
        let descriptors = sources.descriptors
        let isReadable = (
            notes: clients.isReady(other: descriptors.notes), diary: clients.isReady(other: descriptors.diary)
        )
        for news in sources.takeNews(isReadable: isReadable) {
            switch news {
            case .changed(let source): timelines.markDirty { $0 == source }
            case .diary(let isOpen): setDiary(isOpen: isOpen)
            }
        }
    }

    /// What came from behind the diary's door goes when that is shut, whatever the device's state.
    private func setDiary(isOpen: Bool) {
        guard conditions.setDiary(isOpen: isOpen) else { return }
        timelines.markStale()
        guard !isOpen else { return timelines.markDirty { $0 == .diary } }
        providers.stop { $0.source == .diary }
        timelines.dropAll { $0.source == .diary }
    }

    // MARK: Clients

    private func acceptAll() {
        clients.admit()
        clients.removeClosed()
    }

    /// Lets a client be told of what it shows for as long as it likes.
    func admitWindow(_ peer: WidgetPeer) throws {
        guard clients.hasRoomForWindow(of: peer) else {
            throw WidgetError(.unavailable, marked("too many widgets are shown; close one"))
        }
    }

    private func servePeers() {
        clients.serve { peer, arrival in
            guard !isStopping else { return false }
            do {
                guard try arrival.move() else { return true }
                while try !programs.isAsking && !peer.pipe.isClosed && !peer.pipe.wantsToWrite && !peer.isWaiting
                    && peer.pipe.hasFrame
                {
                    try take(peer.pipe.takeFrame(), from: peer)
                }
            } catch {
                Log.error("closed a connection", error)
                peer.pipe.isClosed = true
            }
            // A lock is not to wait for a hundred clients; those who are left are served in the next turn.
            return !isNoticeWaiting
        }
        clients.closeLate()
        clients.removeClosed()
    }

    private var isNoticeWaiting: Bool {
        if notices.hasWaiting { return true }
        return (try? Poll.wait(untilReadable: notices.descriptor, milliseconds: 0)) == .ready
    }

    func stop() { isStopping = true }
}
