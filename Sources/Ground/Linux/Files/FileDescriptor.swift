import CLinux
import Glibc

/// An open file, closed when its owner goes away.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The kernel's number, for calls that do not take it over.
    package let raw: Int32

    /// Takes ownership of an open descriptor.
    package init(owning raw: Int32) { self.raw = raw }

    deinit { close(raw) }

    /// - Parameters:
    ///   - flags: one of ``FileFlags``, to which the call adds that no program inherits the descriptor.
    ///   - mode: permission bits of a file that is made.
    package static func open(
        _ path: String, _ flags: Int32, mode: UInt32 = 0o600
    ) throws(LinuxError) -> FileDescriptor {
        FileDescriptor(owning: try LinuxError.check(unsafe cl_open(path, flags, mode), "open", path: path))
    }

    /// Opens a name in this folder, wherever the folder is called now.
    ///
    /// - Parameters:
    ///   - flags: one of ``FileFlags``.
    ///   - mode: permission bits of a file that is made.
    package borrowing func open(
        _ name: String, _ flags: Int32, mode: UInt32 = 0o600
    ) throws(LinuxError) -> FileDescriptor {
        FileDescriptor(owning: try LinuxError.check(unsafe cl_openat(raw, name, flags, mode), "openat", path: name))
    }

    /// Gives up ownership.
    package consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    /// Whether its bytes come from a program (FUSE), which may show each reader others.
    package borrowing func isServedByProgram() throws(LinuxError) -> Bool {
        let type = cl_file_system(raw)
        guard type >= 0 else { throw LinuxError(call: "fstatfs", code: Int32(-type)) }
        // FUSE_SUPER_MAGIC of linux/magic.h.
        return type == 0x6573_5546
    }

    /// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
    package borrowing func read(count: Int, at offset: Int) throws(LinuxError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var used = 0
        while used < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(raw, buffer.baseAddress?.advanced(by: used), count - used, off_t(offset + used))
            }
            if got < 0 && errno == EINTR { continue }
            try LinuxError.checkErrno(got, "pread")
            if got == 0 { break }
            used += got
        }
        bytes.removeLast(count - used)
        return bytes
    }

    /// Writes all of `bytes` at `offset`.
    package borrowing func write(_ bytes: [UInt8], at offset: Int) throws(LinuxError) {
        var used = 0
        while used < bytes.count {
            let put = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(raw, buffer.baseAddress?.advanced(by: used), buffer.count - used, off_t(offset + used))
            }
            if put < 0 && errno == EINTR { continue }
            used += try LinuxError.checkErrno(put, "pwrite")
        }
    }

    /// The same, of bytes that nothing copies.
    package borrowing func write(_ bytes: RawSpan, at offset: Int) throws(LinuxError) {
        var used = 0
        while used < bytes.byteCount {
            let left = bytes.extracting(droppingFirst: used)
            let put = unsafe left.withUnsafeBytes { buffer in
                unsafe pwrite(raw, buffer.baseAddress, buffer.count, off_t(offset + used))
            }
            if put < 0 && errno == EINTR { continue }
            used += try LinuxError.checkErrno(put, "pwrite")
        }
    }

    /// Makes the folder `name` inside this one, mode 0700.
    package borrowing func makeDirectory(_ name: String) throws(LinuxError) {
        try LinuxError.checkErrno(unsafe mkdirat(raw, name, 0o700), "mkdirat", path: name)
    }

    /// Renames inside this folder.
    package borrowing func rename(_ name: String, to newName: String) throws(LinuxError) {
        try LinuxError.checkErrno(unsafe renameat(raw, name, raw, newName), "renameat", path: newName)
    }

    /// Removes a file, or an empty folder, inside this one.
    ///
    /// Absence is no error.
    package borrowing func remove(_ name: String, isDirectory: Bool = false) throws(LinuxError) {
        guard unsafe unlinkat(raw, name, isDirectory ? AT_REMOVEDIR : 0) == 0 || errno == ENOENT else {
            throw LinuxError(call: "unlinkat", code: errno, path: name)
        }
    }

    /// The file's size in bytes.
    package borrowing func byteCount() throws(LinuxError) -> Int {
        var info = stat()
        try LinuxError.checkErrno(unsafe fstat(raw, &info), "fstat")
        return Int(info.st_size)
    }

    /// Whether it is a file of bytes: no folder, device, pipe or socket.
    package borrowing func isRegular() throws(LinuxError) -> Bool {
        var info = stat()
        try LinuxError.checkErrno(unsafe fstat(raw, &info), "fstat")
        return info.st_mode & S_IFMT == S_IFREG
    }

    /// Waits until what was written is on the disk: fdatasync(2).
    package borrowing func syncData() throws(LinuxError) { try LinuxError.checkErrno(fdatasync(raw), "fdatasync") }

    /// Waits until the file and its metadata, or a directory's entries, are on the disk: fsync(2).
    package borrowing func sync() throws(LinuxError) { try LinuxError.checkErrno(fsync(raw), "fsync") }

    /// The same, where one that was killed may take a moment to be gone.
    ///
    /// - Parameter time: how long to wait for it at most.
    package borrowing func lockExclusively(within time: Duration) throws(LinuxError) -> Bool {
        for _ in 0..<time.pollMilliseconds / 10 {
            if try lockExclusively() { return true }
            SystemClock.sleep(milliseconds: 10)
        }
        return try lockExclusively()
    }

    /// An exclusive lock that the kernel drops with the descriptor.
    ///
    /// False when somebody else holds it.
    package borrowing func lockExclusively() throws(LinuxError) -> Bool {
        let result = cl_lock_exclusive(raw)
        if result == -EAGAIN || result == -EACCES { return false }
        try LinuxError.check(result, "fcntl(F_OFD_SETLK)")
        return true
    }

    /// Whether somebody else holds such a lock.
    package borrowing func isLockedElsewhere() throws(LinuxError) -> Bool {
        try LinuxError.check(cl_is_locked(raw), "fcntl(F_OFD_GETLK)") == 1
    }

    /// Takes away all that the file holds.
    package borrowing func truncate() throws(LinuxError) { try LinuxError.checkErrno(ftruncate(raw, 0), "ftruncate") }

    /// Cuts off what is behind the first `count` bytes.
    package borrowing func truncate(to count: Int) throws(LinuxError) {
        try LinuxError.checkErrno(ftruncate(raw, count), "ftruncate")
    }

    /// Says whether reads and writes wait (`O_NONBLOCK`).
    package borrowing func setNonblocking(_ on: Bool) throws(LinuxError) {
        try LinuxError.check(cl_set_nonblocking(raw, on ? 1 : 0), "fcntl(F_SETFL)")
    }
}

