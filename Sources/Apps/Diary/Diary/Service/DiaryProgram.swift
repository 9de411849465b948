import DiaryClient
import Linux
package import Resident
import ResidentClient

/// What the program tresor-diary does, from its arguments to its exit code.
package enum DiaryProgram {
    /// Runs until it is ended.
    ///
    /// - Parameter clocks: of the kernel, but for tests.
    /// - Returns: the exit code.
    package static func run(clocks: ResidentClocks = ResidentClocks()) -> Int32 {
        ResidentRun.run(as: Log.program, { .diary($0) }) { home, host in
            let service = try DiaryService(home: home, clocks: clocks, host: host)
            Log.note("ready")
            try service.run()
        }
    }
}

/// The log on standard error: what happened, by codes, never a word that a user typed.
enum Log {
    static let program = "tresor-diary"
    private static let log = ResidentLog(program: program)

    static func note(_ text: String) { log.note(text) }

    static func error(_ text: String, _ error: any Error) {
        switch error {
        case let diary as DiaryError: log.error(text, "\(diary.code)")
        default: log.error(text, error)
        }
    }
}
