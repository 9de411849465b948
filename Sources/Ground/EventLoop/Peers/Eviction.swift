/// Something waits until every holder has let go: each is told, whoever is late is killed, and whoever was killed and
/// does not end is given up.
///
/// A value without I/O or clock: it is told what happened and what time it is, and says what to do. Times are
/// milliseconds of whatever clock.
package struct Eviction<Peer: Hashable & Sendable>: Sendable {
    /// What to do to a holder.
    package enum Action: Equatable, Sendable {
        /// Tell it to let go.
        case tell(Peer)
        /// End its process: it has not let go in time.
        case kill(Peer)
        /// Wait for it no more: it was killed, and has not ended.
        case giveUp(Peer)
    }

    private enum Stage: Equatable, Sendable { case told, killed }

    private struct Waiting: Sendable {
        /// In the order in which they were told.
        var holders: [(peer: Peer, stage: Stage)] = []
        /// For all of them: who is told later has no more time than the others.
        var deadline: UInt64
    }

    private enum State: Sendable {
        case idle
        case waiting(Waiting)
    }

    /// How long a holder has to let go.
    package let patience: UInt64
    /// How long one that was killed has to end.
    package let dying: UInt64
    private var state = State.idle

    /// Nobody is waited for.
    package init(patience: UInt64, dying: UInt64) {
        self.patience = patience
        self.dying = dying
    }

    private var waiting: Waiting? {
        switch state {
        case .idle: nil
        case .waiting(let waiting): waiting
        }
    }

    /// Whether it has begun and its end was not taken yet.
    package var isUnderWay: Bool { waiting != nil }

    /// When ``goOn(at:)`` has something to do; nil where nobody is waited for.
    package var deadline: UInt64? { waiting?.deadline }

    /// Whether this one is still waited for.
    package func waits(for peer: Peer) -> Bool { waiting?.holders.contains { $0.peer == peer } ?? false }

    /// Begins, or goes on with more of them.
    ///
    /// - Parameter holders: everybody who holds something; who was told already is not told again.
    package mutating func begin(_ holders: [Peer], at now: UInt64) -> [Action] {
        let fresh = holders.filter { !waits(for: $0) }
        guard !fresh.isEmpty else { return [] }
        var waiting = self.waiting ?? Waiting(deadline: now + patience)
        waiting.holders += fresh.map { (peer: $0, stage: Stage.told) }
        state = .waiting(waiting)
        return fresh.map { Action.tell($0) }
    }

    /// Its process was ended before its time: it could not be told.
    package mutating func wasKilled(_ peer: Peer) {
        change { waiting in
            for index in waiting.holders.indices where waiting.holders[index].peer == peer {
                waiting.holders[index].stage = .killed
            }
        }
    }

    /// It has let go: its connection has ended.
    package mutating func left(_ peer: Peer) { change { $0.holders.removeAll { $0.peer == peer } } }

    /// What is due by now.
    package mutating func goOn(at now: UInt64) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        var actions: [Action] = []
        let next = now + dying
        change { waiting in
            actions = waiting.holders.map { $0.stage == .told ? Action.kill($0.peer) : Action.giveUp($0.peer) }
            waiting.holders = waiting.holders.filter { $0.stage == .told }.map { (peer: $0.peer, stage: Stage.killed) }
            waiting.deadline = next
        }
        return actions
    }

    /// Whether it is over; true once.
    package mutating func takeEnd() -> Bool {
        guard let waiting, waiting.holders.isEmpty else { return false }
        state = .idle
        return true
    }

    private mutating func change(_ body: (inout Waiting) -> Void) {
        guard var changed = waiting else { return }
        body(&changed)
        state = .waiting(changed)
    }
}
