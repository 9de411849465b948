import Linux
import Protection
import Resident
import WidgetClient
import Widgets
import Wire

// Who is asked for something new, and when.
extension WidgetService {
    /// Microseconds between two questions to the same provider.
    private static let gap: Int64 = 1_000_000
    /// Microseconds between two questions to a program of somebody's, by the clock.
    private static let programGap: Int64 = 60_000_000
    /// Milliseconds in which a worker ends what it has started.
    private static let grace: UInt64 = 100
    /// Microseconds until a provider that failed is asked again.
    private static let retry: Int64 = 10_000_000

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
    var patience: Int? {
        // What came ahead of an answer is no longer to be read, and wakes nobody.
        let hasBacklog = peers.contains { peer in
            !peer.isWaiting && !peer.pipe.wantsToWrite && (try? peer.pipe.hasFrame) == true
        }
        if hasBacklog && describer == nil { return 0 }
        let now = uptime
        var next: Int64?
        func consider(_ time: Int64?) { if let time { next = min(next ?? time, time) } }
        for kind in active {
            if let change = timelines.slots[kind]?.open?.nextChange(after: self.now) {
                consider(max(uptime(at: change.microseconds), lastChange + Self.gap))
            }
            consider(nextQuestion(kind))
            if let attempt = runningSince(kind) { consider(attempt + Limit.provider) }
        }
        for worker in survivors { consider(worker.until) }
        consider(describer.map { $0.since + Limit.description })
        for peer in peers {
            guard let waiting = peer.waitingRender else { continue }
            consider(waiting.since + (timelines.has(waiting.order.kind) ? Limit.freshFrame : Limit.firstFrame))
        }
        let sources = active.compactMap { timelines.slots[$0]?.widget.source }
        if sources.contains(.diary) && !diary.isConnected || sources.contains(.notes) && !notes.isConnected {
            consider(now + Self.gap)
        }
        return next.map { Int(max(0, min(($0 - now) / 1000 + 1, 3_600_000))) }
    }

    /// Starts what is due, ends what takes too long, and looks whether a shown entry's time is over.
    func advance() {
        let kinds = active
        connectSources(kinds)
        let now = uptime
        endDescriber()
        endSurvivors()
        for kind in kinds {
            if let attempt = runningSince(kind), now >= attempt + Limit.provider { end(kind) }
            if timelines.isAhead(kind, of: self.now) { _ = timelines.change(kind) { $0.isDirty = true } }
            if let time = nextQuestion(kind), now >= time { ask(kind) }
            guard let shown = shownUntil[kind], clocks.wall >= shown else {
                shownUntil[kind] = timelines.slots[kind]?.open?.nextChange(after: self.now)?.microseconds
                continue
            }
            // Entries that lie closer together are drawn once a second.
            guard now >= lastChange + Self.gap else { continue }
            lastChange = now
            isStale = true
            shownUntil[kind] = timelines.slots[kind]?.open?.nextChange(after: self.now)?.microseconds
        }
    }

    private func connectSources(_ kinds: Set<String>) {
        let sources = kinds.compactMap { timelines.slots[$0]?.widget.source }
        if sources.contains(.diary) && !diary.connect(now: clocks.boot) { setDiary(isOpen: false) }
        if sources.contains(.notes) { _ = notes.connect(now: clocks.boot) }
    }

    /// Has a provider asked where what is there may be old: nobody has told of changes since.
    ///
    /// - Returns: since when it has to have been asked, so that its answer is not; nil where nothing is old.
    func refresh(_ kind: String) -> Int64? {
        guard let slot = timelines.slots[kind] else { return nil }
        // Who asks while it runs waits for it, and does not have it run again: many may ask, and a program may be slow.
        if slot.worker != nil && !slot.isDirty { return slot.attempt }
        let isOld =
            switch slot.widget.source {
            case .device: false
            case .notes: slot.isDirty || !notes.isConnected
            case .diary: slot.isDirty || !diary.isConnected
            case .program: slot.isDirty
            case .keychain: slot.isDirty || slot.attempt.map { uptime >= $0 + Limit.keychainAge } ?? true
            }
        guard isOld else { return nil }
        _ = timelines.change(kind) { $0.isDirty = true }
        return uptime
    }

