package import Linux

/// A client of a program, as its loop sees it.
package protocol LoopPeer: AnyObject {
    /// Its socket, which stays open as long as it is there.
    var descriptor: Int32 { get }
    /// Whose it is.
    var process: ProcessName { get }
    /// Whether that is a program of ours, which is served before others.
    var isOurs: Bool { get }
    /// Whether it is to go.
    var isClosed: Bool { get }
    /// Whether it can be served without waiting for its socket.
    var hasWork: Bool { get }
}

/// Who is connected to a program, and whose turn it is.
package final class PeerList<Peer: LoopPeer> {
    private let loop: EventLoop
    private var sources: [ObjectIdentifier: EventLoop.Source] = [:]
    private var turns = Turns()
    /// In the order in which they came.
    package private(set) var all: [Peer] = []

    /// - Parameter loop: that watches their sockets.
    package init(_ loop: EventLoop) { self.loop = loop }

    /// Takes one in.
    package func insert(_ peer: Peer) throws(LinuxError) {
        sources[ObjectIdentifier(peer)] = try loop.add(peer.descriptor)
        all.append(peer)
    }

    /// Forgets those that are closed.
    ///
    /// - Returns: them.
    @discardableResult
    package func removeClosed() -> [Peer] {
        let gone = all.filter(\.isClosed)
        guard !gone.isEmpty else { return [] }
        all.removeAll(where: \.isClosed)
        for peer in gone {
            if let source = sources.removeValue(forKey: ObjectIdentifier(peer)) { loop.remove(source) }
        }
        return gone
    }

    /// Says before a wait what is waited for of each.
    package func prepare(_ wanted: (Peer) -> (reading: Bool, writing: Bool)) throws(LinuxError) {
        for peer in all {
            guard let source = sources[ObjectIdentifier(peer)] else { continue }
            if peer.isClosed {
                loop.mute(source)
            } else {
                let (reading, writing) = wanted(peer)
                try loop.want(source, reading: reading, writing: writing)
            }
        }
    }

    /// Serves whoever is ready, in the order of ``Turns``.
    ///
    /// - Parameters:
    ///   - limit: after which nobody's turn begins any more, until the next wait; nil for none.
    ///   - takeTurn: is given one of them, and what is ready of it; false ends the round.
    package func serve(within limit: Duration? = nil, _ takeTurn: (Peer, Epoll.Readiness) -> Bool) {
        let waiting = all.compactMap { peer -> (peer: Peer, readiness: Epoll.Readiness)? in
            let readiness = sources[ObjectIdentifier(peer)].map { loop.readiness(of: $0) } ?? []
            return !peer.isClosed && (peer.hasWork || !readiness.isEmpty) ? (peer: peer, readiness: readiness) : nil
        }
        let end = limit.map { SuspendingClock.now + $0 }
        var last = SystemClock.monotonicNanoseconds()
        for place in turns.order(waiting.map { (process: $0.peer.process, isOurs: $0.peer.isOurs) }) {
            if let end, SuspendingClock.now >= end { return }
            let (peer, readiness) = waiting[place]
            // By one that was served before it.
            if peer.isClosed { continue }
            let goesOn = takeTurn(peer, readiness)
            let now = SystemClock.monotonicNanoseconds()
            turns.count(now - last, for: peer.process, at: now / 1_000_000)
            last = now
            if !goesOn { return }
        }
    }

    /// Whether another one than this can be served now.
    ///
    /// - Throws: `LinuxError` where it could not be found out.
    package func othersWait(for peer: Peer) throws(LinuxError) -> Bool {
        let glance = try loop.peek()
        return all.contains { other in
            guard other !== peer, !other.isClosed, let source = sources[ObjectIdentifier(other)] else { return false }
            return other.hasWork || !glance.readiness(of: source).isEmpty
        }
    }

    /// Those whose other end is gone, though nobody may have been served since: looked up now.
    package func hungUp() -> [Peer] {
        guard let glance = try? loop.peek() else { return [] }
        return all.filter { peer in
            sources[ObjectIdentifier(peer)].map { glance.readiness(of: $0).contains(.broken) } ?? false
        }
    }
}
