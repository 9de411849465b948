import Linux
import Localization
package import Resident
import ResidentClient
import Wire
import WidgetClient

/// What the program tresor-widgets does, from its arguments to its exit code.
package enum WidgetRun {
    /// Serves until it is ended, or asks one provider and ends.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name; `--provide KIND` for one provider, with the number of who
    ///     keeps this process for one that a lock does not end, `--describe` for the programs of others.
    ///   - clocks: of the kernel, but for tests.
    /// - Returns: the exit code.
    package static func run(_ arguments: [String], clocks: ResidentClocks = ResidentClocks()) -> Int32 {
        // What it says of the programs of others goes to the log.
        if arguments == ["--describe"] { return ProviderRun.describe() }
        // It is started by the first program that shows widgets, so in a session of the person who looks.
        Localization.followEnvironment()
        if arguments.first == "--provide", (2...3).contains(arguments.count) {
            return ProviderRun.run(
                arguments[1], keeper: arguments.dropFirst(2).first.flatMap { Int32($0) }, clocks: clocks)
        }
        return ResidentRun.run(as: Log.program, { .widgets($0) }) { home, host in
            let service = try WidgetService(home: home, clocks: clocks, host: host)
            Log.note("ready")
            try service.run()
        }
    }
}

/// The log on standard error: what happened, by codes, never a word that a widget shows.
enum Log {
    static let program = "tresor-widgets"
    private static let log = ResidentLog(program: program)

    static func note(_ text: String) { log.note(text) }

    static func error(_ text: String, _ error: any Error) {
        switch error {
        case let known as WidgetError: log.error(text, "\(known.code)")
        default: log.error(text, error)
        }
    }
}
