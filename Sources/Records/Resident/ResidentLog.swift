import FoundationEssentials
import Linux
import Localization
import Synchronization
import Tresor

/// A resident program's log on standard error: what happened, by codes, never a word that a user typed.
package struct ResidentLog: Sendable {
    /// Its name, which each line says.
    package let program: String

    /// - Parameter program: its name, for each line.
    package init(program: String) { self.program = program }

    /// Writes a line of what is as it should be; `text` is ours, never a user's.
    package func note(_ text: String) { write("info", text) }

    /// Writes a line of what should not be.
    ///
    /// - Parameters:
    ///   - text: ours, never a user's.
    ///   - code: of the failure, so that it can be looked up.
    package func error(_ text: String, _ code: String) { write("error", "\(text): \(code)") }

    /// - Parameter error: whose description has nothing of a user in it.
    package func error(_ text: String, _ error: any Error) { self.error(text, Self.words(of: error)) }

    /// An error's description in English, whatever language the process speaks: a log is the same for everybody.
    package static func words(of error: any Error) -> String {
        if let error = error as? TresorError { return error.logged }
        return Localization.speaking(nil) { "\(error)" }
    }

    private func write(_ level: String, _ text: String) {
        let verdict = Self.budget.withLock { $0.take(at: SystemClock.bootMilliseconds()) }
        guard verdict.isGranted else { return }
        let time = Date.now.formatted(.iso8601)
        if verdict.leftOut > 0 {
            _ = try? StandardStream.error.write("\(time) \(program) info \(verdict.leftOut) lines were left out\n")
        }
        _ = try? StandardStream.error.write("\(time) \(program) \(level) \(text)\n")
    }
}

extension ResidentLog {
    private static let budget = Mutex(LogBudget())
}

/// How much a log grows by what clients do: whoever sends bad frames all day fills no disk.
package struct LogBudget: Sendable {
    /// Lines in a minute.
    package static let most = 120
    private static let minute = Duration.seconds(60)
    private var begin: UInt64?
    private var count = 0
    private var leftOut = 0

    /// A budget of which nothing was taken.
    package init() {}

    /// - Parameter time: in milliseconds since the machine started.
    /// - Returns: whether a line may be written, and how many were not since the last one.
    package mutating func take(at time: UInt64) -> (isGranted: Bool, leftOut: Int) {
        if begin.map({ Duration(from: $0, to: time) >= Self.minute }) ?? true { (begin, count) = (time, 0) }
        guard count < Self.most else {
            leftOut += 1
            return (isGranted: false, leftOut: 0)
        }
        count += 1
        defer { leftOut = 0 }
        return (isGranted: true, leftOut: leftOut)
    }
}
