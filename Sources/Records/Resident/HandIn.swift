package import Linux

/// A client of a resident program as far as a hand-in goes.
package protocol HandingIn: AnyObject {
    var pipe: MessagePipe { get }
    /// Whether it may have an editor: it is told of events, and hands in what it holds.
    var mayHoldWords: Bool { get }
    /// Whether it has said since it was asked that it holds nothing more.
    var hasHandedIn: Bool { get set }
}

/// The moment before keys go, in which editors hand in what was typed.
///
/// It ends as soon as every editor has said that it holds nothing more; who says nothing is waited for so long.
package enum HandIn {
    /// In milliseconds: a lock kills who holds on for two seconds, and within one nothing of a note may be left.
    package static let limit: UInt64 = 600

    /// Asks every editor for its last words, and serves all clients until they have come.
    ///
    /// - Parameters:
    ///   - peers: everybody who is connected, also those who come meanwhile.
    ///   - listener: where more of them come, if an editor may hand in over a connection of its own; else -1, so that
    ///     nobody who comes now is served with keys that go.
    ///   - ask: tells one of them.
    ///   - serve: looks at what a poll has found, whose first descriptor is the listener and whose others are those of
    ///     the peers, in their order.
    ///   - accept: takes in who waits.
    package static func collect<Peer: HandingIn>(
        from peers: () -> [Peer], listener: Int32, ask: (Peer) throws -> Void, serve: (Poll) -> Void,
        accept: () -> Void
    ) {
        let asked = peers().filter { $0.mayHoldWords && !$0.pipe.isClosed }
        for peer in asked {
            peer.hasHandedIn = false
            do { try ask(peer) } catch { peer.pipe.isClosed = true }
        }
        let end = SystemClock.bootMilliseconds() + limit
        while asked.contains(where: { !$0.hasHandedIn && !$0.pipe.isClosed }) {
            let now = SystemClock.bootMilliseconds()
            guard now < end else { return }
            var poll = Poll()
            poll.add(listener, reading: true, writing: false)
            for peer in peers() {
                // Who is gone would wake the poll for ever.
                let socket = peer.pipe.isClosed ? -1 : peer.pipe.socket.raw
                poll.add(socket, reading: !peer.pipe.wantsToWrite, writing: peer.pipe.wantsToWrite)
            }
            guard (try? poll.wait(milliseconds: Int(end - now))) != nil else { return }
            let comes = poll.isReadable(0)
            serve(poll)
            if comes { accept() }
        }
    }
}
