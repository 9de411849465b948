import Glibc

/// A system call that failed: which one, why, and on what.
package struct LinuxError: Error, Equatable, CustomStringConvertible {
    /// The call, as its manual page names it.
    package let call: String
    /// The errno value.
    package let code: Int32
    /// The file it was about.
    ///
    /// Only paths of our own state ever stand here, never a user's data.
    package let path: String?

    /// - Parameters:
    ///   - call: as its manual page names it.
    ///   - code: the errno value.
    ///   - path: of our own state alone.
    package init(call: String, code: Int32, path: String? = nil) {
        self.call = call
        self.code = code
        self.path = path
    }

    /// Codes by name, for what is refused before the kernel is asked (errno(3)).
    ///
    /// Computed: their first use may be behind the enclave's sandbox, where nothing is to be made ready.
    package enum Code {
        /// Nothing is there.
        package static var missing: Int32 { ENOENT }
        /// There is no such process.
        package static var noProcess: Int32 { ESRCH }
        /// It may be there in a moment.
        package static var again: Int32 { EAGAIN }
        /// No memory is left.
        package static var noMemory: Int32 { ENOMEM }
        /// It is larger than a limit allows.
        package static var tooLarge: Int32 { EFBIG }
        /// Whoever was to read it is gone.
        package static var brokenPipe: Int32 { EPIPE }
    }

    /// The kernel's words for the code, with the path where there is one.
    package var description: String {
        let reason = unsafe String(cString: strerror(code))
        return path.map { "\($0): \(reason) (\(call))" } ?? "\(reason) (\(call))"
    }

    /// Whether the disk, or the user's share of it, is full.
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }
    /// Whether the kernel has no room for one more, or no memory, in a call that writes no file.
    package var isShortage: Bool { code == ENOSPC || code == ENOMEM }
    /// Whether the file system takes no writes.
    package var isReadOnly: Bool { code == EROFS }
    /// Whether a file would be longer than a limit allows.
    package var isTooLarge: Bool { code == EFBIG }
    /// Whether nothing is there.
    package var isMissing: Bool { code == ENOENT }
    /// Whether something else than a file stands in its place, or its sectors cannot be read.
    package var isOfDamagedFile: Bool { [ENOTDIR, EISDIR, ELOOP, ENXIO, EIO].contains(code) }
    /// Whether sectors could not be read or written.
    package var isOfBadSector: Bool { code == EIO }
    /// Whether the same call may well succeed a moment later: it says nothing of what was asked for.
    ///
    /// The few that answer are listed: there is nothing, it is something else, or it is not for us. File systems in
    /// other processes and across a network have many more ways to fail.
    package var isPassing: Bool { !Self.answers.contains(code) }
    private static let answers: Set<Int32> = [
        ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, ENXIO, ENODEV, ESRCH, EACCES, EPERM, EINVAL, EOPNOTSUPP, ENOSYS,
        ENOTTY, EFBIG, EROFS,
    ]
    /// Whether the disk, or the file system on it, failed.
    package var isOfStorage: Bool { [EIO, EBADF, EFBIG, ENXIO, ESTALE, EREMOTEIO, EUCLEAN].contains(code) }
    /// Whether nothing came, or could be sent, in the time that was given.
    package var isTimeout: Bool { code == EAGAIN }
    /// Whether the process or the system has no more of what a new descriptor needs.
    package var isShortOfDescriptors: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
    /// A descriptor was closed while a set of others still had it.
    package static let closedBeforeItsTime = LinuxError(call: "epoll_ctl(EPOLL_CTL_MOD)", code: ENOENT)
    /// For a library that does not say why it has not started.
    package static let noMemory = LinuxError(call: "malloc", code: ENOMEM)
    /// Whether nobody listens there.
    package var isRefused: Bool { code == ECONNREFUSED }

    /// What a look finds; nil where it finds nothing, or must not look.
    ///
    /// - Throws: what says nothing of whether something is there: see ``isPassing``.
    package static func unlessPassing<Found>(
        _ look: () throws(LinuxError) -> Found
    ) throws(LinuxError) -> Found? {
        do { return try look() } catch {
            guard !error.isPassing else { throw error }
            return nil
        }
    }

    /// Turns the shims' convention, -errno on failure, into a thrown error.
    @discardableResult
    static func check(_ result: Int32, _ call: String, path: String? = nil) throws(LinuxError) -> Int32 {
        guard result >= 0 else { throw LinuxError(call: call, code: -result, path: path) }
        return result
    }

    /// Turns libc's convention, -1 with errno set, into a thrown error.
    @discardableResult
    static func checkErrno<Result: SignedInteger>(
        _ result: Result, _ call: String, path: String? = nil
    ) throws(LinuxError) -> Result {
        guard result >= 0 else { throw LinuxError(call: call, code: errno, path: path) }
        return result
    }
}
