import Glibc
import Tresor

extension Probes {
    static let cases = processCases + codeCases + systemCases + kernelCases + swapCases + surroundingsCases

    private static let processCases = [
        Case(.debugger, .ok, "nobody traces") { $0.file("/proc/self/status", "Name:\tx\nTracerPid:\t0\n") },
        Case(.debugger, .bad, "somebody traces") { $0.file("/proc/self/status", "Name:\tx\nTracerPid:\t42\n") },
        Case(.debugger, .bad, "somebody traces one thread") {
            $0.file("/proc/self/status", "Name:\tx\nTracerPid:\t0\n")
            $0.file("/proc/self/task/7/status", "Name:\tx\nTracerPid:\t0\n")
            $0.file("/proc/self/task/8/status", "Name:\tx\nTracerPid:\t42\n")
        },
        Case(.debugger, .unknown, "no status"),
        Case(.debugger, .unknown, "no such line") { $0.file("/proc/self/status", "Name:\tx\n") },
        Case(.debugger, .unknown, "no number") { $0.file("/proc/self/status", "TracerPid:\tnobody\n") },
        Case(.injectedVariables, .ok, "harmless ones") {
            $0.file("/proc/self/environ", "PATH=/bin\0MY_LD_PRELOAD=/anna.so\0LD_PRELOAD=\0LD_AUDIT\0=\0\0")
        },
        Case(.injectedVariables, .bad, "LD_PRELOAD") {
            $0.file("/proc/self/environ", "A=b\0LD_PRELOAD=/home/anna/x.so\0")
        },
        Case(.injectedVariables, .bad, "LD_AUDIT, last and cut off") {
            $0.file("/proc/self/environ", "A=b\0LD_AUDIT=/home/anna/x.so")
        },
        Case(.injectedVariables, .bad, "GLIBC_TUNABLES, behind bytes that are no text") {
            $0.file("/proc/self/environ", [0xff, 0xfe, 0] + Array("GLIBC_TUNABLES=glibc.malloc.check=1\0".utf8))
        },
        Case(.injectedVariables, .unknown, "none to be read"),
        Case(.programDigest, .unknown, "no digest given") { $0.file("/proc/self/exe", "abc") },
        Case(.programDigest, .ok, "the digest of abc", digestOfAbc) { $0.file("/proc/self/exe", "abc") },
        Case(.programDigest, .bad, "a byte flipped", digestOfAbc) { $0.file("/proc/self/exe", "abb") },
        Case(.programDigest, .bad, "a byte behind the end", digestOfAbc) { $0.file("/proc/self/exe", "abc\n") },
        Case(.programDigest, .unknown, "no file", digestOfAbc),
        Case(.programDigest, .unknown, "a folder", digestOfAbc) { $0.folder("/proc/self/exe") },
    ]

