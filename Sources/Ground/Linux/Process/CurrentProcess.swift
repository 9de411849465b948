import CLinux
import Glibc

/// This process.
package enum CurrentProcess {
    /// Its real user id.
    package static var user: UInt32 { getuid() }
    /// Its process id.
    package static var id: Int32 { getpid() }
    /// How many descriptors it may have open at once (`RLIMIT_NOFILE`, see getrlimit(2)).
    package static var descriptorLimit: Int { max(0, cl_descriptor_limit()) }

    /// The path of a program that the shell would find; nil where there is none.
    package static func findProgram(_ name: String) throws(LinuxError) -> String? {
        for folder in (environment("PATH") ?? "/usr/bin:/bin").split(separator: ":") where folder.hasPrefix("/") {
            let path = folder + "/" + name
            if unsafe access(String(path), X_OK) == 0 { return String(path) }
        }
        return nil
    }

    /// Sets a variable for this process and those that it starts.
    package static func setEnvironment(_ name: String, _ value: String) { _ = unsafe setenv(name, value, 1) }

    /// Takes a variable away, for this process and those that it starts.
    package static func removeEnvironment(_ name: String) { _ = unsafe unsetenv(name) }

    /// The value of a variable; nil where it is not set.
    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The folder of the running program's file.
    package static func executableDirectory() throws(LinuxError) -> String {
        FileSystem.directory(of: try FileSystem.target(ofLink: "/proc/self/exe"))
    }
}

extension CurrentProcess {
    /// Replaces this process's image by a fresh one of its own program: nothing of its memory stays.
    ///
    /// Only for a program that has not made itself known to the daemon: what that saw holds for the process, whatever
    /// it executes. Another program is started, and never takes the place of one of ours.
    ///
    /// Returns only where that fails; then signals end it as if it had never listened. One that ``SignalDescriptor``
    /// has received and nobody has read ends the process here.
    ///
    /// - Parameter kept: descriptors that the fresh image inherits, under the same numbers.
    package static func replace(arguments: [String], keeping kept: [Int32]) {
        become("/proc/self/exe", name: CommandLine.arguments.first ?? "", arguments, keeping: kept)
    }

    /// Goes on as another program.
    ///
    /// For tests of what an execution does: no program of ours may call it, and none outside this target can.
    static func become(_ path: String, arguments: [String]) { become(path, name: path, arguments, keeping: []) }

    private static func become(_ path: String, name: String, _ arguments: [String], keeping kept: [Int32]) {
        for descriptor in kept { _ = fcntl(descriptor, F_SETFD, 0) }
        // A thread of the runtime may have every signal blocked, and the fresh image would stay deaf to all of them.
        var (none, former) = (sigset_t(), sigset_t())
        _ = unsafe (sigemptyset(&none), pthread_sigmask(SIG_SETMASK, &none, &former))
        cl_signal_release()
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        _ = unsafe argv.withUnsafeMutableBufferPointer { argv in
            guard let base = argv.baseAddress else { return Int32(-1) }
            return unsafe execv(path, base)
        }
        _ = unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
    }
}

/// How a program of ours ends.
package enum ProcessExit {
    /// The code of one that did what it was to do (EXIT_SUCCESS of exit(3)).
    package static var success: Int32 { EXIT_SUCCESS }

    /// Ends this process; what other threads do is cut off.
    package static func end(with code: Int32) -> Never { exit(code) }
}
