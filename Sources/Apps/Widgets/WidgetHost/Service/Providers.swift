import Linux
import Protection
import Resident
import Widgets

/// Who is asked for something new, and when: each provider runs in a process of its own.
final class Providers {
    /// Microseconds that a provider may take; a program of somebody else's has ten seconds of them.
    private static let patience: Int64 = 30_000_000
    /// Microseconds between two questions to the same provider.
    private static let gap: Int64 = 1_000_000
    /// Microseconds between two questions to a program of somebody's, by the clock.
    private static let programGap: Int64 = 60_000_000
    /// Microseconds until a provider that failed is asked again.
    private static let retry: Int64 = 10_000_000
    /// Microseconds for which the keychain is not looked at again for one who asks for a single frame.
    private static let keychainAge: Int64 = 2_000_000

    private let timelines: Timelines
    private let conditions: WidgetConditions
    private let sources: WidgetSources
    private let clock: WidgetClock
    /// Workers that the process before this one has left, and when they are ended, by ``WidgetClock/uptime``.
    private var survivors: [(child: AdoptedProcess, until: Int64)] = []

    /// Takes over the workers of the process before this one.
    init(timelines: Timelines, conditions: WidgetConditions, sources: WidgetSources, clock: WidgetClock) {
        self.timelines = timelines
        self.conditions = conditions
        self.sources = sources
        self.clock = clock
        survivors = Keeper.note.split(separator: " ").compactMap { entry in
            let numbers = entry.split(separator: ":")
            // What has ended by now is none.
            guard numbers.count == 3, let id = Int32(numbers[0]), let start = UInt64(numbers[1]),
                let until = Int64(numbers[2]), let child = AdoptedProcess(id: id, startTime: start)
            else { return nil }
            return (child: child, until: min(until, clock.uptime + Self.patience))
        }
    }

    // MARK: By the clock

    /// When something is to be done, by ``WidgetClock/uptime``; nil for never.
    ///
    /// - Parameter kinds: those that are shown somewhere.
    func nextTime(_ kinds: Set<String>) -> Int64? {
        var next = SoonestTime()
        for kind in kinds {
            next.consider(nextQuestion(kind))
            if let attempt = runningSince(kind) { next.consider(attempt + Self.patience) }
        }
        for worker in survivors { next.consider(worker.until) }
        let shown = kinds.compactMap { timelines.slots[$0]?.widget.source }
        if shown.contains(where: { !sources.tells($0) }) { next.consider(clock.uptime + Self.gap) }
        return next.time
    }

    /// Starts what is due, and ends what takes too long.
    func advance(_ kinds: Set<String>) {
        let now = clock.uptime
        endSurvivors()
        for kind in kinds {
            if let attempt = runningSince(kind), now >= attempt + Self.patience { end(kind) }
            if timelines.isAhead(kind, of: clock.now) { _ = timelines.change(kind) { $0.isDirty = true } }
            if let time = nextQuestion(kind), now >= time { ask(kind) }
        }
    }

    /// When a provider is to be asked, by ``WidgetClock/uptime``; nil for not by the clock.
    private func nextQuestion(_ kind: String) -> Int64? {
        guard let slot = timelines.slots[kind], slot.worker == nil, slot.widget.source != .device,
            conditions.isOpen(slot.widget), !conditions.isSourceShut(slot.widget),
            slot.widget.source != .diary || conditions.isDiaryOpen == true
        else { return nil }
        let earliest = slot.attempt.map { $0 + Self.gap } ?? 0
        if slot.failure != nil { return max(earliest, (slot.attempt ?? 0) + (slot.isDirty ? Self.gap : Self.retry)) }
        if slot.isDirty || !timelines.has(kind) { return earliest }
        var soonest = earliest
        if case .program = slot.widget.source { soonest = (slot.attempt ?? 0) + Self.programGap }
        return timelines.slots[kind]?.open?.reload.map { max(soonest, clock.uptime(at: $0.microseconds)) }
    }

    private func runningSince(_ kind: String) -> Int64? {
        timelines.slots[kind].flatMap { $0.worker == nil ? nil : $0.attempt }
    }

