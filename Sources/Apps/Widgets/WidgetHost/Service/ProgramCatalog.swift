import Linux
import Wire

/// What the programs of others have said that they have, and the worker that asks them anew where they are others than
/// the last time.
final class ProgramCatalog {
    /// Microseconds that all of them may take to say it.
    private static let patience: Int64 = 15_000_000
    /// Microseconds until those that had no time to say it may be asked again.
    private static let again: Int64 = 60_000_000

    private let home: Home
    private let clock: WidgetClock
    /// What they said last; nil where they are to be asked.
    private(set) var current: Catalog?
    /// When they were asked last, by ``WidgetClock/uptime``.
    private var lastDescription: Int64 = 0
    private var describer: (child: ChildProcess, since: Int64)?

    init(home: Home, clock: WidgetClock) {
        self.home = home
        self.clock = clock
        current = Catalog(home: home)
    }

    /// Whether they are being asked, and clients wait for the answer.
    var isAsking: Bool { describer != nil }

    /// When they take too long, by ``WidgetClock/uptime``.
    var deadline: Int64? { describer.map { $0.since + Self.patience } }

    /// Whether the programs of others are those that were asked.
    var isCurrent: Bool { current?.isCurrent(home) ?? false }

    /// Whether some had no time the last time, and may be given another try.
    var isWorthAnotherTry: Bool { current?.isWhole == false && clock.uptime >= lastDescription + Self.again }

    /// Starts to ask them.
    ///
    /// - Returns: whether they are being asked now.
    func ask() -> Bool {
        guard describer == nil else { return true }
        do {
            let child = try ChildProcess(worker: ProviderRun.program, ["--describe"])
            describer = (child: child, since: clock.uptime)
            lastDescription = clock.uptime
            return true
        } catch {
            Log.error("the programs were not asked", error)
            return false
        }
    }

    /// - Returns: whether an answer has come.
    func takeAnswer() -> Bool {
        guard let child = describer?.child, child.end() != nil else { return false }
        describer = nil
        current = Catalog(home: home)
        return true
    }

    /// Programs that take too long are none.
    ///
    /// - Returns: whether they did.
    func endLate() -> Bool {
        guard let deadline, clock.uptime >= deadline else { return false }
        Log.note("the programs took too long")
        stop()
        return true
    }

    /// What it has not found out by now another one is asked.
    func stop() {
        // Not killed: it has to end what it started.
        describer?.child.terminate(milliseconds: ProviderRun.grace)
        describer = nil
    }
}
