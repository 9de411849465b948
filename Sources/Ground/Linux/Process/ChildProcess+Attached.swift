import CLinux
import Glibc

extension ChildProcess {
    /// Starts a program in this one's place at its terminal: with the environment and the three standard streams, and
    /// no other descriptor.
    ///
    /// - Throws: `LinuxError`; `isMissing` where there is no such program.
    package init(attached path: String, arguments: [String]) throws(LinuxError) {
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        // A thread of ours may have signals blocked, and our programs ignore SIGPIPE; both would be inherited.
        var attributes = posix_spawnattr_t()
        var (none, pipes) = (sigset_t(), sigset_t())
        _ = unsafe (
            posix_spawnattr_init(&attributes), sigemptyset(&none), sigemptyset(&pipes), sigaddset(&pipes, SIGPIPE)
        )
        defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
        _ = unsafe (
            posix_spawnattr_setsigmask(&attributes, &none), posix_spawnattr_setsigdefault(&attributes, &pipes),
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        )
        // Ours are closed by the kernel; these are what this program was started with itself.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
        for other in try FileSystem.names(in: "/proc/self/fd").compactMap({ Int32($0) }) where other > 2 {
            _ = unsafe posix_spawn_file_actions_addclose(&actions, other)
        }
        var id: pid_t = 0
        let code = unsafe argv.withUnsafeMutableBufferPointer { argv -> Int32 in
            guard let base = argv.baseAddress else { return EINVAL }
            return unsafe posix_spawn(&id, path, &actions, &attributes, base, environ)
        }
        guard code == 0 else { throw LinuxError(call: "posix_spawn", code: code, path: path) }
        self.init(known: id)
    }

    /// Runs a program of the system at this terminal, with this environment, and waits for its end.
    package static func runInTerminal(_ path: String, _ arguments: [String]) throws(LinuxError) -> End {
        try ChildProcess(attached: path, arguments: arguments).waitForEnd()
    }

    /// Waits for its end, and passes on the signals that end this process meanwhile.
    ///
    /// - Parameter signals: of this process, from before the start.
    package func waitPassingOn(_ signals: borrowing SignalDescriptor) throws(LinuxError) -> End {
        while true {
            if let end = end() { return end }
            try Poll.wait(untilReadable: signals.descriptor.raw, milliseconds: nil)
            while let signal = signals.next() { if case .end = signal { requestEnd() } }
        }
    }
}

extension ChildProcess.End {
    /// As a shell says it.
    package var exitCode: Int32 {
        switch self {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        }
    }
}
