import Linux

/// Connections that said *identify*, and wait until enough of their programs' files was read.
///
/// The least that is left is read first, so that a small program waits for no large one. A value without a clock.
struct IdentificationQueue {
    struct Look {
        let connection: Connection
        let id: UInt32
        let content: ContentReading
        /// When it is given up, in milliseconds of the boot clock.
        let end: UInt64
    }

    /// So many files at once; the one of which most is left is given up for the one that comes.
    static let most = 16
    /// After which a program is not known by its content.
    static let longest = Duration.seconds(30)
    /// At a time.
    private static let turn = Duration.milliseconds(8)

    private var looks: [Look] = []

    var isEmpty: Bool { looks.isEmpty }

    mutating func begin(_ content: ContentReading, id: UInt32, for connection: Connection, end: UInt64) {
        connection.isLookedAt = true
        // A file is read once, however many run it.
        let known = looks.first { $0.content.file == content.file && !$0.content.hasEnded }
        looks.append(Look(connection: connection, id: id, content: known?.content ?? content, end: known?.end ?? end))
        guard Set(looks.map(\.content.file)).count > Self.most else { return }
        looks.max { $0.content.left < $1.content.left }?.content.giveUp()
    }

    /// Reads on for a turn.
    ///
    /// - Returns: those that are over, read or given up.
    mutating func goOn(at now: UInt64) -> [Look] {
        looks.removeAll { $0.connection.isClosed }
        for look in looks where now >= look.end { look.content.giveUp() }
        let end = SuspendingClock.now + Self.turn
        while let next = looks.filter({ !$0.content.hasEnded }).min(by: { $0.content.left < $1.content.left }) {
            next.content.goOn()
            if SuspendingClock.now >= end { break }
        }
        let over = looks.filter(\.content.hasEnded)
        looks.removeAll(where: \.content.hasEnded)
        for look in over { look.connection.isLookedAt = false }
        return over
    }
}
