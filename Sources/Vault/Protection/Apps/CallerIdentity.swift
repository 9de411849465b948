/// How surely it is known which program asks, the weakest first.
///
/// Code that runs inside an allowed program, by LD_PRELOAD or ptrace(2), has its identity in the grades up to
/// ``executable``; docs/THREATS.md says more.
public enum IdentityGrade: UInt8, Comparable, CaseIterable, Sendable {
    /// The kernel does not say which file it runs.
    case unknown = 0
    /// A program that runs whatever script it is given: all its scripts are one.
    case interpreter = 1
    /// The file that it runs is known, by its content or by a path that only root can change.
    case executable = 2
    /// A unit of the system's service manager, which only root can start; what it runs may be the user's, as with cron.
    case systemUnit = 3
    /// A group that only root can give a program: no other program of the user can be it.
    case isolated = 4

    /// The weaker one is less.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// One word for it.
    public var name: String {
        switch self {
        case .unknown: "unknown"
        case .interpreter: "interpreter"
        case .executable: "executable"
        case .systemUnit: "system unit"
        case .isolated: "isolated"
        }
    }
}

/// What the kernel vouches for about a program that asks.
package struct CallerEvidence: Equatable, Sendable {
    /// A file, as the process runs it.
    package struct Executable: Equatable, Sendable {
        /// Where it lies; nil where no path in sight of the daemon names this file.
        package var path: String?
        /// SHA-256 of its content, 32 bytes; nil where nobody needs it.
        package var digest: [UInt8]?
        /// Whether its path belongs to root alone, up to the root folder.
        package var isInstalled: Bool
        /// Whether it is one of the programs that lie beside the daemon.
        package var isOurs: Bool

        /// - Parameter digest: SHA-256, 32 bytes; nil where nobody needs it.
        package init(path: String?, digest: [UInt8]?, isInstalled: Bool, isOurs: Bool = false) {
            self.path = path
            self.digest = digest
            self.isInstalled = isInstalled
            self.isOurs = isOurs
        }
    }

    /// What the process runs; nil where it hides, or has ended.
    package var executable: Executable?
    /// The application's name in its sandbox, such as `flatpak:org.example.Mail`.
    package var sandbox: String?
    /// The system unit, such as `backup.service`.
    package var unit: String?
    /// The effective group, where it is not the user's own.
    package var group: String?

    /// - Parameters:
    ///   - sandbox: such as `flatpak:org.example.Mail`.
    ///   - unit: such as `backup.service`.
    ///   - group: the effective one, where it is not the user's own.
    package init(
        executable: Executable? = nil, sandbox: String? = nil, unit: String? = nil, group: String? = nil
    ) {
        self.executable = executable
        self.sandbox = sandbox
        self.unit = unit
        self.group = group
    }
}

/// What an app says of itself, in a manifest that its developer signed.
package struct AppClaim: Equatable, Sendable {
    /// `PREFIX.bundle.identifier`.
    package var identifier: String
    /// In the developer's order: the first is the default for new items.
    package var keychainGroups: [String]
    /// Names that belong to the developer whose app names them first.
    package var applicationGroups: [String]
    /// SHA-256 of each file that is this app, 32 bytes.
    package var executables: [[UInt8]]
    /// In which the app is known by the sandbox's word, such as `flatpak:org.example.Mail`.
    package var sandboxes: [String]
    /// The system unit that is this app; nil for none.
    package var unit: String?
    /// The system group whose processes are this app; nil for none.
    package var group: String?

    /// - Parameters:
    ///   - identifier: `PREFIX.bundle.identifier`.
    ///   - executables: SHA-256 of each file, 32 bytes.
    package init(
        identifier: String, keychainGroups: [String], applicationGroups: [String] = [], executables: [[UInt8]] = [],
        sandboxes: [String] = [], unit: String? = nil, group: String? = nil
    ) {
        self.identifier = identifier
        self.keychainGroups = keychainGroups
        self.applicationGroups = applicationGroups
        self.executables = executables
        self.sandboxes = sandboxes
        self.unit = unit
        self.group = group
    }

    /// In the documented order: keychain groups, the application itself, its application groups.
    package var groups: [String] { keychainGroups + [identifier] + applicationGroups }

    /// How surely this evidence shows that the caller is this app; nil where it does not.
    package func grade(_ evidence: CallerEvidence) -> IdentityGrade? {
        if let sandbox = evidence.sandbox {
            // What runs in a sandbox is what the sandbox says, whatever file it runs.
            return sandboxes.contains(sandbox) ? .executable : nil
        }
        if let group = evidence.group, group == self.group { return .isolated }
        let isUnit = evidence.unit != nil && evidence.unit == unit
        // A unit such as cron's runs whatever the user wrote down: where the app says its files, it has to be one.
        if isUnit && executables.isEmpty { return .systemUnit }
        guard let executable = evidence.executable, let digest = executable.digest, !executable.isInterpreter else {
            return nil
        }
        guard executables.contains(digest) else { return nil }
        return isUnit ? .systemUnit : .executable
    }
}

