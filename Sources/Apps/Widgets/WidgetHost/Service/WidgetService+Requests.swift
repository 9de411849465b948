import Linux
import Localization
import Protection
import Resident
import ResidentClient
import Tresor
import WidgetClient
import Widgets

// What becomes of a client's requests.
extension WidgetService {
    /// Orders that one client may watch.
    private static let mostWatched = 200

    func take(_ frame: consuming MessageFrame, from peer: WidgetPeer) throws {
        guard frame.part == .head, frame.id != 0, !frame.hasMore else { throw WidgetCodingError.invalid }
        let request = try frame.message(as: WidgetRequest.self)
        let id = frame.id
        guard !needsDescription(request) else {
            peer.deferred = (id: id, request: request)
            return describePrograms()
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
            case .renderPage(let digest): (try? pages.order(of: digest)).map { [$0.kind] } ?? []
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
        return isOfOthers && (isMissed && programs.isWorthAnotherTry || !programs.isCurrent)
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
            try peer.send(.error(WidgetError(.tooLarge, marked("the widget is too large to be shown"))), id: id)
        }
    }

    private func answer(_ request: WidgetRequest, _ peer: WidgetPeer, _ id: UInt32) throws {
        switch request {
        case .status: try peer.send(.status(status), id: id)
        case .list: try peer.send(.list(timelines.widgets.map { WidgetSummary($0) }), id: id)
        case .render(let order):
            try delivery.render(order, for: peer, id)
        case .watch(let orders): try watch(orders, peer, id)
        case .next:
            peer.waitingNext = id
            try delivery.publish(to: peer)
        case .settings: try peer.send(.settings(WidgetSettingsSummary(settings.chosen)), id: id)
        case .changeSettings(let change):
            try settings.apply(change, in: conditions.deviceState) { timelines.slots[$0] != nil }
            takeGallery()
            try peer.send(.settings(WidgetSettingsSummary(settings.chosen)), id: id)
        case .reload(let kind):
            if let kind, timelines.slots[kind] == nil { throw WidgetError(unknownKind: kind) }
            for widget in timelines.widgets where kind == nil || widget.kind == kind {
                timelines.markDirty(widget.kind)
            }
            try peer.send(.done, id: id)
        case .renderPage(let digest): try delivery.render(pages.order(of: digest), for: peer, id)
        case .pages: try peer.send(.pages(pages.summaries()), id: id)
        case .addPage(let order, let digest): try peer.send(.pages([addPage(order, digest)]), id: id)
        case .removePage(let page):
            try requireUnlocked()
            try pages.remove(page)
            try peer.send(.done, id: id)
        case .stop:
            stop()
            try peer.send(.done, id: id)
        }
    }

    private func watch(_ orders: [WidgetOrder], _ peer: WidgetPeer, _ id: UInt32) throws {
        guard orders.count <= Self.mostWatched else {
            throw WidgetError(.tooLarge, marked("one client shows at most \(Self.mostWatched) widgets"))
        }
        let parsed = try orders.map { try frames.parse($0) }
        try admitWindow(peer)
        try delivery.watch(orders, parsed, for: peer, id)
    }

    /// Somebody who finds a device locked must not leave with an address of what it shows.
    private func addPage(_ order: WidgetOrder, _ digest: PageDigest) throws(WidgetError) -> PageSummary {
        try requireUnlocked()
        _ = try frames.parse(order)
        return try pages.add(order, digest, created: clock.wall)
    }

    private func requireUnlocked() throws(WidgetError) {
        guard conditions.deviceState == .unlocked else {
            throw WidgetError(
                .deviceLocked, marked("the device is locked; unlock it to change who may ask for widgets"))
        }
    }

    private var status: WidgetStatus {
        let watched = Set(peers.flatMap(\.watched).map(\.kind))
        let now = clock.now
        let states = watched.sorted().compactMap { kind in
            timelines.slots[kind].map { slot in
                WidgetState(
                    kind: kind, hasTimeline: slot.open != nil, isUpdating: slot.worker != nil,
                    reloadsIn: slot.open?.reload.map { Int(max(0, ($0.microseconds - now.microseconds) / 1_000_000)) },
                    failure: slot.failure.map { "\($0)" })
            }
        }
        return WidgetStatus(
            lock: conditions.deviceState.name, clients: peers.count, watched: peers.reduce(0) { $0 + $1.watched.count },
            widgets: states, process: CurrentProcess.id)
    }
}

extension WidgetSummary {
    init(_ widget: HostedWidget) {
        let provider = if case .program(let file) = widget.source { file } else { Self.ourProvider }
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
    init(unknownKind kind: String) {
        self.init(.unknownKind, marked("there is no widget '\(kind)'; 'tresor widget list' names them"))
    }

    init(unknownPlacement name: String) {
        self.init(.invalid, marked("there is no placement '\(name)'; there are: desktop, lockScreen, remote"))
    }

    /// What was to be stored.
    enum Stored { case settings, tokens }

    /// Why settings or tokens were not stored, in the daemon's words: it knows whether all is as it was.
    init(storing what: Stored, _ error: any Error) {
        guard let failure = error as? TresorError else {
            self.init(.unavailable, Self.unknown(what, "\(error)"))
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
            switch (failure.code, what) {
            // It has gone, and may have done it before.
            case (.unavailable, _): Self.unknown(what, failure.message)
            // Whether it was done stands in its words.
            case (.storageFailed, .settings): marked("the settings: \(failure.message)")
            case (.storageFailed, .tokens): marked("the tokens: \(failure.message)")
            case (_, .settings): marked("the settings could not be stored: \(failure.message)")
            case (_, .tokens): marked("the tokens could not be stored: \(failure.message)")
            }
        self.init(code, words)
    }

    private static func unknown(_ what: Stored, _ reason: String) -> String {
        switch what {
        case .settings: marked("whether the settings were stored is not known: \(reason)")
        case .tokens: marked("whether the tokens were stored is not known: \(reason)")
        }
    }
}
