import Secrets

/// How long items have lain in the trash, as far as can be known: a clock that is set ends nothing early.
///
/// Of what was put there since this program started, the steady clock tells, which nobody sets. Of the rest there is
/// only the day that was noted, and the wall's clock: how it goes on from the start by the steady clock, and what it
/// says now; the earlier of both counts. What has a day that is still to come was put there by a wrong clock, or is
/// looked at by one: it counts from the start of this program.
final class TrashAges {
    /// By how much a day may differ from what is known of it.
    private static let tolerance: Int64 = 24 * 3600 * 1_000_000

    /// Microseconds since 1970.
    private let clock: () -> Int64
    /// Milliseconds since the machine started.
    private let steadyClock: () -> UInt64
    /// What both said when this program started.
    private let start: (wall: Int64, steady: Int64)
    /// When by the steady clock, in microseconds, items were put there since, or how long they are known to lie there.
    private var known: [Identifier: Int64] = [:]

    init(clock: @escaping () -> Int64, steadyClock: @escaping () -> UInt64) {
        self.clock = clock
        self.steadyClock = steadyClock
        start = (wall: clock(), steady: Self.microseconds(steadyClock()))
    }

    private static func microseconds(_ milliseconds: UInt64) -> Int64 { Int64(clamping: milliseconds) * 1000 }

    private var steady: Int64 { Self.microseconds(steadyClock()) }

    /// The day that is noted of an item that is put there now.
    var today: Int64 { clock() }

    /// An item was put there.
    func begin(_ item: Identifier) { known[item] = steady }

    /// An item lies there no more.
    func end(_ item: Identifier) { known[item] = nil }

    /// In microseconds; below zero where the clock was set back a little.
    ///
    /// - Parameter date: the day that was noted.
    func age(of item: Identifier, since date: Int64) -> Int64 {
        if known[item] == nil, date > clock() + Self.tolerance { known[item] = start.steady }
        if let begin = known[item] { return steady - begin }
        return min(clock(), start.wall + steady - start.steady) - date
    }

    /// A later day than the one that was noted, where a clock that went wrong made that; nil where it will do.
    ///
    /// It would be believed at the next start. No day becomes an earlier one: the clock may be wrong now.
    func correction(of item: Identifier, since date: Int64) -> Int64? {
        guard known[item] != nil else { return nil }
        let right = clock() - age(of: item, since: date)
        return right > date + Self.tolerance ? right : nil
    }
}
