import Linux
import NotesClient
import Tresor
import Wire

/// What the program tresor-notes does, from its arguments to its exit code.
package enum NotesProgram {
    /// Runs until it is ended.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name; `--inherit LISTENER LOCK` from a former image of itself.
    ///   - clocks: of the kernel, but for tests.
    /// - Returns: the exit code.
    package static func run(_ arguments: [String], clocks: NotesClocks = NotesClocks()) -> Int32 {
        do {
            // An image that was executed anew shows itself again: exec(2) takes the protection away.
            Introduction.introduce()
            try Sandbox.harden()
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            return try serve(home, clocks, inheritance(arguments))
        } catch {
            Log.error("ended", error)
            return ExitCode.unavailable
        }
    }

    private static func serve(
        _ home: Home, _ clocks: NotesClocks, _ inheritance: NotesService.Inheritance?
    ) throws -> Int32 {
        let service: NotesService
        do { service = try NotesService(home: home, clocks: clocks, inheriting: inheritance) } catch {
            // The daemon ended while the device was being locked: nobody will answer at the socket that we were left.
            if inheritance != nil { try? FileSystem.remove(home.notesSocket) }
            throw error
        }
        Log.note("ready")
        try service.run()
        return 0
    }

    static func arguments(inheriting inheritance: NotesService.Inheritance) -> [String] {
        ["--inherit", "\(inheritance.listener)", "\(inheritance.lock)"]
    }

    private static func inheritance(_ arguments: [String]) -> NotesService.Inheritance? {
        guard arguments.count == 3, arguments[0] == "--inherit", let listener = Int32(arguments[1]),
            let lock = Int32(arguments[2]), listener > 2, lock > 2
        else { return nil }
        return NotesService.Inheritance(listener: listener, lock: lock)
    }
}

/// The log on standard error: what happened, by codes, never a word that a user typed.
enum Log {
    static func note(_ text: String) { write("info", text) }

    static func error(_ text: String, _ error: any Error) {
        let what =
            switch error {
            case let notes as NotesError: "\(notes.code)"
            case let linux as LinuxError: "\(linux)"
            default: "\(error)"
            }
        write("error", "\(text): \(what)")
    }

    private static func write(_ level: String, _ text: String) {
        _ = try? StandardStream.error.write("tresor-notes \(level) \(text)\n")
    }
}
