import CLinux
import Glibc

extension ChildProcess {
    /// Starts a program of somebody's that reads its standard input and writes its standard output.
    ///
    /// It has a session of its own, so no terminal, and a process group that ``endGroup()`` ends; the environment that
    /// is named; its own path as the only argument, `/` to work in, and no other descriptor. Its standard error is
    /// `/dev/null`. No shell is asked: a file that is no program, and does not name its interpreter, does not start.
    ///
    /// - Throws: `LinuxError`; `isMissing` where there is no such program.
    package init(
        program path: String, environment: [String], input: borrowing FileDescriptor, output: borrowing FileDescriptor
    ) throws(LinuxError) {
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe envp.forEach { unsafe free($0) } }
        let id = unsafe envp.withUnsafeMutableBufferPointer {
            unsafe cl_spawn_program(path, $0.baseAddress, input.raw, output.raw)
        }
        self.id = try LinuxError.check(id, "posix_spawn", path: path)
    }

    /// Starts a program in a session of its own, out of reach of the terminal's keys and end.
    ///
    /// It keeps the environment, gets these two and no other descriptor, `/` to work in, and `/dev/null` for standard
    /// error.
    ///
    /// - Parameter livesOn: whether it may outlive the thread that starts it; else it is asked to end then, also where
    ///   this process was killed.
    package init(
        aside path: String, arguments: [String], input: borrowing FileDescriptor, output: borrowing FileDescriptor,
        livesOn: Bool
    ) throws(LinuxError) {
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        let id = unsafe argv.withUnsafeMutableBufferPointer {
            unsafe cl_spawn_aside(path, $0.baseAddress, input.raw, output.raw, livesOn ? 1 : 0)
        }
        self.init(known: try LinuxError.check(id, "fork", path: path))
    }

    /// Runs a program of the system that reads nothing, and of which nothing is read.
    ///
    /// - Parameter milliseconds: how long it may take; then it is ended.
    /// - Returns: whether it did what it was to do.
    package static func succeeds(
        _ path: String, _ arguments: [String], within milliseconds: UInt64
    ) throws(LinuxError) -> Bool {
        let null = try FileDescriptor.open("/dev/null", FileFlags.readWrite)
        let child = try ChildProcess(aside: path, arguments: arguments, input: null, output: null, livesOn: true)
        guard child.ends(within: milliseconds) else {
            child.kill()
            return false
        }
        return child.waitForEnd() == .success
    }

    /// Waits for its end, but not for ever.
    ///
    /// - Returns: whether it has ended; somebody has still to take its end.
    package func ends(within milliseconds: UInt64) -> Bool {
        let time = SystemClock.bootMilliseconds() + milliseconds
        while !hasEnded() {
            guard SystemClock.bootMilliseconds() < time else { return false }
            SystemClock.sleep(milliseconds: 2)
        }
        return true
    }

    /// Whether it has ended; its number stays its own until somebody waits for it.
    package func hasEnded() -> Bool {
        var info = unsafe siginfo_t()
        let result = unsafe waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT)
        if result != 0 { return errno != EINTR }
        return unsafe info.si_signo == SIGCHLD
    }

    /// Kills it and what it has started, but for what has left its group, and waits for it.
    ///
    /// - Returns: how it ended; by SIGKILL where it had not.
    package func endGroup() -> End {
        // Nobody has waited for it: the number of the group can't have become another's.
        _ = Glibc.kill(-id, SIGKILL)
        let end = waitForEnd()
        cl_guard_group(0)
        return end
    }

    /// From now on SIGTERM, and the end of the process that started this one, end the group of the program that was
    /// started last, and this process.
    ///
    /// - Parameter keeper: of the ward that started this process; it outlives a ward that leaves it to the next one,
    ///   and that a minute at most.
    package static func endGroupWithThisProcess(keeper: Int32? = nil) throws(LinuxError) {
        try LinuxError.check(cl_end_guarded_group(keeper ?? 0), "prctl")
    }

    /// Asks it to end, be it stopped.
    package func requestEnd() {
        _ = Glibc.kill(id, SIGTERM)
        _ = Glibc.kill(id, SIGCONT)
    }

    /// Asks it to end, and ends it where it does not in time.
    package func terminate(milliseconds: UInt64) {
        requestEnd()
        let time = SystemClock.bootMilliseconds() + milliseconds
        while SystemClock.bootMilliseconds() < time {
            if hasEnded() { break }
            SystemClock.sleep(milliseconds: 1)
        }
        kill()
    }
}

/// A pipe: what is written to one end is read from the other.
///
/// No program that is started inherits an end.
package struct BytePipe: ~Copyable {
    /// The end that is read.
    package let reading: FileDescriptor
    /// The end that is written.
    package let writing: FileDescriptor

    /// Opens both ends.
    ///
    /// - Throws: `LinuxError` where there are no more descriptors.
    package init() throws(LinuxError) {
        var ends: [Int32] = [-1, -1]
        try LinuxError.check(unsafe ends.withUnsafeMutableBufferPointer { unsafe cl_pipe($0.baseAddress) }, "pipe2")
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// The end that is read, where the other one is given away or no longer needed.
    package consuming func closeWriting() -> FileDescriptor { reading }

    /// The end that is written, where the other one is given away.
    package consuming func closeReading() -> FileDescriptor { writing }

    /// The end that is read of a pipe that holds `bytes` and nothing behind them.
    ///
    /// - Parameter bytes: at most 4096 (PIPE_BUF), so that they have room and no reader is waited for.
    package static func holding(_ bytes: [UInt8]) throws(LinuxError) -> FileDescriptor {
        guard bytes.count <= 4096 else { throw LinuxError(call: "write", code: EMSGSIZE) }
        let pipe = try BytePipe()
        guard try pipe.writing.writeAll(unsafe bytes.span.bytes) else { throw LinuxError(call: "write", code: EPIPE) }
        return pipe.closeWriting()
    }
}
