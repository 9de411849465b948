import CLinux
import Glibc

/// Starting and watching other programs of ours.
package struct ChildProcess: Sendable {
    /// Its number, another's as soon as its end was taken.
    package let id: Int32

    /// Starts a program that gets an empty environment and exactly `descriptors`, as 3, 4, and so on.
    package init(path: String, name: String, descriptors: [Int32]) throws(LinuxError) {
        let id = unsafe descriptors.withUnsafeBufferPointer {
            unsafe cl_spawn(path, name, $0.baseAddress, Int32($0.count))
        }
        self.id = try LinuxError.check(id, "fork", path: path)
    }

    /// Starts a program in a session of its own that outlives this process; it keeps the environment.
    package init(detached path: String, arguments: [String], output: borrowing FileDescriptor) throws(LinuxError) {
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        let id = unsafe argv.withUnsafeMutableBufferPointer {
            unsafe cl_spawn_detached(path, $0.baseAddress, output.raw)
        }
        self.id = try LinuxError.check(id, "fork", path: path)
    }

    /// How a process ended.
    package enum End: Equatable, Sendable {
        case exited(code: Int32)
        case killed(signal: Int32)

        /// It did what it was to do.
        package static var success: End { .exited(code: ProcessExit.success) }
    }

    /// The exit codes with which a program that could not be run ends, as a shell has them.
    package static let cannotExecute: Int32 = 126
    package static let notFound: Int32 = 127
    /// What nobody can survive; also the kernel's where memory is short.
    package static let killSignal: Int32 = SIGKILL
    /// Sent to who writes beyond RLIMIT_FSIZE.
    package static let fileSizeSignal: Int32 = SIGXFSZ

    /// How it ended; nil while it runs.
    ///
    /// Never waits, and answers once.
    package func end() -> End? {
        var status: Int32 = 0
        guard unsafe waitpid(id, &status, WNOHANG) == id else { return nil }
        return Self.end(status)
    }

    /// Waits for its end.
    package func waitForEnd() -> End {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 && errno == EINTR {}
        return Self.end(status)
    }

    /// What waitpid(2) says of an end.
    static func end(_ status: Int32) -> End {
        let signal = status & 0x7f
        return signal == 0 ? .exited(code: (status >> 8) & 0xff) : .killed(signal: signal)
    }

    /// Starts a program of the system, gives it `input`, and does not wait for its end.
    package static func run(_ path: String, _ arguments: [String], input: RawSpan) throws(LinuxError) {
        let (reading, writing) = try UnixSocket.makePair()
        let far = FileDescriptor(owning: reading)
        let near = FileDescriptor(owning: writing)
        let null = try FileDescriptor.open("/dev/null", O_WRONLY)
        let child = try ChildProcess(path: path, arguments: arguments, input: far, output: null)
        _ = child
        _ = try near.writeAll(input)
    }

    init(
        path: String, arguments: [String], input: borrowing FileDescriptor, output: borrowing FileDescriptor
    ) throws(LinuxError) {
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        let id = unsafe argv.withUnsafeMutableBufferPointer {
            unsafe cl_spawn_filter(path, $0.baseAddress, input.raw, output.raw)
        }
        self.id = try LinuxError.check(id, "fork", path: path)
    }

    /// Starts a program that keeps the environment and standard error, and gets nothing to read.
    package init(worker path: String, _ arguments: [String]) throws(LinuxError) {
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        let id = unsafe argv.withUnsafeMutableBufferPointer { unsafe cl_spawn_filter(path, $0.baseAddress, -1, 2) }
        self.id = try LinuxError.check(id, "fork", path: path)
    }

    private init(id: Int32) { self.id = id }

    init(known id: Int32) { self.init(id: id) }

    /// Whether a process of this number is there and has not ended.
    package static func isRunning(_ id: Int32) -> Bool {
        var status: Int32 = 0
        _ = unsafe waitpid(id, &status, WNOHANG)
        return Glibc.kill(id, 0) == 0
    }

    /// Asks this child to end (SIGTERM).
    package func askToEnd() { if id > 1 { _ = Glibc.kill(id, SIGTERM) } }

    /// Ends a process that is no child of ours, and of which the kernel has told us the number.
    package static func kill(_ id: Int32) { if id > 1 { _ = Glibc.kill(id, SIGKILL) } }

    /// Lets go of children that have ended, such as resident programs that were started on the way.
    ///
    /// - Parameter kept: one whose end is taken elsewhere; nil for none.
    package static func reap(allBut kept: Int32?) { cl_reap_others(kept ?? 0) }

    /// Ends it at once, and takes its end.
    package func kill() {
        _ = Glibc.kill(id, SIGKILL)
        var status: Int32 = 0
        _ = unsafe waitpid(id, &status, 0)
    }
}

/// What /proc tells of a process.
package struct ProcessUsage: Sendable, Equatable {
    /// What it has in memory now.
    package var residentBytes: UInt64 = 0
    /// How long processors have worked for it.
    package var cpuMicroseconds: UInt64 = 0
    /// What it has sent to disks.
    package var writtenBytes: UInt64 = 0

    /// - Throws: `LinuxError` when there is no such process.
    package init(of process: Int32) throws(LinuxError) {
        try LinuxError.check(
            unsafe cl_process_usage(process, &residentBytes, &cpuMicroseconds, &writtenBytes), "/proc/PID/stat")
    }
}

/// The signals that end a daemon, as a descriptor to poll.
package struct SignalDescriptor: ~Copyable {
    /// What a signal means to a program of ours: that it shall end, that a child has ended, or nothing.
    package enum Signal: Sendable { case end, childEnded, other }

    /// To poll.
    package let descriptor: FileDescriptor

    /// From now on these signals end nobody at once: they wait here.
    package init() throws(LinuxError) {
        descriptor = FileDescriptor(owning: try LinuxError.check(cl_signal_fd(), "sigaction"))
    }

    /// The next signal that arrived; nil when there is none.
    package func next() -> Signal? {
        switch cl_signal_read(descriptor.raw) {
        case SIGTERM, SIGINT, SIGHUP: .end
        case SIGCHLD: .childEnded
        case let number where number > 0: .other
        default: nil
        }
    }
}
