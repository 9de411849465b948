import Localization

/// What an ``IntegrityCheck`` looks at; the raw value is its stable name.
///
/// The book, 7.4, tells a simulator apart first and then weighs seven signs with 16 each; these are their counterparts
/// on Linux, and those of what it names besides. docs/guides/integrity-check.md says which answers which.
public enum IntegrityProbe: String, CaseIterable, Sendable {
    /// Information: the processor says that a hypervisor runs it.
    case virtualMachine = "virtual-machine"
    /// Information: the marks that container managers leave.
    case container

    /// Sign: a process traces this one (ptrace(2)).
    case debugger
    /// Sign: this process was started with LD_PRELOAD, LD_AUDIT or GLIBC_TUNABLES (ld.so(8)).
    case injectedVariables = "injected-variables"
    /// Sign: code is mapped from files that are neither the program nor root's alone.
    case foreignCode = "foreign-code"
    /// Sign: memory can be executed that was written by a program; also what a just-in-time compiler does.
    case writableCode = "writable-code"
    /// Sign: /etc/ld.so.preload puts a library into every process.
    case systemPreload = "system-preload"
    /// Sign: a folder of the system can be written by everybody, or is not root's.
    case writableSystem = "writable-system"
    /// Sign: a shell or interpreter among the system's programs runs with its owner's rights.
    case setuidShell = "setuid-shell"
    /// Sign: the program's file has another SHA-256 than expected.
    case programDigest = "program-digest"
    /// Sign: a sandbox that denies all files was entered and does not deny them.
    case sandbox

    /// Context: whether Yama keeps processes of one user from tracing each other.
    case ptraceScope = "ptrace-scope"
    /// Context: whether the kernel has loaded modules that are unsigned, forced or from outside its tree.
    case kernelTaint = "kernel-taint"
    /// Context: whether root itself is kept from changing the kernel.
    case kernelLockdown = "kernel-lockdown"
    /// Context: whether a module for mandatory access control is active.
    case securityModules = "security-modules"
    /// Context: whether the firmware started a signed system.
    case secureBoot = "secure-boot"
    /// Context: whether the kernel measures what it runs (IMA).
    case measurement
    /// Context: whether a crash gives a process's memory to a program, or to its user's files despite setuid.
    case coreDumps = "core-dumps"
    /// Context: whether memory can be written to a disk unencrypted.
    case swap

    /// What part a probe has in the verdict.
    public enum Kind: Sendable {
        /// Said first and never held against anybody.
        case surroundings
        /// Counts, and two of them are needed.
        case sign
        /// How much the machine does against attacks; adds little and is no sign of one.
        case context
    }

    /// What part this probe has.
    public var kind: Kind {
        switch self {
        case .virtualMachine, .container: .surroundings
        case .debugger, .injectedVariables, .foreignCode, .writableCode, .systemPreload, .writableSystem, .setuidShell,
            .programDigest, .sandbox:
            .sign
        case .ptraceScope, .kernelTaint, .kernelLockdown, .securityModules, .secureBoot, .measurement, .coreDumps,
            .swap:
            .context
        }
    }

    /// Whether it costs so little that each start of a program looks at it.
    package var isOfStart: Bool {
        switch self {
        case .setuidShell, .programDigest, .sandbox: false
        default: kind != .surroundings
        }
    }

    /// The weight that ``IntegrityRules`` begin with.
    ///
    /// 16 for a sign. All context together is 12, so that it never makes a verdict of one sign. What has 0 is common on
    /// good machines, and shown only.
    public var defaultWeight: Int {
        switch self {
        case .kernelTaint: 4
        case .ptraceScope, .secureBoot, .coreDumps, .swap: 2
        case .kernelLockdown, .securityModules, .measurement: 0
        default: kind == .sign ? 16 : 0
        }
    }

    /// What an attacker would do that this probe looks for.
    public var threat: String {
        switch self {
        case .virtualMachine, .container: localized("whoever runs the host reads this machine's memory")
        case .debugger: localized("another process reads and changes this one's memory")
        case .injectedVariables: localized("whoever started the program put code of theirs into it")
        case .foreignCode: localized("code of somebody else's runs in this process")
        case .writableCode: localized("code was written into this process while it ran")
        case .systemPreload: localized("code of somebody else's runs in every process")
        case .writableSystem: localized("any user replaces the system's programs and libraries")
        case .setuidShell: localized("any user becomes root by a door that was left open")
        case .programDigest: localized("the program is not the one that was delivered")
        case .sandbox: localized("what a sandbox is to keep in gets out")
        case .ptraceScope: localized("any program of the same user reads this one's memory")
        case .kernelTaint: localized("the kernel runs code that nobody vouches for")
        case .kernelLockdown: localized("root changes the running kernel")
        case .securityModules: localized("a service that was taken over may do all that its user may")
        case .secureBoot: localized("another system was started")
        case .measurement: localized("nobody can tell afterwards what ran")
        case .coreDumps: localized("a crash writes secrets to a file, or hands them to a program")
        case .swap: localized("secrets are left on the disk")
        }
    }
}