    /// FIPS 180-4's own example.
    private static let digestOfAbc: IntegrityRules = {
        var rules = IntegrityRules()
        rules.expectedProgram = ProgramDigest(
            hexadecimal: "BA7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        return rules
    }()

    private static func allowing(_ paths: String...) -> IntegrityRules {
        var rules = IntegrityRules()
        rules.allowedCode = paths
        return rules
    }

    private static let codeCases = [
        Case(.foreignCode, .ok, "program and C library") { $0.map() },
        Case(.foreignCode, .bad, "a library in a home folder") { $0.map(Fixture.mapped("r-xp", "/home/anna/x.so")) },
        Case(.foreignCode, .ok, "data in a home folder") { $0.map(Fixture.mapped("rw-p", "/home/anna/x.so")) },
        Case(.foreignCode, .bad, "a system library that others write to") {
            $0.map(Fixture.mapped("r-xp", "/usr/lib/x.so"))
            $0.file("/usr/lib/x.so", "", mode: 0o666)
        },
        Case(.foreignCode, .bad, "a system library in a folder that others write to") {
            $0.map(Fixture.mapped("r-xp", "/usr/local/lib/x.so"))
            $0.folder("/usr/local/lib", mode: 0o777)
            $0.file("/usr/local/lib/x.so", "")
        },
        Case(.foreignCode, .bad, "a system library that is not there") {
            $0.map(Fixture.mapped("r-xp", "/usr/lib/none.so"))
        },
        Case(.foreignCode, .ok, "a system library that an update replaced") {
            $0.map(Fixture.mapped("r-xp", "/usr/lib/none.so (deleted)"))
        },
        Case(.foreignCode, .bad, "a deleted library elsewhere") {
            $0.map(Fixture.mapped("r-xp", "/tmp/x.so (deleted)"))
        },
        Case(.foreignCode, .bad, "a file in memory") { $0.map(Fixture.mapped("r-xs", "/memfd:anna (deleted)")) },
        Case(.foreignCode, .ok, "a file in memory that is allowed", allowing("/memfd:jit")) {
            $0.map(Fixture.mapped("r-xs", "/memfd:jit (deleted)"))
        },
        Case(.foreignCode, .ok, "a folder that is allowed", allowing("/home/anna/lib/")) {
            $0.map(Fixture.mapped("r-xp", "/home/anna/lib/x.so"))
        },
        Case(.foreignCode, .bad, "a folder that is called like one that is allowed", allowing("/home/anna/lib", "")) {
            $0.map(Fixture.mapped("r-xp", "/home/anna/lib2/x.so"))
        },
        Case(.foreignCode, .bad, "a name with blanks") { $0.map(Fixture.mapped("r-xp", "/usr/lib /x y.so")) },
        Case(.foreignCode, .unknown, "no map"),
        Case(.foreignCode, .unknown, "a map that is none") {
            $0.link("/proc/self/exe", to: "/home/anna/program")
            $0.file("/proc/self/maps", "once upon a time\n")
        },
        Case(.foreignCode, .unknown, "a map that is cut") {
            $0.map()
            $0.file("/proc/self/maps", "55dd35361000-55dd35363000 r-xp 000000 fe:00 2539 /home/anna/program\n7ff")
        },
        Case(.writableCode, .ok, "none") { $0.map() },
        Case(.writableCode, .bad, "the program's own code, made writable") {
            $0.map(Fixture.mapped("rwxp", "/home/anna/program"))
        },
        Case(.writableCode, .bad, "a stack that can be executed") { $0.map(Fixture.mapped("rwxp", "[stack]")) },
        Case(.writableCode, .bad, "code of no file") { $0.map(Fixture.mapped("r-xp", "")) },
        Case(.writableCode, .bad, "shared code of no file") { $0.map(Fixture.mapped("r-xs", "/dev/zero (deleted)")) },
        Case(.writableCode, .bad, "named memory") { $0.map(Fixture.mapped("--xp", "[anon:code]")) },
        Case(.writableCode, .unknown, "no map"),
    ]

    private static let systemCases = [
        Case(.systemPreload, .ok, "no file"),
        Case(.systemPreload, .ok, "an empty file") { $0.file("/etc/ld.so.preload", " \n\n") },
        Case(.systemPreload, .bad, "a library") { $0.file("/etc/ld.so.preload", "/home/anna/x.so\n") },
        Case(.systemPreload, .bad, "a link to a library's name") {
            $0.file("/etc/preload", "/home/anna/x.so\n")
            $0.link("/etc/ld.so.preload", to: "preload")
        },
        Case(.systemPreload, .unknown, "a folder") { $0.folder("/etc/ld.so.preload") },
        Case(.systemPreload, .unknown, "a pipe that nobody writes to") {
            $0.folder("/etc")
            mkfifo($0.root + "/etc/ld.so.preload", 0o644)
        },
        Case(.systemPreload, .unknown, "more than any system has") {
            $0.file("/etc/ld.so.preload", [UInt8](repeating: 0x20, count: 65_537))
        },
        Case(.writableSystem, .ok, "folders of root's") { $0.plainMachine() },
        Case(.writableSystem, .bad, "a folder that all write to") {
            $0.plainMachine()
            $0.folder("/usr/local/lib", mode: 0o777)
        },
        Case(.writableSystem, .bad, "a folder that all add to") {
            $0.plainMachine()
            $0.folder("/usr/local/bin", mode: 0o1777)
        },
        Case(.writableSystem, .bad, "a link to a folder that all write to") {
            $0.folder("/home/anna/bin", mode: 0o777)
            $0.link("/bin", to: "/home/anna/bin")
        },
        Case(.writableSystem, .ok, "a folder that a group writes to") { $0.folder("/usr/local/lib", mode: 0o2775) },
        Case(.writableSystem, .unknown, "no folder"),
        Case(.setuidShell, .ok, "su, and shells") { $0.plainMachine() },
        Case(.setuidShell, .ok, "a shell of that name that nobody may run") {
            $0.file("/usr/bin/bash", "bash", mode: 0o4644)
        },
        Case(.setuidShell, .bad, "a shell") { $0.file("/usr/local/bin/bash", "bash", mode: 0o4755) },
        Case(.setuidShell, .bad, "an interpreter, set to its group") {
            $0.file("/usr/bin/python3.11", "python", mode: 0o2755)
        },
        Case(.setuidShell, .bad, "a shell under another name") {
            $0.plainMachine()
            $0.file("/usr/sbin/cleanup", "a shell", mode: 0o4755)
        },
        Case(.setuidShell, .ok, "another program of a shell's size") {
            $0.plainMachine()
            $0.file("/usr/sbin/cleanup", "a shelf", mode: 0o4755)
        },
        Case(.setuidShell, .unknown, "no programs"),
    ]

    private static let secureBoot = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

    private static let kernelCases = [
        Case(.ptraceScope, .ok, "1") { $0.file("/proc/sys/kernel/yama/ptrace_scope", "1\n") },
        Case(.ptraceScope, .bad, "0") { $0.file("/proc/sys/kernel/yama/ptrace_scope", "0\n") },
        Case(.ptraceScope, .unknown, "no Yama"),
        Case(.ptraceScope, .unknown, "a later kernel's") { $0.file("/proc/sys/kernel/yama/ptrace_scope", "4\n") },
        Case(.kernelTaint, .ok, "0") { $0.file("/proc/sys/kernel/tainted", "0\n") },
        Case(.kernelTaint, .ok, "a warning, and a bit of a later kernel's") {
            $0.file("/proc/sys/kernel/tainted", "1099511628288\n")
        },
        Case(.kernelTaint, .bad, "a module from outside") { $0.file("/proc/sys/kernel/tainted", "4096\n") },
        Case(.kernelTaint, .unknown, "no file"),
        Case(.kernelTaint, .unknown, "no number") { $0.file("/proc/sys/kernel/tainted", "-1\n") },
        Case(.kernelLockdown, .ok, "integrity") {
            $0.file("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n")
        },
        Case(.kernelLockdown, .bad, "none") {
            $0.file("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n")
        },
        Case(.kernelLockdown, .unknown, "no file"),
        Case(.kernelLockdown, .unknown, "brackets the wrong way") {
            $0.file("/sys/kernel/security/lockdown", "]none[")
        },
        Case(.securityModules, .ok, "AppArmor") { $0.file("/sys/kernel/security/lsm", "capability,landlock,apparmor") },
        Case(.securityModules, .bad, "Landlock alone") { $0.file("/sys/kernel/security/lsm", "capability,landlock") },
        Case(.securityModules, .unknown, "no file"),
        Case(.secureBoot, .ok, "on") { $0.file(secureBoot, [6, 0, 0, 0, 1]) },
        Case(.secureBoot, .bad, "off") { $0.file(secureBoot, [6, 0, 0, 0, 0]) },
        Case(.secureBoot, .unknown, "no firmware's variables"),
        Case(.secureBoot, .unknown, "too short") { $0.file(secureBoot, [6, 0, 0, 0]) },
        Case(.secureBoot, .unknown, "neither") { $0.file(secureBoot, [6, 0, 0, 0, 2]) },
        Case(.measurement, .ok, "IMA") { $0.folder("/sys/kernel/security/ima") },
        Case(.measurement, .bad, "no IMA") { $0.file("/sys/kernel/security/lsm", "capability") },
        Case(.measurement, .unknown, "nothing to be seen"),
        Case(.coreDumps, .ok, "a file") {
            $0.file("/proc/sys/kernel/core_pattern", "core\n")
            $0.file("/proc/sys/fs/suid_dumpable", "0\n")
        },
        Case(.coreDumps, .bad, "a program") {
            $0.file("/proc/sys/kernel/core_pattern", "|/usr/bin/catch %p\n")
            $0.file("/proc/sys/fs/suid_dumpable", "2\n")
        },
        Case(.coreDumps, .bad, "of setuid programs, too") {
            $0.file("/proc/sys/kernel/core_pattern", "core\n")
            $0.file("/proc/sys/fs/suid_dumpable", "1\n")
        },
        Case(.coreDumps, .unknown, "no file") { $0.file("/proc/sys/kernel/core_pattern", "core\n") },
    ]

    private static func swaps(_ lines: String...) -> String {
        (["Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority"] + lines).map { $0 + "\n" }.joined()
    }

    private static let swapCases = [
        Case(.swap, .ok, "none") { $0.file("/proc/swaps", swaps()) },
        Case(.swap, .ok, "compressed memory") { $0.file("/proc/swaps", swaps("/dev/zram0  partition 8 0 100")) },
        Case(.swap, .bad, "a partition") { $0.file("/proc/swaps", swaps("/dev/sda2  partition 8 0 -2")) },
        Case(.swap, .ok, "an encrypted one") {
            $0.file("/proc/swaps", swaps("/dev/dm-1  partition 8 0 -2"))
            $0.file("/sys/block/dm-1/dm/uuid", "CRYPT-LUKS2-0-swap\n")
        },
        Case(.swap, .ok, "a volume on an encrypted one") {
            $0.file("/proc/swaps", swaps("/dev/dm-1  partition 8 0 -2"))
            $0.file("/sys/block/dm-1/dm/uuid", "LVM-0\n")
            $0.file("/sys/block/dm-0/dm/uuid", "CRYPT-LUKS2-0-disk\n")
            $0.folder("/sys/block/dm-1/slaves/dm-0")
        },
        Case(.swap, .bad, "a volume on an encrypted and a plain one") {
            $0.file("/proc/swaps", swaps("/dev/dm-1  partition 8 0 -2"))
            $0.file("/sys/block/dm-0/dm/uuid", "CRYPT-LUKS2-0-disk\n")
            $0.folder("/sys/block/dm-1/slaves/dm-0")
            $0.folder("/sys/block/dm-1/slaves/sda3")
        },
        Case(.swap, .bad, "a volume that is made of itself") {
            $0.file("/proc/swaps", swaps("/dev/dm-1  partition 8 0 -2"))
            $0.folder("/sys/block/dm-1/slaves/dm-1")
        },
        Case(.swap, .unknown, "a file") { $0.file("/proc/swaps", swaps("/swap\\040file  file 8 0 -2")) },
        Case(.swap, .bad, "a file and a partition") {
            $0.file("/proc/swaps", swaps("/swapfile  file 8 0 -2", "/dev/sda2  partition 8 0 -3"))
        },
        Case(.swap, .unknown, "no list"),
        Case(.swap, .unknown, "another list") { $0.file("/proc/swaps", "/dev/sda2 partition\n") },
    ]

    private static let surroundingsCases = [
        Case(.virtualMachine, .ok, "the processor's flag") {
            $0.file("/proc/cpuinfo", "flags\t\t: fpu hypervisor lm\n")
        },
        Case(.virtualMachine, .ok, "no such flag") { $0.file("/proc/cpuinfo", "flags\t\t: fpu lm\n") },
        Case(.virtualMachine, .ok, "Xen") { $0.file("/sys/hypervisor/type", "xen\n") },
        Case(.virtualMachine, .unknown, "a processor without flags") { $0.file("/proc/cpuinfo", "Features\t: aes\n") },
        Case(.container, .ok, "Podman's mark") { $0.file("/run/.containerenv", "") },
        Case(.container, .ok, "no mark") { $0.file("/proc/self/status", "Name:\tx\n") },
        Case(.container, .unknown, "nothing to be seen"),
    ]
}
