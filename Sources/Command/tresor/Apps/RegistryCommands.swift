import ArgumentParser
import Envelopes
import FoundationEssentials
import KeyEnvelopes
import Linux
import Localization
import NotesClient
import Protection
import Secrets
import TerminalScreen
import Tresor
import Wire

/// What the owner's commands about programs share.
enum AppRegistryInput {
    /// The passcode, where one is set: who may read what is the owner's to say, and nobody's who merely runs a command.
    static func passcode(_ options: PasscodeOptions, _ keychain: Keychain) async throws -> SecretBytes? {
        guard try await keychain.status().hasPasscode else { return nil }
        return try options.source().readPasscode()
    }

    static func manifest(_ file: String) throws -> (bytes: [UInt8], manifest: AppManifest) {
        let bytes: [UInt8]
        do { bytes = try FileSystem.read(file, limit: AppManifest.longest) } catch {
            throw Failure(
                Wire.ExitCode.usage,
                error.isTooLarge
                    ? localized("that is no manifest: it is too long")
                    : localized("the manifest cannot be read: \(error)"))
        }
        do { return (bytes: bytes, manifest: try AppManifest(signed: bytes)) } catch EnvelopeError.notAuthentic {
            throw Failure(
                Wire.ExitCode.damaged, localized("the manifest's signature does not hold: believe nothing in it"))
        } catch { throw Failure(Wire.ExitCode.damaged, localized("that is no manifest of an app")) }
    }

    static func registered(_ keychain: Keychain) async throws -> [AppManifest] {
        try await keychain.apps().manifests.compactMap { try? AppManifest(signed: $0) }
    }

    /// Says before the passcode which programs become this app: what they keep from then on, its developer's apps read.
    static func warn(of manifest: AppManifest) {
        Output.error(localized("These become the app \(SafeText.line(manifest.name)), by the word of its developer:"))
        for digest in manifest.executables {
            Output.error(localized("  a program with SHA-256 \(Hexadecimal.encode(digest))"))
        }
        for sandbox in manifest.sandboxes { Output.error(localized("  the sandbox \(sandbox)")) }
        if !manifest.unit.isEmpty { Output.error(localized("  the system unit \(manifest.unit)")) }
        if !manifest.group.isEmpty { Output.error(localized("  programs that are set to the group \(manifest.group)")) }
        Output.error(localized("What they keep from then on, other apps of that developer may read."))
    }

    /// Groups of an app that nobody reaches any more, and that have items.
    static func orphans(of app: AppManifest, _ keychain: Keychain) async throws -> [GroupsReport.Group] {
        try await keychain.accessGroups().groups
            .filter { app.claim.groups.contains($0.name) && $0.ownership == .orphan }
    }

    /// A program by its file's path, or by the name under which the daemon knows it.
    static func program(_ text: String) throws -> String {
        let isName = AccessGroup.isProgram(text)
        guard !isName else { return text }
        guard text.contains("/") else {
            throw Failure(
                Wire.ExitCode.usage,
                localized("that is neither the path of a program nor a name that tresord gives one"),
                hint: localized("'tresor app requests' and 'tresor app list' show names"))
        }
        // As the kernel sees it: links on the way are not part of a program's path.
        let path: String
        let bytes: [UInt8]
        do {
            path = try FileSystem.canonicalPath(text)
            bytes = try FileSystem.read(path, limit: 1 << 30)
        } catch { throw Failure(Wire.ExitCode.usage, localized("the program cannot be read: \(error)")) }
        let executable = CallerEvidence.Executable(
            path: path, digest: Digest.sha256(bytes), isInstalled: try FileSystem.isRootsAlone(path))
        let identity = CallerIdentity(CallerEvidence(executable: executable), apps: []) { _ in [] }
        guard let name = identity.name else {
            throw Failure(Wire.ExitCode.usage, localized("that program cannot be known by its file"))
        }
        return name
    }
}

struct RegisterApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: localized("Let an app use the access groups that its developer gives it."),
        discussion: localized(
            """
            The manifest's signature says who wrote it, and not that the developer is honest: the app gets groups of \
            its developer's own prefix, and no others. Asks for the passcode where one is set.
            """))

    @Argument(help: ArgumentHelp(localized("The manifest.")), completion: .file())
    var file: String
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let (bytes, manifest) = try AppRegistryInput.manifest(file)
        let keychain = try Keychain()
        let present = try await AppRegistryInput.registered(keychain)
            .first { $0.applicationIdentifier == manifest.applicationIdentifier }
        if let present, present.version != manifest.version {
            throw Failure(
                Wire.ExitCode.duplicate,
                localized("version \(present.version) of this app is registered; nothing was changed"),
                hint: localized("use 'tresor app update'"))
        }
        AppRegistryInput.warn(of: manifest)
        try await keychain.registerApp(
            bytes, passcode: try await AppRegistryInput.passcode(passcode, keychain))
        try AppIdentifierDocument(identifier: manifest.applicationIdentifier).print(json: json)
    }
}