/// The outcome of one nonblocking read or write.
package enum Transfer: Equatable, Sendable {
    case moved(Int)
    case wouldBlock
    case closed
}

// Reads and writes without an offset: of streams, and of files from where they stand.
extension FileDescriptor {
    /// One read(2) behind the bytes already in `buffer`, of at most `room` bytes.
    package borrowing func read(into buffer: inout LockedBuffer, room: Int) throws -> Transfer {
        var outcome = Transfer.closed
        _ = try unsafe buffer.appendInPlace(room: room) { (target) throws(LinuxError) in
            while true {
                let got = unsafe Glibc.read(raw, target.baseAddress, target.count)
                if got > 0 {
                    outcome = .moved(got)
                    return got
                }
                if got == 0 || errno == ECONNRESET { return 0 }
                if errno == EAGAIN {
                    outcome = .wouldBlock
                    return 0
                }
                guard errno == EINTR else { throw LinuxError(call: "read", code: errno) }
            }
        }
        return outcome
    }

    /// One write(2) of `bytes`.
    package borrowing func write(_ bytes: RawSpan) throws(LinuxError) -> Transfer {
        while true {
            let put = unsafe bytes.withUnsafeBytes { unsafe cl_write(raw, $0.baseAddress, $0.count) }
            if put >= 0 { return .moved(put) }
            if errno == EAGAIN { return .wouldBlock }
            if errno == EPIPE || errno == ECONNRESET { return .closed }
            guard errno == EINTR else { throw LinuxError(call: "write", code: errno) }
        }
    }

    /// Writes all of `bytes` to a blocking descriptor.
    ///
    /// False when the other end is gone.
    package borrowing func writeAll(_ bytes: RawSpan) throws(LinuxError) -> Bool {
        var used = 0
        while used < bytes.byteCount {
            switch try write(bytes.extracting(droppingFirst: used)) {
            case .moved(let count): used += count
            case .closed: return false
            case .wouldBlock: throw LinuxError(call: "write", code: EAGAIN)
            }
        }
        return true
    }

    /// One read(2) of a stream, behind the bytes already in `bytes`, of at most `room` bytes.
    package borrowing func read(into bytes: inout [UInt8], room: Int) throws(LinuxError) -> Transfer {
        var got = 0
        var code: Int32 = 0
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
            repeat {
                got = unsafe Glibc.read(raw, target.baseAddress, target.count)
                code = errno
            } while got < 0 && code == EINTR
            count = max(got, 0)
        }
        if got < 0 && code == EAGAIN { return .wouldBlock }
        if got == 0 || (got < 0 && code == ECONNRESET) { return .closed }
        guard got > 0 else { throw LinuxError(call: "read", code: code) }
        bytes += chunk
        return .moved(got)
    }

    /// Writes a text.
    ///
    /// False when the other end is gone.
    package borrowing func writeAll(_ text: String) throws(LinuxError) -> Bool {
        try writeAll(unsafe Array(text.utf8).span.bytes)
    }
}
