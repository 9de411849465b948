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

    /// Whether somebody listens at a path, be it with more clients than it takes on.
    package static func hasListener(_ path: String) -> Bool {
        do {
            let socket = try connect(path, within: .milliseconds(200))
            _ = consume socket
            return true
        } catch { return error.isTimeout }
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

    /// Connects to the daemon as the process that this knows: in a ward its keeper.
    package static func connectAsKnown(_ path: String) throws(LinuxError) -> FileDescriptor {
        let raw = cl_connect_by_keeper()
        if raw == -ENOTCONN { return try connect(path) }
        return FileDescriptor(owning: try LinuxError.check(raw, "connect", path: path))
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

extension FileDescriptor {
    /// Lets a read of this socket wait so long and no longer, in whole seconds; then it says that it would block.
    package borrowing func setReceiveTimeout(_ limit: Duration) throws(LinuxError) {
        try LinuxError.check(cl_receive_timeout(raw, limit.kernelSeconds), "setsockopt(SO_RCVTIMEO)")
    }

    /// Lets a read or a write of this socket wait so long and no longer; then it says that it would block.
    package borrowing func setTimeout(_ limit: Duration) throws(LinuxError) {
        try LinuxError.check(cl_socket_timeout(raw, limit.kernelMilliseconds), "setsockopt(SO_RCVTIMEO)")
    }

    /// Whether the other end of this socket is gone for good.
    package borrowing func hasHungUp() -> Bool {
        var poll = Poll()
        let end = poll.add(raw, reading: false, writing: false)
        switch try? poll.wait(milliseconds: 0) {
        case .ready?: return poll.isBroken(end)
        case .timedOut?, .interrupted?, nil: return false
        }
    }

    /// How many bytes of this socket wait to be read.
    package borrowing func waitingByteCount() throws(LinuxError) -> Int {
        Int(try LinuxError.check(cl_waiting_bytes(raw), "ioctl(FIONREAD)"))
    }
}