    // MARK: On demand

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
            case .notes, .diary, .program: slot.isDirty || !sources.tells(slot.widget.source)
            case .keychain: slot.isDirty || slot.attempt.map { clock.uptime >= $0 + Self.keychainAge } ?? true
            }
        guard isOld else { return nil }
        _ = timelines.change(kind) { $0.isDirty = true }
        return clock.uptime
    }

    /// Whether a provider may be asked at all in this state of the device.
    func mayAsk(_ kind: String) -> Bool {
        guard let slot = timelines.slots[kind], slot.widget.source != .device else { return false }
        if conditions.isSourceShut(slot.widget) { return false }
        if slot.widget.source == .diary && conditions.isDiaryOpen == false { return false }
        if slot.failure != nil && slot.worker == nil { return false }
        return conditions.isOpen(slot.widget)
    }

    /// Whether a provider that was asked after that time has answered.
    func hasAsked(_ kind: String, since: Int64) -> Bool {
        timelines.slots[kind].map { $0.worker == nil && ($0.attempt ?? .min) >= since } ?? true
    }

    // MARK: Workers

    private func ask(_ kind: String) {
        let time = clock.uptime
        _ = timelines.change(kind) { slot in
            slot.attempt = time
            // Whoever a lock ends goes with this process, also where that is killed.
            let keeper = Self.survivesLocks(slot.widget) ? Keeper.id.map { ["\($0)"] } ?? [] : []
            do {
                slot.worker = try ChildProcess(worker: ProviderRun.program, ["--provide", kind] + keeper)
                slot.isUpdating = slot.isDirty
                slot.isDirty = false
            } catch { Log.error("a provider did not start", error) }
        }
        if timelines.isUpdating(kind) { timelines.markStale() }
    }

    /// Whether what a provider has begun goes on at a lock: it seals that to a key that only an unlocked device opens.
    private static func survivesLocks(_ widget: HostedWidget) -> Bool {
        widget.configuration.protection == .completeUnlessOpen
    }

    private func end(_ kind: String) {
        Log.note("a provider took too long")
        _ = timelines.change(kind) { slot in
            slot.worker?.terminate(milliseconds: ProviderRun.grace)
            slot.worker = nil
            slot.failure = .unavailable
        }
    }

    /// Ends the workers of these widgets, and does not take what they had.
    func stop(_ isToEnd: (HostedWidget) -> Bool) {
        let ending = timelines.slots.filter { $0.value.worker != nil && isToEnd($0.value.widget) }
        for slot in ending.values { slot.worker?.requestEnd() }
        for kind in ending.keys {
            _ = timelines.change(kind) { slot in
                slot.worker?.terminate(milliseconds: ProviderRun.grace)
                slot.worker = nil
                slot.isDirty = true
            }
        }
    }

    /// At a lock: ends those whose class does not let them finish.
    func stopForLock() { stop { !Self.survivesLocks($0) } }

    /// Takes what workers that have ended left on the disk.
    ///
    /// - Returns: whether a program of others failed: its file may be another one by now.
    func takeEnded() -> Bool {
        takeSurvivors()
        var hasProgramFailed = false
        for slot in timelines.slots.values {
            guard let end = slot.worker?.end() else { continue }
            let outcome: ProviderRun.Outcome
            if case .exited(let code) = end {
                outcome = ProviderRun.Outcome(rawValue: code) ?? .failed
            } else {
                outcome = .failed
            }
            take(outcome, of: slot.widget)
            if case .program = slot.widget.source, outcome == .failed { hasProgramFailed = true }
        }
        return hasProgramFailed
    }

    private func take(_ outcome: ProviderRun.Outcome, of widget: HostedWidget) {
        _ = timelines.change(widget.kind) { slot in
            slot.worker = nil
            slot.failure = outcome == .done ? nil : outcome
        }
        switch outcome {
        case .done: timelines.reread(widget.kind)
        // The device was locked meanwhile, and what it showed before may be shown still.
        case .locked where conditions.isSourceShut(widget): break
        // What it shows is not to be shown any more.
        case .locked, .empty: timelines.drop(widget.kind)
        case .failed, .unavailable: break
        }
        timelines.markStale()
    }

    // MARK: Over a lock

    /// Lets the process that takes the place of this one know which workers still run, and until when they may.
    func passOn() {
        let own = timelines.slots.values.compactMap { slot in
            slot.worker.flatMap { worker in
                (try? PeerProcess.startTime(of: worker.id)).map {
                    "\(worker.id):\($0):\((slot.attempt ?? clock.uptime) + Self.patience)"
                }
            }
        }
        let left = survivors.map { "\($0.child.id):\($0.child.startTime):\($0.until)" }
        do { try Keeper.leave((own + left).joined(separator: " ")) } catch {
            Log.error("workers were not handed on", error)
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
        timelines.markStale()
    }

    private func endSurvivors() {
        let now = clock.uptime
        for worker in survivors where now >= worker.until {
            Log.note("a provider took too long")
            worker.child.terminate(milliseconds: ProviderRun.grace)
        }
        survivors.removeAll { now >= $0.until }
    }
}
