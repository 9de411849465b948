import Linux
import Localization
import Wire

/// A `tresord` that answers nobody: stopped, or kept busy.
///
/// To end it locks the device: the enclave ends with it, and with that every key; the programs that hold plaintext
/// lose their connection, and wipe.
enum SilentDaemon {
    /// How long the kernel may take to end it.
    private static let ending = Duration.milliseconds(300)

    /// Whether a daemon of this home runs, reachable or not: it holds the lock as long as it lives.
    static func isThere(_ home: Home) -> Bool {
        guard let file = try? FileDescriptor.open(home.lock, FileFlags.read) else { return false }
        return (try? file.isLockedElsewhere()) ?? false
    }

    /// Ends the daemon of this home, and no other process.
    ///
    /// - Throws: ``TresorError`` with code `unavailable` where it cannot be told which process it is, or it stays.
    static func end(_ home: Home) throws {
        do {
            let daemon = try find(home)
            _ = daemon.kill()
            if daemon.waitForEnd(within: ending) { return }
            throw TresorError(
                .unavailable, localized("tresord (process \(daemon.id)) does not answer, and did not end"))
        } catch let error as LinuxError {
            throw TresorError(
                .unavailable,
                localized("tresord does not answer, and it cannot be told which process it is; end it with kill -9"),
                cause: error.description)
        }
    }

    /// The process that holds the lock, by what it wrote there, and by its socket where that takes us on.
    private static func find(_ home: Home) throws -> PeerProcess {
        let file = try FileDescriptor.open(home.lock, FileFlags.read)
        guard try file.isLockedElsewhere(), let mark = DaemonMark(try file.read(count: 64, at: 0)) else {
            throw LinuxError(call: "tresord.lock", code: LinuxError.Code.noProcess, path: home.lock)
        }
        if let socket = try? UnixSocket.connect(home.socket, within: .milliseconds(50)) {
            let peer = try PeerProcess(of: socket)
            if peer.id == mark.process { return peer }
        }
        return try PeerProcess(number: mark.process, startTime: mark.startTime)
    }
}
