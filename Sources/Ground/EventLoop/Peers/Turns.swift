/// Whose turn it is: our own programs first, and of each kind the process that was served least of late.
///
/// A value without a clock. What one program asks for without end then waits behind the one question of another.
package struct Turns: Sendable {
    /// Milliseconds after which what was used counts half.
    private static let halving: UInt64 = 1000

    /// Nanoseconds that each process was served, of late.
    private var used: [ProcessName: UInt64] = [:]
    private var halvedAt: UInt64 = 0

    /// Nobody was served yet.
    package init() {}

    /// How long a process was served of late, in nanoseconds.
    package func served(_ process: ProcessName) -> UInt64 { used[process] ?? 0 }

    /// Counts what a process was served.
    ///
    /// - Parameter now: milliseconds.
    package mutating func count(_ nanoseconds: UInt64, for process: ProcessName, at now: UInt64) {
        if now >= halvedAt + Self.halving {
            halvedAt = now
            used = used.compactMapValues { $0 >= 2_000_000 ? $0 / 2 : nil }
        }
        used[process, default: 0] += nanoseconds
    }

    /// The order in which these are served; `indices` of what was handed in.
    package func order(_ waiting: [(process: ProcessName, isOurs: Bool)]) -> [Int] {
        waiting.indices.sorted { left, right in
            let (one, other) = (waiting[left], waiting[right])
            guard one.isOurs == other.isOurs else { return one.isOurs }
            let (mine, theirs) = (served(one.process), served(other.process))
            return mine == theirs ? left < right : mine < theirs
        }
    }
}
