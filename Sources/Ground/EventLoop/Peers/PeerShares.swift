/// How much of what a program has one process may take, and who gives where there is not enough.
///
/// A rule as a value: what is taken comes in, who gives goes out. Two pools, of which neither takes from the other: one
/// for our own programs, so that the owner is always heard; and one for everybody else, however many processes they
/// make of themselves. See docs/THREATS.md, "What a request costs and holds".
///
/// - Whoever has hung up gives first: it wants nothing any more, and pushes nobody away.
/// - Then the process that takes most, and of its connections the one that is silent longest.
/// - A window never gives. So that others find a place beside them, windows never take all of them.
package struct PeerShares: Equatable, Sendable {
    /// What a connection takes of something.
    package struct Claim: Equatable, Sendable {
        /// How ready it is to give: the first gives first, a window never.
        package enum Rank: Int, Sendable { case plain, subscriber, holder, window }

        /// Names the connection; who came last has the greatest number.
        package var peer: UInt64
        /// Whose it is.
        package var process: ProcessName
        /// Whether that is a program of ours.
        package var isOurs: Bool
        /// How ready it is to give.
        package var rank: Rank
        /// When it last did something, in milliseconds.
        package var lastActive: UInt64
        /// How much of it, in the pool's unit.
        package var amount: Int
        /// Whether its other end is gone.
        package var hasHungUp: Bool

        /// A claim to one connection, or to so many bytes.
        package init(
            peer: UInt64, process: ProcessName, isOurs: Bool = false, rank: Rank, lastActive: UInt64, amount: Int = 1,
            hasHungUp: Bool = false
        ) {
            self.peer = peer
            self.process = process
            self.isOurs = isOurs
            self.rank = rank
            self.lastActive = lastActive
            self.amount = amount
            self.hasHungUp = hasHungUp
        }
    }

    /// How much there is.
    package struct Pool: Equatable, Sendable {
        /// For each process.
        package var ofOneProcess: Int
        /// For all of them.
        package var inAll: Int

        /// - Precondition: one process has no more than there is.
        package init(ofOneProcess: Int, inAll: Int) {
            self.ofOneProcess = ofOneProcess
            self.inAll = inAll
        }
    }

    /// For our own programs.
    package let ours: Pool
    /// For everybody else.
    package let others: Pool
    /// How many of the others' connections may be windows.
    package let windows: Pool

    /// - Parameter windows: fewer than there are places, whatever is said here; none where nothing is said.
    package init(ours: Pool, others: Pool, windows: Pool = Pool(ofOneProcess: 0, inAll: 0)) {
        self.ours = ours
        self.others = others
        self.windows = Pool(ofOneProcess: windows.ofOneProcess, inAll: min(windows.inAll, others.inAll - 1))
    }

    /// Who has to give, until what is left fits; nobody where everything does.
    ///
    /// - Parameter look: says who has hung up; it is asked only where something does not fit.
    package func whoGive(_ claims: [Claim], hungUp look: () -> Set<UInt64>) -> [UInt64] {
        guard whoGives(claims) != nil else { return [] }
        let hungUp = look()
        var left = claims
        for index in left.indices where hungUp.contains(left[index].peer) { left[index].hasHungUp = true }
        var giving: [UInt64] = []
        while let peer = whoGives(left) {
            giving.append(peer)
            left.removeAll { $0.peer == peer }
        }
        return giving
    }

    /// - Returns: the connection that has to give, until what is left fits; nil where everything does.
    package func whoGives(_ claims: [Claim]) -> UInt64? {
        whoGives(claims.filter(\.isOurs), ours) ?? whoGives(claims.filter { !$0.isOurs }, others)
    }

    private func whoGives(_ claims: [Claim], _ pool: Pool) -> UInt64? {
        let taken = Self.sums(claims)
        let greedy = Set(taken.filter { $0.value > pool.ofOneProcess }.keys)
        guard !greedy.isEmpty || taken.values.reduce(0, +) > pool.inAll else { return nil }
        let isOwn = !greedy.isEmpty
        let concerned = claims.filter { $0.amount > 0 && (!isOwn || greedy.contains($0.process)) }
        let gone = concerned.filter(\.hasHungUp)
        if let first = gone.min(by: { $0.lastActive < $1.lastActive }) { return first.peer }
        let newest = claims.map(\.peer).max()
        return giving(concerned, newest: newest, isOwn: isOwn) ?? newest
    }

    private func giving(_ claims: [Claim], newest: UInt64?, isOwn: Bool) -> UInt64? {
        let taken = Self.sums(claims)
        let free = claims.filter { $0.rank != .window }
        let older = free.filter { $0.peer != newest }
        let largest = Self.ofLargest(free, taken)
        // Who came last is served first of all: else nobody came in beside those who are silent by nature. It gives
        // itself where it takes most by itself; that its process has windows is none of this.
        var giving = largest.filter { $0.peer != newest }
        if giving.isEmpty {
            let hasWindows = largest.contains { taken[$0.process] != $0.amount }
            giving = hasWindows && !older.isEmpty ? Self.ofLargest(older, taken) : largest
        }
        return giving.min { left, right in
            let (mine, theirs) = (Self.patience(left, isOwn), Self.patience(right, isOwn))
            return mine == theirs ? left.lastActive < right.lastActive : mine < theirs
        }?.peer
    }

    /// Those of the process that takes most, of those that have any of these.
    private static func ofLargest(_ claims: [Claim], _ taken: [ProcessName: Int]) -> [Claim] {
        let most = claims.compactMap { taken[$0.process] }.max()
        return claims.filter { taken[$0.process] == most }
    }

    private static func sums(_ claims: [Claim]) -> [ProcessName: Int] {
        var sums: [ProcessName: Int] = [:]
        for claim in claims { sums[claim.process, default: 0] += claim.amount }
        return sums
    }

    /// A process that took too much keeps its subscriptions longest.
    ///
    /// Among processes that have as much as each other, silence counts alone, or those that are silent by nature would
    /// keep everybody out; but our holders are kept.
    private static func patience(_ claim: Claim, _ isOwn: Bool) -> Int {
        if isOwn { return claim.rank.rawValue }
        return claim.isOurs && claim.rank == .holder ? 1 : 0
    }

    /// Whether one more of a process may become a window.
    package func hasRoomForWindow(of process: ProcessName, among claims: [Claim]) -> Bool {
        let open = claims.filter { $0.rank == .window }
        return open.count < windows.inAll && open.count { $0.process == process } < windows.ofOneProcess
    }
}
