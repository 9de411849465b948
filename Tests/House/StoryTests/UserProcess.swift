import Glibc
import Linux

/// A program that a test starts, in a process group of its own.
///
/// Foundation's Process keeps a source in the run loop of the thread that starts it; hundreds that begin and end beside
/// one another have brought down the whole run.
final class UserProcess {
    let id: Int32
    private var ended: Int32?

    /// - Parameters:
    ///   - environment: `NAME=value`.
    ///   - descriptors: what becomes standard input, output and error.
    init(_ command: [String], environment: [String], descriptors: [Int32]) throws {
        var (actions, attributes, none, all) = (
            posix_spawn_file_actions_t(), posix_spawnattr_t(), sigset_t(), sigset_t()
        )
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        // A thread of the tests may have signals blocked or ignored, and a program would inherit that.
        _ = (sigemptyset(&none), sigfillset(&all))
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let (words, names) = (Self.copy(command), Self.copy(environment))
        defer { (words + names).forEach { free($0) } }
        var id: pid_t = 0
        let failure = posix_spawn(&id, command[0], &actions, &attributes, words, names)
        guard failure == 0 else { throw LinuxError(call: "posix_spawn", code: failure) }
        self.id = id
    }

    private static func copy(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] { words.map { strdup($0) } + [nil] }

    var isRunning: Bool { look(WNOHANG) == nil }

    /// Its exit code, or minus the signal that ended it.
    ///
    /// A program that hangs is ended, and fails its test alone.
    @discardableResult
    func waitForEnd(seconds: Int = 30) -> Int32 {
        for _ in 0..<seconds * 500 {
            if let end = look(WNOHANG) { return end }
            usleep(2000)
        }
        return end()
    }

    /// Ends it and whoever it has started in its group.
    @discardableResult
    func end() -> Int32 {
        if ended == nil { kill(-id, SIGKILL) }
        return look(0) ?? 0
    }

    private func look(_ options: Int32) -> Int32? {
        var status: Int32 = 0
        if ended == nil, waitpid(id, &status, options) == id {
            let signal = status & 0x7f
            ended = signal == 0 ? (status >> 8) & 0xff : -signal
        }
        return ended
    }
}
