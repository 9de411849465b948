import EventLoop

extension PeerShares {
    /// Connections, of which each is one.
    static let connections = PeerShares(
        ours: Pool(ofOneProcess: 16, inAll: 160), others: Pool(ofOneProcess: 32, inAll: 192))
    /// Bytes of locked memory for frames and replies that wait.
    ///
    /// Kernels grant 8 MiB in all (RLIMIT_MEMLOCK), and the longest frame, 1 MiB, lies there three times while it is
    /// answered.
    static let waitingBytes = PeerShares(
        ours: Pool(ofOneProcess: 3 << 19, inAll: 4 << 19), others: Pool(ofOneProcess: 3 << 19, inAll: 5 << 19))
}