    /// Whether a provider may be asked at all in this state of the device.
    func wantsProvider(_ kind: String) -> Bool {
        guard let slot = timelines.slots[kind], slot.widget.source != .device else { return false }
        if isSourceShut(slot.widget) { return false }
        if slot.widget.source == .diary && isDiaryOpen == false { return false }
        if slot.failure != nil && slot.worker == nil { return false }
        return isOpen(slot.widget)
    }

    /// Whether a widget that may be shown on a locked device has a source that is shut by now: what it was stays.
    private func isSourceShut(_ widget: HostedWidget) -> Bool {
        widget.followsChoice && hasPasscode && deviceState != .unlocked
    }

    private func isOpen(_ widget: HostedWidget) -> Bool {
        var input = Resolution.Input(kind: widget.kind, protection: widget.configuration.protection)
        input.lock = deviceState
        input.hasPasscode = hasPasscode
        return Resolution(input).showsEntry
    }

    /// Microseconds since the machine started: what is waited for must not depend on a clock that somebody sets.
    var uptime: Int64 { Int64(clocks.boot) * 1000 }

    /// The same for a time by the clock of the wall, in microseconds since 1970.
    private func uptime(at wall: Int64) -> Int64 {
        let (distance, overflow) = wall.subtractingReportingOverflow(clocks.wall)
        let (time, beyond) = uptime.addingReportingOverflow(distance)
        return overflow || beyond ? (wall < 0 ? 0 : .max) : time
    }

    /// When a provider is to be asked, by ``uptime``; nil for not by the clock.
    private func nextQuestion(_ kind: String) -> Int64? {
        guard let slot = timelines.slots[kind], slot.worker == nil, slot.widget.source != .device,
            isOpen(slot.widget), !isSourceShut(slot.widget), slot.widget.source != .diary || isDiaryOpen == true
        else { return nil }
        let earliest = slot.attempt.map { $0 + Self.gap } ?? 0
        if slot.failure != nil { return max(earliest, (slot.attempt ?? 0) + (slot.isDirty ? Self.gap : Self.retry)) }
        if slot.isDirty || !timelines.has(kind) { return earliest }
        var soonest = earliest
        if case .program = slot.widget.source { soonest = (slot.attempt ?? 0) + Self.programGap }
        return timelines.slots[kind]?.open?.reload.map { max(soonest, uptime(at: $0.microseconds)) }
    }

    private func ask(_ kind: String) {
        let time = uptime
        let program = Self.ownProgram
        _ = timelines.change(kind) { slot in
            slot.attempt = time
            // Whoever a lock ends goes with this process, also where that is killed.
            let keeper = Self.survivesLocks(slot.widget) ? Keeper.id.map { ["\($0)"] } ?? [] : []
            do {
                slot.worker = try ChildProcess(worker: program, ["--provide", kind] + keeper)
                slot.isUpdating = slot.isDirty
                slot.isDirty = false
            } catch { Log.error("a provider did not start", error) }
        }
        if isUpdating(kind) { isStale = true }
    }

    /// Whether what a provider has begun goes on at a lock: it seals that to a key that only an unlocked device opens.
    static func survivesLocks(_ widget: HostedWidget) -> Bool {
        widget.configuration.protection == .completeUnlessOpen
    }

    private static var ownProgram: String { "/proc/self/exe" }

    /// Whether a provider is being asked because something changed, and not by the clock.
    func isUpdating(_ kind: String) -> Bool {
        timelines.slots[kind].map { $0.worker != nil && $0.isUpdating } ?? false
    }

    private func runningSince(_ kind: String) -> Int64? {
        timelines.slots[kind].flatMap { $0.worker == nil ? nil : $0.attempt }
    }

    private func end(_ kind: String) {
        Log.note("a provider took too long")
        _ = timelines.change(kind) { slot in
            slot.worker?.terminate(milliseconds: Self.grace)
            slot.worker = nil
            slot.failure = .unavailable
        }
    }

    /// Ends the workers of these widgets, and does not take what they had.
    func stopWorkers(_ isToEnd: (HostedWidget) -> Bool) {
        let ending = timelines.slots.filter { $0.value.worker != nil && isToEnd($0.value.widget) }
        for slot in ending.values { slot.worker?.requestEnd() }
        for kind in ending.keys {
            _ = timelines.change(kind) { slot in
                slot.worker?.terminate(milliseconds: Self.grace)
                slot.worker = nil
                slot.isDirty = true
            }
        }
    }

