import Localization

/// How much the kernel does against attacks: context, which no attacker need have had a hand in.
///
/// A file that an older, newer or differently built kernel lacks, and a value that is not known here, is unknown and
/// never bad: rules differ between versions of a system.
enum KernelProbes {
    /// Yama: 0 lets any process of a user trace that user's others; Documentation/admin-guide/LSM/Yama.rst.
    static func ptraceScope(_ machine: MachineView) -> Observation {
        guard let text = machine.line(of: "/proc/sys/kernel/yama/ptrace_scope"), let scope = Int(text) else {
            return .unknown(marked("this kernel has no Yama"))
        }
        return switch scope {
        case 0: .bad(marked("processes of a user may trace each other (ptrace_scope 0)"))
        case 1...3: .ok(marked("tracing is restricted (ptrace_scope \(scope))"))
        default: .unknown(marked("ptrace_scope has a value that is not known here"))
        }
    }

    /// Documentation/admin-guide/tainted-kernels.rst; only the bits that speak of foreign code.
    ///
    /// Drivers from outside the kernel's tree, as of some graphics cards, set 4096.
    static func taint(_ machine: MachineView) -> Observation {
        guard let text = machine.line(of: "/proc/sys/kernel/tainted"), let taint = UInt64(text) else {
            return .unknown(marked("the kernel does not say whether it is tainted"))
        }
        let meanings: [(bit: Int, words: String)] = [
            (bit: 1, words: "forced"), (bit: 3, words: "forced out"), (bit: 12, words: "from outside its tree"),
            (bit: 13, words: "unsigned"),
        ]
        let found = meanings.filter { taint >> UInt64($0.bit) & 1 == 1 }.map(\.words)
        guard !found.isEmpty else {
            return .ok(marked("no foreign module was loaded since the start (tainted \(taint))"))
        }
        return .bad(marked("modules of the kernel: \(found.joined(separator: ", ")) (tainted \(taint))"))
    }

    /// `none [integrity] confidentiality`, the one in force in brackets; kernel_lockdown(7).
    static func lockdown(_ machine: MachineView) -> Observation {
        guard let text = machine.line(of: "/sys/kernel/security/lockdown"),
            let open = text.firstIndex(of: "["), let close = text[open...].firstIndex(of: "]")
        else { return .unknown(marked("the kernel does not say whether it is locked down")) }
        let mode = text[text.index(after: open)..<close]
        return switch mode {
        case "none": .bad(marked("root may change the running kernel (lockdown none)"))
        case "integrity", "confidentiality": .ok(marked("root may not change the running kernel (lockdown \(mode))"))
        default: .unknown(marked("lockdown has a value that is not known here"))
        }
    }

    /// The modules of security that are active, with commas between them.
    static func securityModules(_ machine: MachineView) -> Observation {
        guard let text = machine.line(of: "/sys/kernel/security/lsm") else {
            return .unknown(marked("the kernel does not say which security modules are active"))
        }
        let active = text.split(separator: ",").map(String.init)
        let mandatory = ["selinux", "apparmor", "smack", "tomoyo"].filter(active.contains)
        let names = mandatory.joined(separator: ", ")
        return switch (mandatory.count, active.contains("landlock")) {
        case (0, true): .bad(marked("no mandatory access control is active, with Landlock"))
        case (0, false): .bad(marked("no mandatory access control is active, without Landlock"))
        case (1, true): .ok(marked("\(names) is active, with Landlock"))
        case (1, false): .ok(marked("\(names) is active, without Landlock"))
        case (_, true): .ok(marked("\(names) are active, with Landlock"))
        case (_, false): .ok(marked("\(names) are active, without Landlock"))
        }
    }

    /// The firmware's variable: four bytes of attributes, then one; UEFI specification, 3.3.
    static func secureBoot(_ machine: MachineView) -> Observation {
        let path = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
        guard case .bytes(let bytes) = machine.content(path, limit: 64), bytes.count == 5, bytes[4] <= 1 else {
            return .unknown(marked("the firmware does not say whether it checks what it starts"))
        }
        return bytes[4] == 1 ? .ok(marked("Secure Boot is on")) : .bad(marked("Secure Boot is off"))
    }

    /// IMA's folder; its absence says something only where the other modules of security can be seen.
    static func measurement(_ machine: MachineView) -> Observation {
        if machine.status("/sys/kernel/security/ima") != nil {
            return .ok(marked("the kernel can measure what it runs (IMA)"))
        }
        guard machine.status("/sys/kernel/security/lsm") != nil else {
            return .unknown(marked("the kernel does not say whether it measures what it runs"))
        }
        return .bad(marked("the kernel does not measure what it runs (no IMA)"))
    }

    /// core(5): a pattern that begins with a bar hands the memory to a program, past RLIMIT_CORE; proc(5),
    /// suid_dumpable: 1 lets the user's files have that of setuid programs.
    static func coreDumps(_ machine: MachineView) -> Observation {
        guard let pattern = machine.line(of: "/proc/sys/kernel/core_pattern"),
            let dumpable = machine.line(of: "/proc/sys/fs/suid_dumpable").flatMap({ Int($0) })
        else { return .unknown(marked("the kernel does not say where a crash puts memory")) }
        if dumpable == 1 { return .bad(marked("a crash of a setuid program is written where its user reads it")) }
        return pattern.hasPrefix("|")
            ? .bad(marked("a crash hands memory to a program")) : .ok(marked("a crash leaves a file at most"))
    }
}
