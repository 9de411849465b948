import Linux
import Protection

/// Finds out which program is at the other end of a connection, by what the kernel vouches for.
///
/// A program says *identify*, and is looked at; what was seen holds for the connections that its process makes from
/// then on, and for none that it made before: a socket that was shared with another process, by fork(2), must not gain
/// by what its maker executes later. Ours say it as they start, before they hide from others (PR_SET_DUMPABLE).
final class CallerIdentifier {
    /// Names of our own programs that hold items.
    private static let ourNames = ["tresor", "tresor-notes"]
    private static let mostRemembered = 1024

    private struct Process: Hashable {
        let id: Int32
        let startTime: UInt64
    }

    /// Where this daemon's own program lies, and ours beside it.
    private let folder: String?
    /// Our programs as they were when the daemon started: an update may have replaced them since.
    private let ours: [FileIdentity: String]
    private var remembered: [Process: Seen] = [:]

    private struct Seen {
        let identity: CallerIdentity
        /// The last connection that had been accepted when it was seen.
        let connection: UInt64
    }

    init(folder: String? = try? CurrentProcess.executableDirectory()) {
        self.folder = folder
        var ours: [FileIdentity: String] = [:]
        for name in Self.ourNames {
            let path = (folder ?? "") + "/" + name
            if folder != nil, let file = try? FileIdentity(following: path) { ours[file] = path }
        }
        self.ours = ours
    }

    /// Who made a connection.
    ///
    /// - Returns: nil where the process that connected has ended: whoever holds its socket is not it.
    func identity(of peer: borrowing PeerProcess, connection: UInt64) -> CallerIdentity? {
        guard peer.isAlive else { return nil }
        let seen = remembered[Process(id: peer.id, startTime: peer.startTime)]
        guard let seen, connection > seen.connection else { return Self.unknown }
        return seen.identity
    }

    /// Looks at a process, for the connections that it will make.
    ///
    /// - Parameter last: the last connection that has been accepted.
    /// - Returns: nil where the process that connected has ended.
    func look(at peer: borrowing PeerProcess, last: UInt64) -> CallerIdentity? {
        let process = Process(id: peer.id, startTime: peer.startTime)
        let file = try? peer.executable()
        let identity = file.map { look(at: peer, $0) } ?? Self.unknown
        // Only now is it certain that /proc told of this process.
        guard peer.isAlive else { return nil }
        remember(Seen(identity: identity, connection: last), process)
        return identity
    }

    private static let unknown = CallerIdentity(CallerEvidence(), apps: []) { _ in [] }

    private func look(at peer: borrowing PeerProcess, _ file: FileIdentity) -> CallerIdentity {
        let path = path(of: peer, file)
        let isBesideUs = path.map { path in Self.ourNames.contains { path == (folder ?? "") + "/" + $0 } } ?? false
        let evidence = CallerEvidence(
            executable: CallerEvidence.Executable(
                path: ours[file] ?? path, digest: nil, isInstalled: path.map(FileSystem.isRootsAlone) ?? false,
                isOurs: ours[file] != nil || isBesideUs))
        return CallerIdentity(evidence, apps: []) { _ in [] }
    }

    /// The path by which the daemon itself sees this file: the process's own mounts may show anything.
    private func path(of peer: borrowing PeerProcess, _ file: FileIdentity) -> String? {
        guard let path = try? peer.executablePath(), (try? FileIdentity(following: path)) == file else { return nil }
        return path
    }

    private func remember(_ seen: Seen, _ process: Process) {
        if remembered.count >= Self.mostRemembered {
            remembered = remembered.filter { PeerProcess.isRunning($0.key.id, since: $0.key.startTime) }
        }
        guard remembered.count < Self.mostRemembered || remembered[process] != nil else { return }
        remembered[process] = seen
    }
}
