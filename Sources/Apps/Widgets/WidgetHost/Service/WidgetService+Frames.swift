import Linux
import Protection
import Resident
import Tresor
import WidgetClient
import Widgets

// What clients see.
extension WidgetService {
    /// The frame of an order as things stand.
    func frame(_ order: ParsedOrder) -> Frame {
        let configuration = order.widget.configuration
        var input = Resolution.Input(kind: configuration.kind, protection: configuration.protection)
        input.lock = deviceState
        input.showingLock = deviceState
        input.hasPasscode = isBehindPasscode
        input.placement = order.placement
        input.isLuminanceReduced = order.isLuminanceReduced
        input.settings = settings
        input.isUpdating = isUpdating(configuration.kind)
        // A class that is shut is not even tried.
        let isOpen = Resolution(input).showsEntry
        // The diary's door is a second fence: its timelines are dropped when it shuts.
        let isBehindDoor = order.widget.source == .diary && isDiaryOpen != true
        input.hasTimeline = isOpen && !isBehindDoor && timelines.has(configuration.kind)
        let isWaiting = isOpen && !isBehindDoor && timelines.slots[configuration.kind]?.failure != .locked
        let resolution = Resolution(input)
        let environment = ViewEnvironment(
            family: order.family, placement: order.placement, isLuminanceReduced: order.isLuminanceReduced,
            redactionReasons: resolution.reasons)
        let view =
            resolution.showsEntry && !isBehindDoor
            ? timelines.view(configuration.kind, order.family, at: now, withSecrets: resolution.opensSealed) : nil
        guard let view else {
            guard resolution != .unavailable else {
                return Frame(configuration, family: order.family, state: .unavailable, root: .empty)
            }
            return placeholder(order, isWaiting ? .waiting : .placeholder)
        }
        return Frame(
            configuration, family: order.family, state: resolution.opensSealed ? .shown : .redacted,
            isLuminanceReduced: order.isLuminanceReduced, root: Redaction.resolve(view, in: environment))
    }

    /// Whether the device has a passcode.
    ///
    /// One may have been set since it was asked last, and only a lock would tell; so it is asked once in each turn.
    private var isBehindPasscode: Bool {
        if !hasPasscode && passcodeTurn != turn {
            passcodeTurn = turn
            hasPasscode = (try? daemon.hasPasscode()) ?? true
        }
        return hasPasscode
    }

    /// What stands for an order whose content cannot be had: made of no one's data.
    func placeholder(_ order: ParsedOrder, _ state: WidgetFrame.State = .placeholder) -> WidgetFrame {
        let environment = ViewEnvironment(
            family: order.family, placement: order.placement, isLuminanceReduced: order.isLuminanceReduced,
            redactionReasons: .placeholder)
        return WidgetFrame(
            order.widget.configuration, family: order.family, state: state,
            isLuminanceReduced: order.isLuminanceReduced,
            root: Redaction.resolve(order.widget.placeholder(order.family), in: environment))
    }

    /// Answers every client that waits for something to change, and that something has changed for.
    func publish() {
        answerRenders()
        guard isStale else { return }
        isStale = false
        var made: [WidgetOrder: [UInt8]] = [:]
        for peer in peers where peer.waitingNext != nil && !peer.pipe.isClosed {
            do { try publish(to: peer, &made) } catch {
                Log.error("closed a connection", error)
                peer.pipe.isClosed = true
            }
        }
    }

    /// - Parameter made: frames that were made for others already.
    func publish(to peer: WidgetPeer, _ made: inout [WidgetOrder: [UInt8]]) throws {
        guard let id = peer.waitingNext else { return }
        var list = FrameList(indices: [], sizes: [])
        var body: [UInt8] = []
        for (index, order) in peer.watched.enumerated() {
            let bytes = try made[order] ?? encoded(parse(order))
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
    private func answerRenders() {
        for peer in peers where !peer.pipe.isClosed {
            guard let (id, order, since, askedSince) = peer.waitingRender else { continue }
            do {
                let parsed = try parse(order)
                let kind = order.kind
                if wantsProvider(kind) {
                    let isPending = !timelines.has(kind)
                    let isFresh = askedSince.map { hasAsked(kind, since: $0) } ?? true
                    guard !isPending && isFresh || uptime >= since + (isPending ? Limit.firstFrame : Limit.freshFrame)
                    else { continue }
                }
                peer.waitingRender = nil
                let bytes = try encoded(parsed)
                try peer.send(.frames(FrameList(indices: [0], sizes: [bytes.count])), id: id, body: bytes)
            } catch { peer.pipe.isClosed = true }
        }
    }

    /// Whether a provider that was asked after that time has answered.
    private func hasAsked(_ kind: String, since: Int64) -> Bool {
        timelines.slots[kind].map { $0.worker == nil && ($0.attempt ?? .min) >= since } ?? true
    }

    /// A frame's bytes; the placeholder's where it is too large to be shown.
    func encoded(_ order: ParsedOrder) throws -> [UInt8] {
        do { return try frame(order).encode() } catch WidgetCodingError.tooLarge {
            Log.note("a widget is too large to be shown")
            return try placeholder(order).encode()
        }
    }
}

/// An order whose words are known.
struct ParsedOrder {
    let widget: HostedWidget
    let family: WidgetFamily
    let placement: WidgetPlacement
    let isLuminanceReduced: Bool
}

extension WidgetService {
    /// - Throws: `WidgetError` that names what is not known.
    func parse(_ order: WidgetOrder) throws(WidgetError) -> ParsedOrder {
        guard let widget = timelines.slots[order.kind]?.widget else {
            throw WidgetError(.unknownKind, "there is no widget '\(order.kind)'; 'tresor widget list' names them")
        }
        guard let family = WidgetFamily(name: order.family) else {
            let names = WidgetFamily.allCases.map(\.name).joined(separator: ", ")
            throw WidgetError(.unknownFamily, "there is no family '\(order.family)'; there are: \(names)")
        }
        guard widget.configuration.families.contains(family) else {
            let names = widget.configuration.families.map(\.name).joined(separator: ", ")
            throw WidgetError(.unknownFamily, "\(order.kind) does not come as \(order.family); it comes as: \(names)")
        }
        guard let placement = WidgetPlacement(name: order.placement) else {
            throw WidgetError(
                .invalid, "there is no placement '\(order.placement)'; there are: desktop, lockScreen, remote")
        }
        return ParsedOrder(
            widget: widget, family: family, placement: placement, isLuminanceReduced: order.isLuminanceReduced)
    }
}