/// Which program asks, and which groups it reaches.
package struct CallerIdentity: Equatable, Sendable {
    /// The application's identifier, or the private group of a program that no manifest names; nil for an unknown one.
    package let name: String?
    /// By what the program is known, which says how sure it is.
    package let grade: IdentityGrade
    /// The first is the default for new items; none at all for a program that is not known.
    package let accessGroups: [String]
    /// Whether it is one of the programs that came with the daemon.
    package let isOurs: Bool

    /// - Parameters:
    ///   - apps: those that are registered.
    ///   - granted: groups that the owner has let a program of this name into.
    package init(_ evidence: CallerEvidence, apps: [AppClaim], granted: (String) -> [String]) {
        if let executable = evidence.executable, executable.isOurs, evidence.sandbox == nil {
            self = Self.ours(executable)
            return
        }
        let matches = apps.compactMap { app in app.grade(evidence).map { (app: app, grade: $0) } }
        // The strongest evidence decides; among equals the first by name, so that the answer does not vary.
        let best = matches.min { ($1.grade, $0.app.identifier) < ($0.grade, $1.app.identifier) }
        if let best {
            name = best.app.identifier
            grade = best.grade
            // What it kept before it was registered stays in its reach, behind all else.
            let former = Self.privateGroup(evidence).0
            let more = former.map { [$0] + granted($0) } ?? []
            accessGroups = Self.unique(best.app.groups + more + granted(best.app.identifier))
            isOurs = false
            return
        }
        let (privateGroup, grade) = Self.privateGroup(evidence)
        name = privateGroup
        self.grade = grade
        accessGroups = privateGroup.map { Self.unique([$0] + granted($0)) } ?? []
        isOurs = false
    }

    private init(ours name: String, grade: IdentityGrade, accessGroups: [String]) {
        isOurs = true
        self.name = name
        self.grade = grade
        self.accessGroups = accessGroups
    }

    private static func ours(_ executable: CallerEvidence.Executable) -> CallerIdentity {
        let file = executable.path?.split(separator: "/").last.map(String.init) ?? ""
        let groups =
            switch file {
            case "tresor": [AccessGroup.owner]
            // What it kept in the owner's group before it had one of its own.
            case "tresor-notes": [AccessGroup.notes, AccessGroup.owner]
            case "tresor-diary": [AccessGroup.diary]
            // It counts weak passwords and makes one-time codes of the owner's items.
            case "tresor-widgets": [AccessGroup.widgets, AccessGroup.owner]
            default: [String]()
            }
        return CallerIdentity(ours: file, grade: .executable, accessGroups: groups)
    }

    /// The group of a program that no manifest names: what it is known by is in the group's name, and so authenticated
    /// with every item in it.
    private static func privateGroup(_ evidence: CallerEvidence) -> (String?, IdentityGrade) {
        if let sandbox = evidence.sandbox {
            return (named("sandbox.", sandbox), .executable)
        }
        if let executable = evidence.executable, !executable.isInterpreter {
            return named(executable, path: "path.", digest: "sha256.", .executable)
        }
        // A service in a script is at least that service. Other programs are known by their file: one unit, such as
        // that of cron, may run whatever the user writes down.
        if let unit = evidence.unit { return (named("unit.", unit), .systemUnit) }
        guard let executable = evidence.executable else { return (nil, .unknown) }
        return named(executable, path: "interpreter.", digest: "interpreter.sha256.", .interpreter)
    }

    private static func named(
        _ executable: CallerEvidence.Executable, path: String, digest: String, _ grade: IdentityGrade
    ) -> (String?, IdentityGrade) {
        if executable.isInstalled, let group = executable.path.flatMap({ named(path, $0) }) { return (group, grade) }
        return executable.digest.map { (digest + hexadecimal($0), grade) } ?? (nil, .unknown)
    }

    private static func named(_ prefix: String, _ text: String) -> String? {
        AccessGroup.isName(prefix + text) ? prefix + text : nil
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static func unique(_ groups: [String]) -> [String] {
        var seen: Set<String> = []
        return Array(groups.filter { seen.insert($0).inserted }.prefix(AccessGroup.mostReached))
    }
}

extension CallerEvidence.Executable {
    /// Programs that run scripts: their content says nothing of what is done.
    private static let interpreters: Set<String> = [
        "sh", "dash", "bash", "zsh", "fish", "ksh", "mksh", "busybox", "python", "perl", "ruby", "node", "nodejs",
        "deno", "bun", "php", "lua", "luajit", "tclsh", "wish", "guile", "java", "mono", "dotnet", "gjs", "osascript",
        "awk", "gawk", "mawk", "R", "Rscript", "swift", "env", "csh", "tcsh", "expect", "pypy", "wine", "wine64",
        "electron", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld.so", "ld-musl-x86_64.so.1",
    ]

    /// By the file's name, without the digits and dots of a version.
    ///
    /// A copy of an interpreter under another name is known by its content alone, as any other program.
    package var isInterpreter: Bool {
        guard let file = path?.split(separator: "/").last else { return false }
        let bare = file.prefix { !$0.isNumber }
        let stem = bare.last == "-" || bare.last == "." ? bare.dropLast() : bare
        return Self.interpreters.contains(String(file)) || Self.interpreters.contains(String(stem))
    }
}
