import KeychainStore
import Linux
import Logging
import Protection

/// When the trash is looked through for what has lain there long enough, and how far that is.
struct TrashRounds {
    /// Behind a start, so that a clock which a machine sets late has been set.
    private static let first = Duration.seconds(600)
    /// Between two rounds.
    private static let pause = Duration.seconds(3600)
    /// Between two parts of a round, so that nobody waits for more than one.
    private static let part = Duration.milliseconds(50)

    /// By the boot clock, in milliseconds.
    private(set) var due: UInt64
    /// Behind which row this round goes on.
    private var row: Int64 = 0
    /// How many items have gone in this round.
    private var removed = 0

    /// - Parameter start: the boot clock of now, in milliseconds.
    init(start: UInt64) { due = start + Self.first.wholeMilliseconds }

    /// Looks at the next rows, if it is time.
    ///
    /// - Parameters:
    ///   - days: after how many days something goes; 0 is never.
    ///   - look: removes what is due of the rows behind one.
    /// - Returns: how many items have gone, at the end of a round in which any did.
    mutating func goOn(
        at now: UInt64, days: UInt32, _ look: (Duration, Int64) throws -> (removed: Int, next: Int64?)
    ) rethrows -> Int? {
        guard now >= due else { return nil }
        // Also where a look fails.
        due = now + Self.pause.wholeMilliseconds
        guard days > 0 else { return nil }
        let begin = row
        row = 0
        let part = try look(.seconds(Int64(days) * 24 * 3600), begin)
        removed += part.removed
        if let next = part.next {
            row = next
            due = now + Self.part.wholeMilliseconds
            return nil
        }
        defer { removed = 0 }
        return removed > 0 ? removed : nil
    }
}

extension DaemonLoop {
    /// Removes what has lain in the trash for as long as its owner wants, and says how much, but not what it was.
    func expireTrash(_ now: UInt64) {
        do {
            let removed = try trashRounds.goOn(at: now, days: device.trashDays) { time, row in
                try device.store.expireTrash(after: time, behind: row)
            }
            if let removed { log.info("left the trash for good", metadata: ["items": "\(removed)"]) }
        } catch {
            log.error("the trash could not be looked through", metadata: ["error": "\(error)"])
        }
    }
}
