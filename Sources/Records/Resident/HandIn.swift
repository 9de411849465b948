import Linux

/// A client of a resident program as far as a hand-in goes.
package protocol HandingIn: ResidentPeer {
    /// Whether it may have an editor: it is told of events, and hands in what it holds.
    var mayHoldWords: Bool { get }
    /// Whether it has said since it was asked that it holds nothing more.
    var hasHandedIn: Bool { get set }
}

/// The moment before keys go, in which editors hand in what was typed.
///
/// It ends as soon as every editor has said that it holds nothing more; who says nothing is waited for so long.
package enum HandIn {
    /// A lock kills who holds on for two seconds, and within one nothing of a note may be left.
    package static let limit = Duration.milliseconds(600)

    /// Asks every editor for its last words, and serves all clients until they have come.
    ///
    /// - Parameters:
    ///   - loop: whose clients they are.
    ///   - accepts: whether more of them come, because an editor may hand in over a connection of its own; else nobody
    ///     who comes now is served with keys that go.
    ///   - ask: tells one of them.
    ///   - serve: looks at what has come, and lets in who waits.
    package static func collect<Peer: HandingIn>(
        from loop: ResidentLoop<Peer>, accepts: Bool, ask: (Peer) throws -> Void, serve: () -> Void
    ) {
        let asked = loop.peers.filter { $0.mayHoldWords && !$0.pipe.isClosed }
        for peer in asked {
            peer.hasHandedIn = false
            do { try ask(peer) } catch { peer.pipe.isClosed = true }
        }
        let end = ContinuousClock.now + limit
        while asked.contains(where: { !$0.hasHandedIn && !$0.pipe.isClosed }) {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return }
            guard (try? loop.waitForPeers(atMost: left, accepts: accepts)) != nil else { return }
            serve()
        }
    }
}