    /// Takes what workers that have ended left on the disk.
    func takeWorkers() {
        takeDescriber()
        takeSurvivors()
        for (kind, slot) in timelines.slots {
            guard let end = slot.worker?.end() else { continue }
            let outcome: ProviderRun.Outcome
            if case .exited(let code) = end {
                outcome = ProviderRun.Outcome(rawValue: code) ?? .failed
            } else {
                outcome = .failed
            }
            _ = timelines.change(kind) { slot in
                slot.worker = nil
                slot.failure = outcome == .done ? nil : outcome
            }
            switch outcome {
            case .done: timelines.reread(kind)
            // The device was locked meanwhile, and what it showed before may be shown still.
            case .locked where isSourceShut(slot.widget): break
            // What it shows is not to be shown any more.
            case .locked, .empty: timelines.drop(kind)
            case .failed, .unavailable: break
            }
            // Its file may be another one by now.
            if case .program = slot.widget.source, outcome == .failed, !isCatalogCurrent { describe() }
            isStale = true
        }
    }

    /// Lets the process that takes the place of this one know which workers still run, and until when they may.
    func passOnWorkers() {
        let own = timelines.slots.values.compactMap { slot in
            slot.worker.flatMap { worker in
                (try? PeerProcess.startTime(of: worker.id)).map {
                    "\(worker.id):\($0):\((slot.attempt ?? uptime) + Limit.provider)"
                }
            }
        }
        let left = survivors.map { "\($0.child.id):\($0.child.startTime):\($0.until)" }
        do { try Keeper.leave((own + left).joined(separator: " ")) } catch {
            Log.error("workers were not handed on", error)
        }
    }

    /// Takes over the workers of the process before this one.
    func adoptWorkers() {
        survivors = Keeper.note.split(separator: " ").compactMap { entry in
            let numbers = entry.split(separator: ":")
            // What has ended by now is none.
            guard numbers.count == 3, let id = Int32(numbers[0]), let start = UInt64(numbers[1]),
                let until = Int64(numbers[2]), let child = AdoptedProcess(id: id, startTime: start)
            else { return nil }
            return (child: child, until: min(until, uptime + Limit.provider))
        }
    }

    /// What the process before this one had begun is on the disk.
    private func takeSurvivors() {
        let ended = survivors.filter { $0.child.hasEnded }
        guard !ended.isEmpty else { return }
        survivors.removeAll { survivor in ended.contains { $0.child === survivor.child } }
        for widget in timelines.widgets where widget.configuration.protection == .completeUnlessOpen {
            timelines.reread(widget.kind)
        }
        isStale = true
    }

    private func endSurvivors() {
        let now = uptime
        for worker in survivors where now >= worker.until {
            Log.note("a provider took too long")
            worker.child.terminate(milliseconds: Self.grace)
        }
        survivors.removeAll { now >= $0.until }
    }

    /// Starts to ask the programs of others what they have; clients wait for the answer.
    func describe() {
        guard describer == nil else { return }
        do {
            let child = try ChildProcess(worker: Self.ownProgram, ["--describe"])
            describer = (child: child, since: uptime)
            lastDescription = uptime
        } catch {
            Log.error("the programs were not asked", error)
            answerDeferred()
        }
    }

    private func takeDescriber() {
        guard let child = describer?.child, child.end() != nil else { return }
        describer = nil
        catalog = Catalog(home: home)
        takeGallery()
        answerDeferred()
    }

    /// Takes what widgets there are by now, each with the class that it has by now.
    func takeGallery() {
        let gallery = Gallery(home: home, catalog: catalog, settings: chosenSettings)
        timelines.take(gallery, isWhole: catalog?.isWhole == true)
        isStale = true
    }

    /// What it has not found out by now another one is asked.
    func stopDescriber() {
        describer?.child.terminate(milliseconds: Self.grace)
        describer = nil
    }

    /// Programs that take too long are none.
    private func endDescriber() {
        guard let describer, uptime >= describer.since + Limit.description else { return }
        Log.note("the programs took too long")
        // Not killed: it has to end what it started.
        describer.child.terminate(milliseconds: Self.grace)
        self.describer = nil
        answerDeferred()
    }

    func markDirty(_ isMeant: (WidgetSource) -> Bool) {
        for (kind, slot) in timelines.slots where isMeant(slot.widget.source) {
            _ = timelines.change(kind) { slot in
                slot.isDirty = true
                slot.failure = nil
            }
        }
    }
}