struct UpdateApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: localized("Replace a registered app's manifest by a newer version."))

    @Argument(help: ArgumentHelp(localized("The manifest.")), completion: .file())
    var file: String
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false
    @OptionGroup var passcode: PasscodeOptions

    private struct Document: Encodable {
        let identifier: String
        let before: UInt32
        let version: UInt32
        let groups: [OrphanedGroupDocument]
    }

    func run() async throws {
        let (bytes, manifest) = try AppRegistryInput.manifest(file)
        let keychain = try Keychain()
        let present = try await AppRegistryInput.registered(keychain)
            .first { $0.applicationIdentifier == manifest.applicationIdentifier }
        guard let present else {
            throw Failure(
                Wire.ExitCode.notFound, localized("this app is not registered; nothing was changed"),
                hint: localized("use 'tresor app register'"))
        }
        AppRegistryInput.warn(of: manifest)
        try await keychain.registerApp(
            bytes, passcode: try await AppRegistryInput.passcode(passcode, keychain))
        let orphans = try await AppRegistryInput.orphans(of: present, keychain)
        if json {
            return try Output.json(
                Document(
                    identifier: manifest.applicationIdentifier, before: present.version, version: manifest.version,
                    groups: orphans.map { OrphanedGroupDocument($0) }))
        }
        try Output.done(
            localized("\(manifest.applicationIdentifier): version \(present.version), now \(manifest.version)"))
        for group in orphans {
            try Output.words(localized("\(group.name)  \(group.count) of nobody's"))
        }
    }
}

struct ListApps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: localized("List the registered apps, and what other programs were allowed."))

    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false

    private struct Document: Encodable {
        struct App: Encodable {
            let identifier: String
            let name: String
            let version: UInt32
            let expired: Bool
        }
        struct Grant: Encodable {
            let program: String
            let group: String
        }
        let apps: [App]
        let grants: [Grant]
        /// False before first unlock.
        let complete: Bool
    }

    func run() async throws {
        let report = try await Keychain().apps()
        let now = UInt64(clamping: SystemClock.wallMicroseconds())
        let document = Document(
            apps: report.manifests.compactMap { try? AppManifest(signed: $0) }.map {
                Document.App(
                    identifier: $0.applicationIdentifier, name: $0.name, version: $0.version,
                    expired: $0.expires != 0 && $0.expires <= now)
            },
            grants: report.grants.map { Document.Grant(program: $0.program, group: $0.group) },
            complete: report.isComplete)
        if json { return try Output.json(document) }
        var rows = ListRows(
            [localized("PROGRAM"), localized("NAME"), localized("VERSION"), localized("MAY USE")],
            yielding: [.dropped(2), .shortened(1, to: 12), .dropped(1)])
        for app in document.apps {
            let version = app.expired ? localized("\(app.version), expired") : "\(app.version)"
            let (name, end) = (SafeText.line(app.name), app.expired ? ", expired" : "")
            try rows.add(
                [app.identifier, app.name, version, ""],
                elsewhere: "\(app.identifier)  \(name), version \(app.version)\(end)")
        }
        for grant in document.grants {
            try rows.add(
                [grant.program, "", "", grant.group], elsewhere: "\(grant.program)  may use \(grant.group)")
        }
        try rows.finish()
        if !document.complete { Output.error(localized("before first unlock, nobody can say what was allowed")) }
    }
}

struct RemoveApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: localized("Register an app no more. Its items stay, unless --purge says otherwise."),
        discussion: localized(
            """
            Prints the groups that nobody reaches any more. With --purge, their items are removed for good; \
            'tresor doctor --orphans' lists them later, too.
            """))

    @Argument(help: ArgumentHelp(localized("The application identifier.")))
    var identifier: String
    @Flag(help: ArgumentHelp(localized("Remove the items of groups that are nobody's any more.")))
    var purge = false
    @Flag(help: ArgumentHelp(localized("As JSON: the groups that nobody reaches any more.")))
    var json = false
    @OptionGroup var consent: ConsentOption
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        let apps = try await AppRegistryInput.registered(keychain)
        guard let app = apps.first(where: { $0.applicationIdentifier == identifier }) else {
            throw Failure(
                Wire.ExitCode.notFound, localized("no app of that identifier is registered"),
                hint: localized("'tresor app list' shows what there is"))
        }
        if purge {
            try consent.ask(localized("Remove the app, and for good every item of groups that only it reaches?"))
        }
        let secret = try await AppRegistryInput.passcode(passcode, keychain)
        try await keychain.removeApp(identifier, passcode: try secret?.copyForRequest())
        let orphans = try await AppRegistryInput.orphans(of: app, keychain)
        for group in orphans {
            if purge { try await keychain.purge(group: group.name, passcode: try secret?.copyForRequest()) }
            if json { continue }
            try Output.words(
                purge
                    ? localized("\(group.name)  \(group.count) removed")
                    : localized("\(group.name)  \(group.count) of nobody's"))
        }
        if json { try Output.json(orphans.map { OrphanedGroupDocument($0) }) }
    }
}

