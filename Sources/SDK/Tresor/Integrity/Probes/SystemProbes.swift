import Linux
import Localization

/// What was done to the whole system's files.
enum SystemProbes {
    /// /etc/ld.so.preload, which ld.so(8) obeys in every program, also in setuid ones.
    ///
    /// Most systems don't have it; some put an optimised memcpy(3) there.
    static func preload(_ machine: MachineView) -> Observation {
        switch machine.content("/etc/ld.so.preload", limit: 65_536) {
        case .absent: return .ok(marked("no library is loaded into every program"))
        case .unreadable: return .unknown(marked("/etc/ld.so.preload cannot be read"))
        case .bytes(let bytes):
            let isBlank = bytes.allSatisfy { UInt8(ascii: " ") == $0 || (9...13).contains($0) || $0 == 0x3a }
            return isBlank
                ? .ok(marked("no library is loaded into every program"))
                : .bad(marked("/etc/ld.so.preload loads a library into every program"))
        }
    }

    /// Folders that hold what all users run, and what decides about it.
    static let folders = [
        "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/usr/bin", "/usr/sbin", "/usr/lib",
        "/usr/lib32",
        "/usr/lib64", "/usr/libexec", "/usr/local", "/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/etc",
        "/etc/ld.so.conf.d", "/etc/pam.d", "/etc/profile.d", "/etc/systemd", "/boot", "/opt",
    ]

    /// Whether others than root may write to one of them.
    ///
    /// A sticky bit does not help: it keeps what is there and lets everybody add to it. Groups are left out, since
    /// distributions give some folders to one (`staff` on Debian).
    static func writableFolders(_ machine: MachineView) -> Observation {
        var looked = 0
        var open: [String] = []
        for folder in folders {
            guard let status = folderStatus(folder, machine) else { continue }
            looked += 1
            if status.mode & 0o002 != 0 || !machine.systemOwners.contains(status.owner) { open.append(folder) }
        }
        guard looked > 0 else { return .unknown(marked("the system's folders cannot be looked at")) }
        guard !open.isEmpty else { return .ok(marked("the system's folders are root's")) }
        let first = open.prefix(3).joined(separator: ", ")
        guard open.count > 3 else { return .bad(marked("others than root may write to \(first)")) }
        return .bad(marked("others than root may write to \(first) and \(open.count - 3) more"))
    }

    /// Of the folder itself, or of the one that a link in its place leads to.
    private static func folderStatus(_ folder: String, _ machine: MachineView) -> FileSystem.Status? {
        guard let status = machine.status(folder) else { return nil }
        guard status.isSymbolicLink else { return status.isDirectory ? status : nil }
        guard let target = machine.target(ofLink: folder) else { return nil }
        let path = target.hasPrefix("/") ? target : parent(folder) + target
        return machine.status(path).flatMap { $0.isDirectory ? $0 : nil }
    }

    private static func parent(_ path: String) -> String {
        let folder = FileSystem.directory(of: path)
        return folder == "/" ? "/" : folder + "/"
    }
}
