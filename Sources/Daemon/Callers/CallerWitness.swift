import Envelopes
import Linux
import Protection

/// Gathers what the kernel says of a process: its file and that file's content, its sandbox, unit and group.
///
/// Sources: proc(5), unix(7), cgroups(7), flatpak's `/.flatpak-info`, snapd's AppArmor labels.
final class CallerWitness {
    /// Names of our own programs that hold items.
    private static let ourNames = ["tresor", "tresor-notes", "tresor-diary", "tresor-widgets"]
    /// A program may be this large, in bytes; a larger one is not known by its content.
    private static let largest = 1 << 30
    private static let mostDigests = 512

    /// Where this daemon's own program lies, and ours beside it.
    private let folder: String?
    /// Our programs as they were when the daemon started: an update may have replaced them since.
    private let ours: [FileIdentity: String]
    /// Of each file's content; any change of a file makes it another.
    private var digests: [FileIdentity: [UInt8]] = [:]

    init(folder: String? = try? CurrentProcess.executableDirectory()) {
        self.folder = folder
        var ours: [FileIdentity: String] = [:]
        for name in Self.ourNames {
            let path = (folder ?? "") + "/" + name
            if folder != nil, let file = try? FileIdentity(following: path) { ours[file] = path }
        }
        self.ours = ours
    }

    /// - Parameters:
    ///   - file: what it runs; nil where it hides.
    ///   - wantsDigest: whether its content may matter although its path is root's alone.
    func evidence(
        of peer: borrowing PeerProcess, _ file: FileIdentity?, wantsDigest: Bool
    ) -> CallerEvidence {
        CallerEvidence(
            executable: file.map { executable(of: peer, $0, wantsDigest: wantsDigest) },
            sandbox: sandbox(of: peer, isVisible: file != nil),
            unit: (try? peer.controlGroups()).flatMap(CallerEvidence.systemUnit), group: specialGroup(of: peer))
    }

    // MARK: File

    private func executable(
        of peer: borrowing PeerProcess, _ file: FileIdentity, wantsDigest: Bool
    ) -> CallerEvidence.Executable {
        let path = path(of: peer, file)
        let isBesideUs = path.map { path in Self.ourNames.contains { path == (folder ?? "") + "/" + $0 } } ?? false
        let ourPath = ours.first { file.isStill($0.key) }?.value
        let isOurs = ourPath != nil || isBesideUs
        let isInstalled = path.map(FileSystem.isRootsAlone) ?? false
        let isNamedByPath = isInstalled && AccessGroup.isName("path." + (path ?? ""))
        let needsDigest = !isOurs && (wantsDigest || !isNamedByPath)
        return CallerEvidence.Executable(
            path: ourPath ?? path, digest: needsDigest ? digest(of: peer, file) : nil, isInstalled: isInstalled,
            isOurs: isOurs)
    }

    /// The path by which the daemon itself sees this file: the process's own mounts may show anything.
    private func path(of peer: borrowing PeerProcess, _ file: FileIdentity) -> String? {
        guard let path = try? peer.executablePath(), (try? FileIdentity(following: path)) == file else { return nil }
        return path
    }

    private func digest(of peer: borrowing PeerProcess, _ file: FileIdentity) -> [UInt8]? {
        if let known = digests[file] { return known }
        guard file.byteCount <= Self.largest, let open = try? peer.openExecutable(),
            (try? FileIdentity(of: open)) == file, (try? open.isServedByProgram()) == false
        else { return nil }
        var digest = ContentDigest()
        var offset = 0
        while true {
            guard let piece = try? open.read(count: 1 << 20, at: offset) else { return nil }
            if piece.isEmpty { break }
            digest.update(piece)
            offset += piece.count
        }
        guard offset == file.byteCount, (try? FileIdentity(of: open)) == file else { return nil }
        let bytes = digest.finish()
        // Before Linux 6.13 two changes within a tick have the same time: what is that fresh is read again.
        guard !file.isFresh(now: SystemClock.wallMicroseconds()) else { return bytes }
        if digests.count >= Self.mostDigests { digests.removeAll() }
        digests[file] = bytes
        return bytes
    }

    // MARK: Surroundings

    /// Whoever shows a description says to be in a sandbox, and is never taken for a program outside: also where it
    /// cannot be read.
    private func sandbox(of peer: borrowing PeerProcess, isVisible: Bool) -> String? {
        if let label = peer.securityLabel(), let snap = CallerEvidence.snap(label) { return snap }
        do {
            guard let info = try peer.file("/.flatpak-info", limit: 65_536) else { return nil }
            return CallerEvidence.flatpak(String(decoding: info, as: UTF8.self)) ?? "flatpak:?"
        } catch { return isVisible ? "flatpak:?" : nil }
    }

    /// The group that a program's file is set to, where only root can have done that.
    private func specialGroup(of peer: borrowing PeerProcess) -> String? {
        guard let real = try? peer.realGroup(), real != peer.group,
            !FileSystem.isMember(user: CurrentProcess.user, ofGroup: peer.group)
        else { return nil }
        return FileSystem.groupName(peer.group)
    }
}
