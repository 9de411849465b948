import Linux

/// How much of what the daemon has one process may take, and who gives where there is not enough.
///
/// A rule as a value: what is taken comes in, who gives goes out. Two pools, of which neither takes from the other: one
/// for our own programs, so that the owner can always lock, unlock and ask; and one for everybody else, however many
/// processes they make of themselves. See docs/THREATS.md, "What a request costs and holds".
package struct ConnectionShares: Sendable {
    /// What a connection takes of something.
    package struct Claim: Equatable, Sendable {
        /// How ready it is to give: the first gives first.
        package enum Rank: Int, Sendable { case plain, subscriber, holder }

        /// The connection's number; a later one is higher.
        package var connection: UInt64
        /// Whose it is; a process's number and start.
        package var process: ProcessName
        /// Whether the process runs a program of ours: its claims count against a pool of their own.
        package var isOurs: Bool
        /// How ready it is to give.
        package var rank: Rank
        /// When it last sent a whole frame.
        package var lastActive: UInt64
        /// How much of it, in the pool's unit.
        package var amount: Int

        /// - Parameters:
        ///   - lastActive: when it last sent a whole frame.
        ///   - amount: in the pool's unit.
        package init(
            connection: UInt64, process: ProcessName, isOurs: Bool, rank: Rank, lastActive: UInt64, amount: Int
        ) {
            self.connection = connection
            self.process = process
            self.isOurs = isOurs
            self.rank = rank
            self.lastActive = lastActive
            self.amount = amount
        }
    }

    /// How much there is.
    package struct Pool: Equatable, Sendable {
        /// What one process may take of it.
        package var ofOneProcess: Int
        /// What all of the pool's processes may take together.
        package var inAll: Int
    }

    /// For the programs that came with the daemon.
    package let ours: Pool
    /// For all other programs.
    package let others: Pool

    /// Connections, of which each is one.
    package static let connections = ConnectionShares(
        ours: Pool(ofOneProcess: 16, inAll: 160), others: Pool(ofOneProcess: 32, inAll: 192))
    /// Bytes of locked memory for frames and replies that wait.
    ///
    /// Kernels grant 8 MiB in all (RLIMIT_MEMLOCK), and the longest frame, 1 MiB, lies there three times while it is
    /// answered.
    package static let waitingBytes = ConnectionShares(
        ours: Pool(ofOneProcess: 3 << 19, inAll: 4 << 19), others: Pool(ofOneProcess: 3 << 19, inAll: 5 << 19))

    /// - Returns: the connection that has to give, until what is left fits; nil where everything does.
    package func whoGives(_ claims: [Claim]) -> UInt64? {
        whoGives(claims.filter(\.isOurs), ours) ?? whoGives(claims.filter { !$0.isOurs }, others)
    }

    /// The process that takes most gives first, and of its connections the one that is silent longest.
    private func whoGives(_ claims: [Claim], _ pool: Pool) -> UInt64? {
        var taken: [ProcessName: Int] = [:]
        for claim in claims { taken[claim.process, default: 0] += claim.amount }
        let all = taken.values.reduce(0, +)
        let most = taken.values.max() ?? 0
        guard all > pool.inAll || most > pool.ofOneProcess else { return nil }
        let giving = claims.filter { $0.amount > 0 && taken[$0.process] == most }
        // Who came last is served first of all: else nobody came in beside those who are silent by nature.
        let newest = claims.map(\.connection).max()
        let older = giving.filter { $0.connection != newest }
        let isOwn = most > pool.ofOneProcess
        return (older.isEmpty ? giving : older).min { left, right in
            let (mine, theirs) = (Self.patience(left, isOwn), Self.patience(right, isOwn))
            return mine == theirs ? left.lastActive < right.lastActive : mine < theirs
        }?.connection
    }

    /// A process that took too much keeps its subscriptions longest.
    ///
    /// Among processes that have as much as each other, silence counts alone, or those that are silent by nature would
    /// keep everybody out; but our holders are kept.
    private static func patience(_ claim: Claim, _ isOwn: Bool) -> Int {
        if isOwn { return claim.rank.rawValue }
        return claim.isOurs && claim.rank == .holder ? 1 : 0
    }
}

/// A process, by its number and when it started: no later one has both.
package struct ProcessName: Hashable, Sendable {
    /// The process id.
    package let id: Int32
    /// In ticks of the boot clock, as proc(5)'s stat has it.
    package let startTime: UInt64

    /// - Parameter startTime: ticks of the boot clock.
    package init(id: Int32, startTime: UInt64) {
        self.id = id
        self.startTime = startTime
    }

    init(_ peer: borrowing PeerProcess) { self.init(id: peer.id, startTime: peer.startTime) }
}
