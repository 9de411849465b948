import Linux
import Protection
import Resident
import ResidentClient
import Tresor
import WidgetClient
import Widgets

// What becomes of a client's requests.
extension WidgetService {
    func take(_ frame: consuming MessageFrame, from peer: WidgetPeer) throws {
        guard frame.part == .head, frame.id != 0, !frame.hasMore else { throw WidgetCodingError.invalid }
        let request = try frame.message(as: WidgetRequest.self)
        let id = frame.id
        guard !needsDescription(request) else {
            peer.deferred = (id: id, request: request)
            return describe()
        }
        try respond(to: request, peer, id)
    }

    /// Whether programs came, went or changed since they were asked, and this request is about what they have.
    private func needsDescription(_ request: WidgetRequest) -> Bool {
        let kinds: [String?] =
            switch request {
            case .list: [nil]
            case .render(let order): [order.kind]
            case .watch(let orders): orders.map(\.kind)
            case .reload(let kind): [kind]
            case .renderPage(let digest): (try? order(ofPage: digest)).map { [$0.kind] } ?? []
            case .addPage(let order, _): [order.kind]
            case .status, .next, .settings, .changeSettings, .pages, .removePage, .stop: []
            }
        let isOfOthers = kinds.contains { kind in
            guard let kind, let widget = timelines.slots[kind]?.widget else { return true }
            if case .program = widget.source { return true }
            return false
        }
        // Those that had no time the last time get another try where somebody misses something.
        let isMissed = kinds.contains { kind in kind.map { timelines.slots[$0] == nil } ?? true }
        let isWorthAnother = isMissed && catalog?.isWhole == false && uptime >= lastDescription + Limit.describesAgain
        return isOfOthers && (isWorthAnother || !isCatalogCurrent)
    }

    /// Answers those who wait for programs to describe themselves.
    func answerDeferred() {
        for peer in peers {
            guard let (id, request) = peer.deferred else { continue }
            peer.deferred = nil
            do { try respond(to: request, peer, id) } catch { peer.pipe.isClosed = true }
        }
    }

    private func respond(to request: WidgetRequest, _ peer: WidgetPeer, _ id: UInt32) throws {
        defer { Stack.wipeShallow() }
        do { try answer(request, peer, id) } catch let error as WidgetError {
            try peer.send(.error(error), id: id)
        } catch let error as WidgetCodingError {
            Log.error("a frame is none", error)
            try peer.send(.error(WidgetError(.tooLarge, "the widget is too large to be shown")), id: id)
        }
    }

    private func answer(_ request: WidgetRequest, _ peer: WidgetPeer, _ id: UInt32) throws {
        switch request {
        case .status: try peer.send(.status(status), id: id)
        case .list: try peer.send(.list(timelines.widgets.map { WidgetSummary($0) }), id: id)
        case .render(let order):
            try render(order, peer, id)
        case .watch(let orders): try watch(orders, peer, id)
        case .next:
            peer.waitingNext = id
            var made: [WidgetOrder: [UInt8]] = [:]
            try publish(to: peer, &made)
        case .settings: try peer.send(.settings(WidgetSettingsSummary(chosenSettings)), id: id)
        case .changeSettings(let change):
            try apply(change)
            try peer.send(.settings(WidgetSettingsSummary(chosenSettings)), id: id)
        case .reload(let kind):
            if let kind, timelines.slots[kind] == nil {
                throw WidgetError(.unknownKind, "there is no widget '\(kind)'; 'tresor widget list' names them")
            }
            for widget in timelines.widgets where kind == nil || widget.kind == kind {
                _ = timelines.change(widget.kind) { slot in
                    slot.isDirty = true
                    slot.failure = nil
                }
            }
            try peer.send(.done, id: id)
        case .renderPage(let digest):
            let order = try order(ofPage: digest)
            try render(order, peer, id)
        case .pages: try peer.send(.pages(readPages().map(\.summary)), id: id)
        case .addPage(let order, let digest): try peer.send(.pages([addPage(order, digest)]), id: id)
        case .removePage(let page):
            try removePage(page)
            try peer.send(.done, id: id)
        case .stop:
            stop()
            try peer.send(.done, id: id)
        }
    }

    private func render(_ order: WidgetOrder, _ peer: WidgetPeer, _ id: UInt32) throws {
        _ = try parse(order)
        peer.waitingRender = (id: id, order: order, since: uptime, askedSince: refresh(order.kind))
    }

