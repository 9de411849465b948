import Foundation
import Glibc
import Tresor

/// A folder that stands for the root of a machine; removed with its owner.
final class Fixture {
    let root: String

    init() {
        root = NSTemporaryDirectory() + "tresor-integrity-" + UUID().uuidString.prefix(13)
        mkdir(root, 0o755)
        chmod(root, 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// - Parameter owners: whom the system's files may belong to; the test's own user, who made them.
    func finding(
        _ probe: IntegrityProbe, _ rules: IntegrityRules = IntegrityRules(), owners: Set<UInt32> = [getuid()],
        ownProcess: MachineView.OwnProcess = .init()
    ) -> IntegrityFinding {
        let machine = MachineView(root: root, systemOwners: owners, ownProcess: ownProcess)
        return IntegrityCheck(rules: rules, machine: machine).finding(probe)
    }

    func verdict() -> IntegrityVerdict {
        IntegrityCheck(machine: MachineView(root: root, systemOwners: [getuid()])).verdict()
    }

    func rootsNumbers() -> Set<UInt32> { MachineView(root: root).rootsNumbers() }

    // MARK: What lies in it

    func folder(_ path: String, mode: mode_t = 0o755) {
        var made = root
        for part in path.split(separator: "/") {
            made += "/" + part
            // Whatever the umask of who runs the tests: a folder that is there keeps its mode.
            if mkdir(made, 0o755) == 0 { chmod(made, 0o755) }
        }
        chmod(root + path, mode)
    }

    func file(_ path: String, _ text: String, mode: mode_t = 0o644) { file(path, Array(text.utf8), mode: mode) }

    func file(_ path: String, _ bytes: [UInt8], mode: mode_t = 0o644) {
        folder(parent(path), mode: status(parent(path)) ?? 0o755)
        _ = FileManager.default.createFile(atPath: root + path, contents: Data(bytes))
        chmod(root + path, mode)
    }

    func link(_ path: String, to target: String) {
        folder(parent(path), mode: status(parent(path)) ?? 0o755)
        symlink(target, root + path)
    }

    private func parent(_ path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    private func status(_ path: String) -> mode_t? {
        var info = stat()
        return lstat(root + path, &info) == 0 ? info.st_mode & 0o7777 : nil
    }
}

extension Fixture {
    /// What a map of memory shows of a program and the C library, and `more` lines.
    func map(_ more: String...) {
        link("/proc/self/exe", to: "/home/anna/program")
        file("/usr/lib/libc.so.6", "library")
        let lines =
            [
                "55dd35361000-55dd35363000 r--p 00000000 fe:00 253911                     /home/anna/program",
                "55dd35363000-55dd35368000 r-xp 00002000 fe:00 253911                     /home/anna/program",
                "55dd579a5000-55dd579c6000 rw-p 00000000 00:00 0                          [heap]",
                "7fce27bd3000-7fce27d29000 r-xp 00026000 fe:00 333151                     /usr/lib/libc.so.6",
                "7fce27d82000-7fce27d8f000 rw-p 00000000 00:00 0 ",
                "7fce27da3000-7fce27da5000 r-xp 00000000 00:00 0                          [vdso]",
                "7ffd7bb2f000-7ffd7bb50000 rw-p 00000000 00:00 0                          [stack]",
            ] + more + ["ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]"]
        file("/proc/self/maps", lines.joined(separator: "\n") + "\n")
    }

    /// A line of a map.
    static func mapped(_ permissions: String, _ path: String) -> String {
        "7fce30000000-7fce30001000 \(permissions) 00000000 fe:00 77                         \(path)"
    }

    /// A machine with nothing wrong, as a process of root's in a container on a virtual machine sees it.
    func plainMachine() {
        map()
        for folder in ["/usr/bin", "/usr/sbin", "/usr/local/lib", "/usr/local/bin", "/etc", "/opt", "/boot"] {
            self.folder(folder)
        }
        link("/bin", to: "usr/bin")
        link("/lib", to: "usr/lib")
        file("/usr/bin/sh", "a shell", mode: 0o755)
        file("/usr/bin/su", "asks for a password", mode: 0o4755)
        file("/.dockerenv", "")
        file("/proc/self/status", "Name:\tprogram\nUmask:\t0022\nTracerPid:\t0\nUid:\t0\t0\t0\t0\n")
        file("/proc/self/environ", "PATH=/usr/bin\0HOME=/root\0")
        file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu sse2 hypervisor lahf_lm\n")
        file("/proc/sys/kernel/yama/ptrace_scope", "0\n")
        file("/proc/sys/kernel/tainted", "4096\n")
        file("/proc/sys/kernel/core_pattern", "|/usr/share/apport/apport %p\n")
        file("/proc/sys/fs/suid_dumpable", "2\n")
        file("/proc/swaps", "Filename Type Size Used Priority\n/dev/vda2 partition 1 0 -2\n")
        file("/sys/kernel/security/lsm", "lockdown,capability\n")
        file("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n")
        file("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c", [6, 0, 0, 0, 0])
    }
}
