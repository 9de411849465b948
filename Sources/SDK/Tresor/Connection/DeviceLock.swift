import Linux
import Localization
import Secrets
package import Wire

/// A lock that silence cannot refuse: a daemon that does not answer in time is ended, which locks.
package enum DeviceLock {
    /// How it went.
    package enum Outcome: Equatable, Sendable {
        case locked
        /// `tresord` did not answer and was ended: no key is left, and it has to be started anew.
        case daemonEnded
    }

    /// How long the daemon may be silent.
    package static let patience = Duration.milliseconds(1700)
    /// How long it may wait for programs that wipe, once it has shown that it has locked.
    private static let wiping = Duration.seconds(5)

    /// Locks the device of this home.
    ///
    /// - Throws: ``TresorError``: `unavailable` where no daemon runs, `notPermitted` where no passcode is set.
    package static func lock(_ home: Home) throws -> Outcome {
        let end = ContinuousClock.now + patience
        while true {
            do {
                try ask(home, until: end)
                return .locked
            } catch is Silence {
                if ContinuousClock.now + .milliseconds(50) < end {
                    // It closed the connection, as when there were too many: there is time to try again.
                    SystemClock.sleep(milliseconds: 20)
                    continue
                }
                try SilentDaemon.end(home)
                return .daemonEnded
            }
        }
    }

    /// It did not answer, or hung up.
    private struct Silence: Error {}

    /// Asks for the lock and, behind it, for an echo: while programs wipe, that alone is answered.
    private static func ask(_ home: Home, until end: ContinuousClock.Instant) throws {
        let socket = try connect(home, until: end)
        var output = try SecretBuffer(capacity: 64)
        try KeychainRequest.lock.encode(id: 1, into: &output)
        try KeychainRequest.echo(CarriedSecret(SecretBytes.makeRandom(count: 1))).encode(id: 2, into: &output)
        guard (try? output.withBytes({ try socket.writeAll($0) })) == true else { throw Silence() }
        var input = try SecretBuffer(capacity: 4096)
        var limit = end
        while true {
            let (id, error) = try nextReply(socket, &input, until: limit)
            if let error { throw TresorError(error) }
            if id == 1 { return }
            limit = ContinuousClock.now + wiping
        }
    }

    private static func connect(_ home: Home, until end: ContinuousClock.Instant) throws -> FileDescriptor {
        let socket: FileDescriptor
        do { socket = try UnixSocket.connect(home.socket, within: left(until: end)) } catch {
            guard SilentDaemon.isThere(home) else {
                throw TresorError(
                    .unavailable, localized("tresord does not run; start it with 'tresor up'"), cause: error.description
                )
            }
            throw Silence()
        }
        let peer = try PeerCredentials(of: socket)
        guard peer.user == CurrentProcess.user || peer.user == 0 else {
            throw TresorError(
                .untrustedServer, localized("the socket \(home.socket) is served by another user; nothing was sent"))
        }
        return socket
    }

    private static func nextReply(
        _ socket: borrowing FileDescriptor, _ input: inout SecretBuffer, until limit: ContinuousClock.Instant
    ) throws -> (id: UInt32, error: KeychainError?) {
        while true {
            if let end = try input.wholeFrame(limit: StreamFrame.keychainLimit) {
                defer { input.removeFirst(end) }
                return try input.withBytes { bytes in
                    var reader = ByteReader(bytes.extracting(StreamFrame.headerByteCount..<end))
                    let head = try KeychainReply.header(&reader)
                    return (id: head.id, error: head.tag == .error ? try KeychainError(from: &reader) : nil)
                }
            }
            guard limit > ContinuousClock.now else { throw Silence() }
            try socket.setTimeout(left(until: limit))
            guard case .moved = try socket.read(into: &input.storage, room: 4096) else { throw Silence() }
        }
    }

    private static func left(until end: ContinuousClock.Instant) -> Duration { ContinuousClock.now.duration(to: end) }
}