    private func watch(_ orders: [WidgetOrder], _ peer: WidgetPeer, _ id: UInt32) throws {
        guard orders.count <= Limit.watched else {
            throw WidgetError(.tooLarge, "one client shows at most \(Limit.watched) widgets")
        }
        let parsed = try orders.map { try parse($0) }
        try admitWindow(peer)
        let frames = try parsed.map { try encoded($0) }
        let fallbacks = try parsed.map { try placeholder($0).encode() }
        peer.watched = orders
        peer.sent = frames
        let list = FrameList(
            indices: Array(orders.indices), sizes: frames.map(\.count), fallbackSizes: fallbacks.map(\.count))
        try peer.send(.frames(list), id: id, body: Array((frames + fallbacks).joined()))
    }

    /// Settings say what strangers see: they change while the owner is there, and not behind a lock screen.
    private func apply(_ change: WidgetSettingsChange) throws {
        guard deviceState == .unlocked else {
            throw WidgetError(.deviceLocked, "the device is locked; unlock it to change what widgets show")
        }
        var changed: WidgetSettings
        // Where they could not be read before, the others stay as they are all the same.
        do { changed = try chosenSettings ?? SettingsItem(daemon: daemon).read() ?? settings } catch {
            throw WidgetError(storing: "the settings", error)
        }
        if let allow = change.allowWhenLocked { changed.allowsAccessWhenLocked = allow }
        if let hidden = change.hideAlwaysOn {
            if case .kinds(let kinds) = hidden, let unknown = kinds.first(where: { timelines.slots[$0] == nil }) {
                throw WidgetError(.unknownKind, "there is no widget '\(unknown)'; 'tresor widget list' names them")
            }
            for placement in try placements(change.placement) { changed[placement] = HiddenKinds(hidden) }
        }
        do { try SettingsItem(daemon: daemon).store(changed) } catch {
            Log.error("the settings were not stored", error)
            throw WidgetError(storing: "the settings", error)
        }
        chosenSettings = changed
        takeGallery()
    }

    private func placements(_ name: String?) throws -> [WidgetPlacement] {
        guard let name else { return WidgetPlacement.allCases }
        guard let placement = WidgetPlacement(name: name) else {
            throw WidgetError(.invalid, "there is no placement '\(name)'; there are: desktop, lockScreen, remote")
        }
        return [placement]
    }

    private var status: WidgetStatus {
        let watched = Set(peers.flatMap(\.watched).map(\.kind))
        let now = now
        let states = watched.sorted().compactMap { kind in
            timelines.slots[kind].map { slot in
                WidgetState(
                    kind: kind, hasTimeline: slot.open != nil, isUpdating: slot.worker != nil,
                    reloadsIn: slot.open?.reload.map { Int(max(0, ($0.microseconds - now.microseconds) / 1_000_000)) },
                    failure: slot.failure.map { "\($0)" })
            }
        }
        return WidgetStatus(
            lock: deviceState.name, clients: peers.count, watched: peers.reduce(0) { $0 + $1.watched.count },
            widgets: states, process: CurrentProcess.id)
    }
}

extension WidgetSummary {
    init(_ widget: HostedWidget) {
        let provider = if case .program(let file) = widget.source { file } else { "tresor" }
        self.init(
            kind: widget.kind, displayName: widget.configuration.displayName, summary: widget.configuration.summary,
            families: widget.configuration.families.map(\.name), protection: widget.configuration.protection.name,
            provider: provider)
    }
}

extension WidgetSettingsSummary {
    init(_ chosen: WidgetSettings?) {
        let settings = chosen ?? WidgetSettings()
        var hidden: [String: HiddenList] = [:]
        for placement in WidgetPlacement.allCases { hidden[placement.name] = HiddenList(settings[placement]) }
        self.init(allowWhenLocked: settings.allowsAccessWhenLocked, hideAlwaysOn: hidden, isKnown: chosen != nil)
    }
}

extension WidgetError {
    /// Why settings or tokens were not stored, in the daemon's words: it knows whether all is as it was.
    init(storing what: String, _ error: any Error) {
        guard let failure = error as? TresorError else {
            self.init(.unavailable, "whether \(what) were stored is not known: \(error)")
            return
        }
        let code: Code =
            switch failure.code {
            case .cannotWrite: .cannotWrite
            case .storageFailed: .storage
            case .locked: .deviceLocked
            default: .unavailable
            }
        let words =
            switch failure.code {
            // It has gone, and may have done it before.
            case .unavailable: "whether \(what) were stored is not known: \(failure.message)"
            // Whether it was done stands in its words.
            case .storageFailed: "\(what): \(failure.message)"
            default: "\(what) could not be stored: \(failure.message)"
            }
        self.init(code, words)
    }
}
