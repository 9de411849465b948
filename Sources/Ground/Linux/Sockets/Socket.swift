import CLinux
import Glibc

/// UNIX stream sockets, blocking unless said otherwise.
package enum UnixSocket {
    /// The longest path that fits a socket address, in bytes.
    package static let longestPath = 107

    /// How many may wait to be accepted.
    package static let backlog: Int32 = 64

    /// Binds a socket to a path at which nothing lies, and listens there, nonblocking.
    package static func listen(_ path: String) throws(LinuxError) -> FileDescriptor {
        let raw = try LinuxError.check(unsafe cl_listen_unix(path, backlog), "bind", path: path)
        return FileDescriptor(owning: raw)
    }

    /// Connects and waits until the server has room for one more.
    package static func connect(_ path: String) throws(LinuxError) -> FileDescriptor {
        let raw = try LinuxError.check(unsafe cl_connect_unix(path), "connect", path: path)
        return FileDescriptor(owning: raw)
    }

    /// Connects, and waits at most so long for a server that takes nobody on.
    ///
    /// - Throws: `LinuxError` with EAGAIN where it did not in that time. Reads and writes have the same limit each.
    package static func connect(_ path: String, within time: Duration) throws(LinuxError) -> FileDescriptor {
        let limit = time.kernelMilliseconds
        let raw = try LinuxError.check(unsafe cl_connect_unix_within(path, limit), "connect", path: path)
        return FileDescriptor(owning: raw)
    }

    /// The two ends' descriptors; the caller owns both.
    package static func makePair() throws(LinuxError) -> (Int32, Int32) {
        var fds: [Int32] = [0, 0]
        try LinuxError.check(
            unsafe fds.withUnsafeMutableBufferPointer { unsafe cl_socketpair($0.baseAddress) }, "socketpair")
        return (fds[0], fds[1])
    }

    /// The next waiting connection, nonblocking; nil when there is none.
    package static func accept(_ listener: borrowing FileDescriptor) throws(LinuxError) -> Int32? {
        while true {
            let result = cl_accept(listener.raw)
            if result == -ECONNABORTED || result == -EINTR { continue }
            if result == -EAGAIN { return nil }
            return try LinuxError.check(result, "accept")
        }
    }
}

/// Ends both directions of a connection that another thread may be waiting on; the descriptor stays its owner's.
package struct ConnectionEnder: Sendable {
    private let raw: Int32

    /// - Parameter socket: has to stay open as long as this may be used.
    package init(_ socket: borrowing FileDescriptor) { raw = socket.raw }

    /// Wakes whoever waits: each side reads an end.
    package func end() { _ = shutdown(raw, Int32(SHUT_RDWR)) }
}

/// Who is at the other end of a UNIX socket, as the kernel vouches for it at the time of connect(2).
package struct PeerCredentials: Sendable, Equatable {
    /// Its process id, as this process' namespace has it.
    package let process: Int32
    /// Its effective user.
    package let user: UInt32
    /// Its effective group.
    package let group: UInt32

    /// - Throws: `LinuxError` for what is no UNIX socket.
    package init(of socket: borrowing FileDescriptor) throws(LinuxError) { try self.init(ofDescriptor: socket.raw) }

    /// - Parameter raw: an open descriptor, which stays its owner's.
    package init(ofDescriptor raw: Int32) throws(LinuxError) {
        var process: pid_t = 0
        var user: uid_t = 0
        var group: gid_t = 0
        try LinuxError.check(unsafe cl_peer(raw, &process, &user, &group), "getsockopt(SO_PEERCRED)")
        self.process = process
        self.user = user
        self.group = group
    }
}

/// The outcome of one nonblocking read or write.
package enum Transfer: Equatable, Sendable {
    case moved(Int)
    case wouldBlock
    case closed
}

extension FileDescriptor {
    /// Lets a read of this socket wait so long and no longer, in whole seconds; then it says that it would block.
    package borrowing func setReceiveTimeout(_ limit: Duration) throws(LinuxError) {
        try LinuxError.check(cl_receive_timeout(raw, limit.kernelSeconds), "setsockopt(SO_RCVTIMEO)")
    }

    /// Lets a read or a write of this socket wait so long and no longer; then it says that it would block.
    package borrowing func setTimeout(_ limit: Duration) throws(LinuxError) {
        try LinuxError.check(cl_socket_timeout(raw, limit.kernelMilliseconds), "setsockopt(SO_RCVTIMEO)")
    }

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
}
