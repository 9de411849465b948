package import Linux

/// A process, by its number and when it started: no later one has both.
package struct ProcessName: Hashable, Sendable {
    /// Its number.
    package let id: Int32
    /// When it started, in ticks of the boot clock; 0 where nobody could tell.
    package let startTime: UInt64

    /// Names a process.
    package init(id: Int32, startTime: UInt64) {
        self.id = id
        self.startTime = startTime
    }

    /// The process at the other end of a socket.
    package init(_ peer: borrowing PeerProcess) { self.init(id: peer.id, startTime: peer.startTime) }

    /// The process that connected: where it has ended since, by its number alone.
    package init(_ credentials: PeerCredentials) {
        let started = try? PeerProcess.startTime(of: credentials.process)
        self.init(id: credentials.process, startTime: started ?? 0)
    }
}