struct AllowGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: localized("Let a program into an access group that is not its own."),
        discussion: localized(
            """
            The program is the path of its file, or a name as 'tresor app requests' shows it. A script's program is \
            its interpreter: whoever allows that allows all scripts.
            """))

    @Argument(help: ArgumentHelp(localized("The program.")), completion: .file())
    var program: String
    @Option(
        help: ArgumentHelp(
            localized("The group; 'user' holds what was kept before programs had groups, and what 'tresor' keeps.")))
    var group = AccessGroup.owner
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false
    @OptionGroup var passcode: PasscodeOptions

    private struct Document: Encodable {
        let program: String
        let group: String
    }

    func run() async throws {
        let keychain = try Keychain()
        let grant = AccessGrant(program: try AppRegistryInput.program(program), group: group)
        if grant.program.hasPrefix("interpreter.") {
            Output.remark(
                localized("warning: that program runs scripts; each script that any program starts is allowed with it"))
        }
        try await keychain.change(
            grant, isGranted: true, passcode: try await AppRegistryInput.passcode(passcode, keychain))
        if json { return try Output.json(Document(program: grant.program, group: grant.group)) }
        try Output.done(localized("\(grant.program)  may use \(grant.group)"))
    }
}

struct DenyGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: localized("Take back what 'tresor app allow' gave."))

    @Argument(help: ArgumentHelp(localized("The program, as 'tresor app list' shows it, or the path of its file.")))
    var program: String
    @Option(help: ArgumentHelp(localized("The group.")))
    var group = AccessGroup.owner
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        let grant = AccessGrant(program: try AppRegistryInput.program(program), group: group)
        try await keychain.change(
            grant, isGranted: false, passcode: try await AppRegistryInput.passcode(passcode, keychain))
    }
}

struct ListRequests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests", abstract: localized("List programs that asked for groups that are not their own."),
        discussion: localized("Since the daemon started, the latest 64. 'tresor app allow' lets one in."))

    @Flag(help: ArgumentHelp(localized("As JSON, one array.")))
    var json = false

    private struct Document: Encodable {
        let time: Date
        let program: String
        let group: String
        let grade: String
    }

    func run() async throws {
        let wishes = try await Keychain().apps().wishes.map { wish in
            Document(
                time: Date(timeIntervalSince1970: Double(wish.time) / 1_000_000), program: wish.grant.program,
                group: wish.grant.group, grade: "\(wish.grade.name)")
        }
        if json { return try Output.json(wishes) }
        var rows = ListRows(
            [localized("TIME"), localized("PROGRAM"), localized("GROUP"), localized("KNOWN BY")],
            yielding: [.dropped(3), .dropped(0)])
        for wish in wishes {
            let time = wish.time.formatted(.iso8601)
            try rows.add(
                [time, wish.program, wish.group, wish.grade],
                elsewhere: "\(time)  \(wish.program)  \(wish.group)  (\(wish.grade))")
        }
        try rows.finish()
    }
}

struct PurgeGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: localized("Remove for good every item of an access group that is nobody's any more."))

    @Argument(help: ArgumentHelp(localized("The group, as 'tresor doctor --orphans' shows it.")))
    var group: String
    @OptionGroup var consent: ConsentOption
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        try consent.ask(localized("Remove every item of \(SafeText.line(group)) for good?"))
        try await keychain.purge(
            group: group, passcode: try await AppRegistryInput.passcode(passcode, keychain))
    }
}

extension SecretBytes {
    /// For a second request of the same command.
    fileprivate borrowing func copyForRequest() throws -> SecretBytes {
        try withBytes { try SecretBytes(copying: $0) }
    }
}

extension GroupsReport.Group {
    /// How many items, in words.
    var count: String { localized(Int(items), one: "1 item", many: "\(items) items") }

    /// The same for lists that programs read.
    var listedCount: String { items == 1 ? "1 item" : "\(items) items" }
}
