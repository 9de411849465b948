import Linux
import Protection

/// Finds out which program is at the other end of a connection, by what the kernel vouches for.
///
/// A program that hides from others (PR_SET_DUMPABLE) cannot be looked at any more. So ours say *identify* before they
/// hide; what was seen then is remembered under the process's number and start, which no other process has. A program
/// that executes another one shows itself again, since exec(2) takes that protection away.
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
    private var remembered: [Process: CallerIdentity] = [:]

    init(folder: String? = try? CurrentProcess.executableDirectory()) {
        self.folder = folder
        var ours: [FileIdentity: String] = [:]
        for name in Self.ourNames {
            let path = (folder ?? "") + "/" + name
            if folder != nil, let file = try? FileIdentity(following: path) { ours[file] = path }
        }
        self.ours = ours
    }

    /// Who asks, as of now.
    ///
    /// - Parameter decided: what was found the last time; it stands as long as the process runs the same file.
    /// - Returns: nil where the process that connected has ended: whoever holds its socket is not it.
    func identify(_ peer: borrowing PeerProcess, decided: inout Decided?) -> CallerIdentity? {
        let process = Process(id: peer.id, startTime: peer.startTime)
        let file = try? peer.executable()
        if let known = decided, known.file == file { return peer.isAlive ? known.identity : nil }
        let identity = file.map { look(at: peer, $0) } ?? remembered[process] ?? Self.unknown
        // Only now is it certain that /proc told of this process.
        guard peer.isAlive else { return nil }
        if file != nil { remember(identity, process) }
        decided = Decided(file: file, identity: identity)
        return identity
    }

    /// What was found out about a connection, and by which file.
    struct Decided {
        fileprivate let file: FileIdentity?
        fileprivate let identity: CallerIdentity
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

    private func remember(_ identity: CallerIdentity, _ process: Process) {
        if remembered.count >= Self.mostRemembered {
            remembered = remembered.filter { PeerProcess.isRunning($0.key.id, since: $0.key.startTime) }
        }
        guard remembered.count < Self.mostRemembered else { return }
        remembered[process] = identity
    }
}
