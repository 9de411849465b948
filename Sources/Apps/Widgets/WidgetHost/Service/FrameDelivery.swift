import Linux
import Resident
import WidgetClient
import Widgets

/// Hands frames to the clients that wait for them, and knows when an entry's time comes.
final class FrameDelivery {
    /// Microseconds that a client waits for a provider that has never answered.
    private static let firstFrame: Int64 = 12_000_000
    /// Microseconds that a client waits for what has changed, where there is something older.
    private static let freshFrame: Int64 = 3_000_000
    /// Microseconds between two entries that are shown: those that lie closer together are drawn once a second.
    private static let gap: Int64 = 1_000_000

    private let frames: FrameMaker
    private let providers: Providers
    private var timelines: Timelines { frames.timelines }
    private var clock: WidgetClock { frames.clock }
    /// When an entry's time came last, by ``WidgetClock/uptime``.
    private var lastChange: Int64 = 0
    /// When the next entry of a shown widget is due, in microseconds since 1970.
    private var shownUntil: [String: Int64] = [:]

    init(frames: FrameMaker, providers: Providers) {
        self.frames = frames
        self.providers = providers
    }

    /// When something is to be done, by ``WidgetClock/uptime``; nil for never.
    ///
    /// - Parameter kinds: those that are shown somewhere.
    func nextTime(_ kinds: Set<String>, _ peers: [WidgetPeer]) -> Int64? {
        var next = SoonestTime()
        for kind in kinds {
            guard let change = nextChange(kind) else { continue }
            next.consider(max(clock.uptime(at: change), lastChange + Self.gap))
        }
        for peer in peers {
            guard let waiting = peer.waitingRender else { continue }
            next.consider(waiting.since + (timelines.has(waiting.order.kind) ? Self.freshFrame : Self.firstFrame))
        }
        return next.time
    }

    /// Looks whether a shown entry's time is over.
    func advance(_ kinds: Set<String>) {
        let now = clock.uptime
        for kind in kinds {
            guard let shown = shownUntil[kind], clock.wall >= shown else {
                shownUntil[kind] = nextChange(kind)
                continue
            }
            guard now >= lastChange + Self.gap else { continue }
            lastChange = now
            timelines.markStale()
            shownUntil[kind] = nextChange(kind)
        }
    }

    private func nextChange(_ kind: String) -> Int64? {
        timelines.slots[kind]?.open?.nextChange(after: clock.now)?.microseconds
    }

    /// Answers every client that waits for something to change, and that something has changed for.
    func publish(to peers: [WidgetPeer]) {
        answerRenders(peers)
        guard timelines.takeStale() else { return }
        var made: [WidgetOrder: [UInt8]] = [:]
        for peer in peers where peer.waitingNext != nil && !peer.pipe.isClosed {
            do { try publish(to: peer, &made) } catch {
                Log.error("closed a connection", error)
                peer.pipe.isClosed = true
            }
        }
    }

    /// Answers a client that waits, where something of what it shows has changed.
    func publish(to peer: WidgetPeer) throws {
        var made: [WidgetOrder: [UInt8]] = [:]
        try publish(to: peer, &made)
    }

    /// - Parameter made: frames that were made for others already.
    private func publish(to peer: WidgetPeer, _ made: inout [WidgetOrder: [UInt8]]) throws {
        guard let id = peer.waitingNext else { return }
        var list = FrameList(indices: [], sizes: [])
        var body: [UInt8] = []
        for (index, order) in peer.watched.enumerated() {
            let bytes = try made[order] ?? frames.encoded(frames.parse(order))
            made[order] = bytes
            guard peer.sent[index] != bytes else { continue }
            peer.sent[index] = bytes
            list.indices.append(index)
            list.sizes.append(bytes.count)
            body += bytes
        }
        guard !list.indices.isEmpty else { return }
        peer.waitingNext = nil
        try peer.send(.frames(list), id: id, body: body)
    }

    /// Single frames whose provider has answered, or has taken too long.
    private func answerRenders(_ peers: [WidgetPeer]) {
        for peer in peers where !peer.pipe.isClosed {
            guard let (id, order, since, askedSince) = peer.waitingRender else { continue }
            do {
                let parsed = try frames.parse(order)
                let kind = order.kind
                if providers.mayAsk(kind) {
                    let isPending = !timelines.has(kind)
                    let isFresh = askedSince.map { providers.hasAsked(kind, since: $0) } ?? true
                    let patience = isPending ? Self.firstFrame : Self.freshFrame
                    guard !isPending && isFresh || clock.uptime >= since + patience else { continue }
                }
                peer.waitingRender = nil
                let bytes = try frames.encoded(parsed)
                try peer.send(.frames(FrameList(indices: [0], sizes: [bytes.count])), id: id, body: bytes)
            } catch { peer.pipe.isClosed = true }
        }
    }

    /// Begins to wait for a single frame.
    func render(_ order: WidgetOrder, for peer: WidgetPeer, _ id: UInt32) throws(WidgetError) {
        _ = try frames.parse(order)
        peer.waitingRender = (
            id: id, order: order, since: clock.uptime, askedSince: providers.refresh(order.kind)
        )
    }

    /// Shows a client all these, and tells it from now on what changes of them.
    func watch(_ orders: [WidgetOrder], _ parsed: [ParsedOrder], for peer: WidgetPeer, _ id: UInt32) throws {
        let made = try parsed.map { try frames.encoded($0) }
        let fallbacks = try parsed.map { try frames.placeholder($0).encode() }
        peer.watched = orders
        peer.sent = made
        let list = FrameList(
            indices: Array(orders.indices), sizes: made.map(\.count), fallbackSizes: fallbacks.map(\.count))
        try peer.send(.frames(list), id: id, body: Array((made + fallbacks).joined()))
    }
}
