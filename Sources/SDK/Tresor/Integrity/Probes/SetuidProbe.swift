import Linux
import Localization

/// Shells and interpreters that run with root's rights, whoever starts them: a door that was left open.
enum SetuidProbe {
    static let folders = [
        "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/libexec", "/usr/local/bin", "/usr/local/sbin", "/usr/lib",
        "/usr/local/lib",
    ]

    /// Without version and the like behind it: `python` of `python3.11`.
    static let interpreters: Set<String> = [
        "sh", "bash", "rbash", "dash", "ash", "ksh", "mksh", "zsh", "fish", "csh", "tcsh", "busybox", "python", "pypy",
        "perl", "ruby", "lua", "luajit", "tclsh", "wish", "node", "php", "gawk", "mawk", "env",
    ]

    /// By name, or by having the same content as one of the system's under another name.
    static func setuidShell(_ machine: MachineView) -> Observation {
        var looked = 0
        var privileged: [Program] = []
        var shells: [Program] = []
        for folder in folders where machine.status(folder)?.isDirectory == true {
            for name in machine.names(in: folder) {
                looked += 1
                guard let program = Program(folder, name, machine) else { continue }
                if program.isInterpreter { shells.append(program) }
                if program.isPrivileged { privileged.append(program) }
            }
        }
        guard looked > 0 else { return .unknown(marked("the system's programs cannot be looked at")) }
        let found = privileged.filter { program in
            program.isInterpreter || shells.contains { isCopy(program, of: $0, machine) }
        }
        guard let first = found.first else { return .ok(marked("no shell runs with its owner's rights")) }
        let others = found.count - 1
        return .bad(
            others == 0
                ? marked("a shell or interpreter in \(first.folder) runs with its owner's rights")
                : marked("a shell or interpreter in \(first.folder) and \(others) more runs with its owner's rights"))
    }

    private struct Program {
        let folder: String
        let path: String
        let byteCount: Int
        let isInterpreter: Bool
        /// Set to its owner or group by one whose files are the system's.
        let isPrivileged: Bool

        init?(_ folder: String, _ name: String, _ machine: MachineView) {
            guard let status = machine.status(folder + "/" + name), status.isRegular else { return nil }
            self.folder = folder
            path = folder + "/" + name
            byteCount = status.byteCount
            isInterpreter = SetuidProbe.interpreters.contains(String(name.prefix(while: \.isLetter)))
            isPrivileged =
                status.mode & 0o6000 != 0 && status.mode & 0o111 != 0 && machine.systemOwners.contains(status.owner)
        }
    }

    private static func isCopy(_ program: Program, of shell: Program, _ machine: MachineView) -> Bool {
        guard program.byteCount == shell.byteCount, program.byteCount > 0,
            case .bytes(let left) = machine.content(program.path, limit: 64 << 20),
            case .bytes(let right) = machine.content(shell.path, limit: 64 << 20)
        else { return false }
        return left == right
    }
}
