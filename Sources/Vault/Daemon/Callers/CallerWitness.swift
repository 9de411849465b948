import Envelopes
import Linux
import Protection

/// Gathers what the kernel says of a process: its file and that file's content, its sandbox, unit and group.
///
/// Sources: proc(5), unix(7), cgroups(7), flatpak's `/.flatpak-info`, snapd's AppArmor labels.
final class CallerWitness {
    /// Names of our own programs that hold items.
    private static let ourNames = ["tresor", "tresor-notes", "tresor-diary", "tresor-widgets"]
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

    /// Whether a process runs a program of ours; its content is not looked at.
    func isOurs(_ peer: borrowing PeerProcess) -> Bool {
        guard let file = try? peer.executable() else { return false }
        return ourPath(of: file) != nil || isBesideUs((try? path(of: peer, file)) ?? nil)
    }

    /// What has to be read before a process can be told by its content; nil where nothing has.
    ///
    /// - Throws: `LinuxError` where it could not be looked up this time. Where it can never be read, it is not known by
    ///   its content.
    func content(
        of peer: borrowing PeerProcess, _ file: FileIdentity?, wantsDigest: Bool
    ) throws(LinuxError) -> ContentReading? {
        guard let file, try needsDigest(file, path(of: peer, file), wantsDigest), digests[file] == nil else {
            return nil
        }
        do { return try ContentReading(of: peer, file) } catch {
            guard !error.isPassing else { throw error }
            return nil
        }
    }

    /// - Parameters:
    ///   - file: what it runs; nil where it hides.
    ///   - wantsDigest: whether its content may matter although its path is root's alone.
    ///   - content: what was read of it.
    /// - Throws: `LinuxError` where something could not be looked up this time: what is not known must not make it
    ///   another program.
    func evidence(
        of peer: borrowing PeerProcess, _ file: FileIdentity?, wantsDigest: Bool, content: ContentReading?
    ) throws(LinuxError) -> CallerEvidence {
        if let content, let digest = content.digest { remember(digest, of: content.file) }
        var evidence = CallerEvidence(sandbox: try sandbox(of: peer, isVisible: file != nil))
        if let file { evidence.executable = try executable(of: peer, file, wantsDigest: wantsDigest, content) }
        do { evidence.unit = CallerEvidence.systemUnit(try peer.controlGroups()) } catch {
            guard !error.isPassing else { throw error }
        }
        evidence.group = try specialGroup(of: peer)
        return evidence
    }

    // MARK: File

    private func executable(
        of peer: borrowing PeerProcess, _ file: FileIdentity, wantsDigest: Bool, _ content: ContentReading?
    ) throws(LinuxError) -> CallerEvidence.Executable {
        let path = try path(of: peer, file)
        let ourPath = ourPath(of: file)
        let digest = digests[file] ?? (content?.file == file ? content?.digest : nil)
        return CallerEvidence.Executable(
            path: ourPath ?? path, digest: try needsDigest(file, path, wantsDigest) ? digest : nil,
            isInstalled: try isInstalled(path), isOurs: ourPath != nil || isBesideUs(path))
    }

    private func isInstalled(_ path: String?) throws(LinuxError) -> Bool {
        guard let path else { return false }
        return try FileSystem.isRootsAlone(path)
    }

    private func needsDigest(
        _ file: FileIdentity, _ path: String?, _ wantsDigest: Bool
    ) throws(LinuxError) -> Bool {
        if ourPath(of: file) != nil || isBesideUs(path) { return false }
        let isInstalled = try isInstalled(path)
        return wantsDigest || !(isInstalled && AccessGroup.isName("path." + (path ?? "")))
    }

    private func ourPath(of file: FileIdentity) -> String? { ours.first { file.isStill($0.key) }?.value }

    private func isBesideUs(_ path: String?) -> Bool {
        path.map { path in Self.ourNames.contains { path == (folder ?? "") + "/" + $0 } } ?? false
    }

    /// The path by which the daemon itself sees this file: the process's own mounts may show anything.
    private func path(of peer: borrowing PeerProcess, _ file: FileIdentity) throws(LinuxError) -> String? {
        do {
            let path = try peer.executablePath()
            return try FileIdentity(following: path) == file ? path : nil
        } catch {
            guard !error.isPassing else { throw error }
            return nil
        }
    }

    private func remember(_ digest: [UInt8], of file: FileIdentity) {
        // Before Linux 6.13 two changes within a tick have the same time: what is that fresh is read again.
        guard !file.isFresh(now: SystemClock.wallMicroseconds()) else { return }
        if digests.count >= Self.mostDigests { digests.removeAll() }
        digests[file] = digest
    }

    // MARK: Surroundings

    /// Whoever shows a description says to be in a sandbox, and is never taken for a program outside: also where it
    /// cannot be read.
    private func sandbox(of peer: borrowing PeerProcess, isVisible: Bool) throws(LinuxError) -> String? {
        if let label = try peer.securityLabel(), let snap = CallerEvidence.snap(label) { return snap }
        do {
            guard let info = try peer.file("/.flatpak-info", limit: 65_536) else { return nil }
            return CallerEvidence.flatpak(String(decoding: info, as: UTF8.self)) ?? "flatpak:?"
        } catch {
            guard !error.isPassing else { throw error }
            return isVisible ? "flatpak:?" : nil
        }
    }

    /// The group that a program's file is set to, where only root can have done that.
    private func specialGroup(of peer: borrowing PeerProcess) throws(LinuxError) -> String? {
        let look = try LinuxError.unlessPassing { () throws(LinuxError) in try peer.realGroup() }
        guard let real = look ?? nil, real != peer.group,
            try !FileSystem.isMember(user: CurrentProcess.user, ofGroup: peer.group)
        else { return nil }
        return try FileSystem.groupName(peer.group)
    }
}
