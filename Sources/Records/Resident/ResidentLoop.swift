import EventLoop
package import Linux

/// The loop of a resident program: its signals, the daemon's notices, its clients, and what else it waits for.
///
/// A turn of it is: ``wait(atMost:others:mayAsk:)``, what came by signal or notice, ``serve(_:)``, ``admit()``.
package final class ResidentLoop<Peer: ResidentPeer> {
    private let host: ResidentHost
    private let shares: PeerShares
    private let loop: EventLoop
    private let signals: EventLoop.Source
    private let notices: EventLoop.Source
    private let listener: EventLoop.Source
    private let list: PeerList<Peer>
    private var memory = IdleMemory()

    /// Everybody who is connected, in the order in which they came.
    package var peers: [Peer] { list.all }

    /// - Parameters:
    ///   - host: whose socket clients come to.
    ///   - shares: who gets a place there.
    ///   - signals: becomes readable when a signal has come.
    ///   - notices: becomes readable when the daemon says something, or ends.
    package init(_ host: ResidentHost, _ shares: ConnectionShares, signals: Int32, notices: Int32) throws(LinuxError) {
        self.host = host
        self.shares = shares.places
        loop = try EventLoop()
        self.signals = try loop.add(signals)
        self.notices = try loop.add(notices)
        listener = try loop.add(host.listener.raw)
        list = PeerList(loop)
    }

    // MARK: Waiting

    /// Waits until somebody has something for this program.
    ///
    /// - Parameters:
    ///   - limit: nil for none.
    ///   - others: what else is waited for this time.
    ///   - mayAsk: whether anything is read of a client now; never while it has not taken its answer.
    /// - Returns: whether somebody has.
    package func wait(
        atMost limit: Duration?, others: [DescriptorInterest] = [], mayAsk: (Peer) -> Bool = { _ in true }
    ) throws(LinuxError) -> Bool {
        try loop.want(signals, reading: true)
        try loop.want(notices, reading: true)
        try loop.want(listener, reading: true)
        try loop.watch(others: others)
        try list.prepare { peer in
            (reading: !peer.pipe.wantsToWrite && mayAsk(peer), writing: peer.pipe.wantsToWrite)
        }
        // What somebody has sent ahead is here already, and the kernel says nothing of it.
        let isAhead = list.all.contains { !$0.isClosed && !$0.pipe.wantsToWrite && $0.hasWork && mayAsk($0) }
        let limit = isAhead ? min(limit ?? Self.ahead, Self.ahead) : limit
        return try memory.wait(milliseconds: limit?.pollMilliseconds) { (limit) throws(LinuxError) in
            try loop.wait(milliseconds: limit)
        }
    }

    /// How long what was sent ahead waits at most where it could not be taken in the turn before.
    private static var ahead: Duration { .milliseconds(20) }

    /// The same while editors hand in: for clients alone, and for new ones where they are let in.
    func waitForPeers(atMost time: Duration, accepts: Bool) throws(LinuxError) {
        loop.mute(signals)
        loop.mute(notices)
        try loop.watch(others: [])
        if accepts { try loop.want(listener, reading: true) } else { loop.mute(listener) }
        try list.prepare { (reading: !$0.pipe.wantsToWrite, writing: $0.pipe.wantsToWrite) }
        try loop.wait(milliseconds: time.pollMilliseconds)
    }

    /// Whether the daemon has said something, or has ended.
    package var isNoticed: Bool { loop.isReadable(notices) }
    /// Whether somebody new waits to be let in.
    package var comes: Bool { loop.isReadable(listener) }
    /// Whether something is ready of what else was waited for.
    package func isReady(other descriptor: Int32) -> Bool { loop.isReady(other: descriptor) }

    // MARK: Clients

    /// Serves whoever has something: what can be taken of its answers is, and what it has sent is read.
    ///
    /// - Parameter take: answers what has come from one of them; false ends the round.
    package func serve(_ take: (Peer, _ arrival: Arrival) -> Bool) {
        list.serve { peer, readiness in take(peer, Arrival(pipe: peer.pipe, readiness: readiness)) }
    }

    /// What is ready of one client.
    package struct Arrival {
        let pipe: MessagePipe
        let readiness: Epoll.Readiness

        /// Goes on with its answer, and reads what is there once it has taken that.
        ///
        /// - Returns: whether its requests may be looked at now.
        package func move() throws -> Bool {
            // Nobody reads the answer any more, and its end would end every wait.
            if pipe.wantsToWrite, readiness.contains(.broken), !readiness.contains(.writable) {
                pipe.isClosed = true
                return false
            }
            if readiness.contains(.writable) { try pipe.flush() }
            guard !pipe.wantsToWrite else { return false }
            if !readiness.isDisjoint(with: [.readable, .broken]) { try pipe.receive() }
            return true
        }
    }

    /// Who is let in before clients are served again: what came in with them is answered before they make room.
    private static var atOnce: Int { 8 }
    /// How long that may take.
    private static var coming: Duration { .microseconds(500) }

    /// Lets in who waits; who makes room is closed, and stays until ``removeClosed()``.
    package func admit() {
        let end = SuspendingClock.now + Self.coming
        for _ in 0..<Self.atOnce where SuspendingClock.now < end {
            guard let pipe = host.accept() else { return }
            let newest = UInt64(list.all.count)
            let comer = PeerShares.Claim(
                peer: newest, process: pipe.process, rank: .plain, lastActive: pipe.lastMoved,
                hasHungUp: pipe.socket.hasHungUp())
            let giving = shares.whoGive(claims + [comer], hungUp: hungUp)
            for place in giving where place != newest { list.all[Int(place)].pipe.isClosed = true }
            if giving.contains(newest) {
                host.log.note("refused a connection: no place is left")
            } else {
                do { try list.insert(Peer(pipe)) } catch { host.log.error("could not watch a connection", error) }
            }
        }
    }

    /// Each by its place in ``peers``.
    private var claims: [PeerShares.Claim] {
        list.all.enumerated().filter { !$0.element.isClosed }.map { place, peer in
            PeerShares.Claim(
                peer: UInt64(place), process: peer.process, rank: peer.keepsItsPlace ? .window : .plain,
                lastActive: peer.pipe.lastMoved)
        }
    }

    private func hungUp() -> Set<UInt64> {
        let gone = Set(list.hungUp().map { ObjectIdentifier($0) })
        return Set(list.all.indices.filter { gone.contains(ObjectIdentifier(list.all[$0])) }.map { UInt64($0) })
    }

    /// Whether this client may keep its place for as long as it likes.
    package func hasRoomForWindow(of peer: Peer) -> Bool {
        peer.keepsItsPlace || shares.hasRoomForWindow(of: peer.process, among: claims)
    }

    /// Forgets those that are closed.
    ///
    /// - Returns: them.
    @discardableResult
    package func removeClosed() -> [Peer] { list.removeClosed() }

    /// How long work in the background waits for clients; see ``ResidentHost/lull(_:since:)``.
    package func lull(since last: UInt64 = 0) -> (wait: Duration, turns: Int) {
        host.lull(peers.map(\.pipe), since: last)
    }

    /// After which ``closeLate(_:)`` is due; nil for not by the clock.
    package var patience: Duration? { host.patience(peers.map(\.pipe)) }

    /// Closes clients that keep this program waiting.
    ///
    /// - Parameter mayBeLate: whether one of them is to be looked at.
    package func closeLate(_ mayBeLate: (Peer) -> Bool = { _ in true }) {
        host.closeLate(peers.filter(mayBeLate).map(\.pipe))
    }
}
