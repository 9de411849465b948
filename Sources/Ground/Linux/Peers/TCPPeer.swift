import CLinux

/// Who is at the other end of a TCP connection within this machine.
package enum TCPPeer {
    /// Its user, by sock_diag(7).
    ///
    /// - Parameter socket: of a connection.
    /// - Returns: nil where the kernel does not say: it has no tcp_diag, or the other end is closed.
    package static func user(of socket: Int32) -> UInt32? {
        var user: UInt32 = 0
        return unsafe cl_tcp_peer_user(socket, &user) == 0 ? user : nil
    }
}
