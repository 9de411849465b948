import ArgumentParser
import Envelopes
import FoundationEssentials
import KeyEnvelopes
import Linux
import Localization
import NotesClient
import Secrets
import TerminalScreen
import Tresor
import Wire

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: localized("Say which programs may use which access groups."),
        discussion: localized(
            """
            A developer's key lies in the developer's own keychain and never leaves it. Its prefix begins the names of \
            all access groups that it can give. A program that no manifest names has a group of its own, and what the \
            owner allows it.
            """),
        subcommands: [
            RegisterApp.self, ListApps.self, ShowManifest.self, UpdateApp.self, RemoveApp.self, AllowGroup.self,
            DenyGroup.self, ListRequests.self, PurgeGroup.self, AdvertisingCommand.self, MakeDeveloperKey.self,
            SignManifest.self,
        ])

    static let service = "tresor.developer"
}

struct MakeDeveloperKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: localized("Make a developer's key, keep it in the keychain, and print its prefix."))

    @Option(help: ArgumentHelp(localized("Whose key it is, for people.")))
    var label = localized("Developer's key")
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false

    private struct Document: Encodable { let prefix: String }

    func run() async throws {
        let keychain = try Keychain()
        let pair = try Signing.makeKeyPair()
        let prefix = AppManifest.prefix(of: pair.publicKey)
        var attributes = ItemAttributes()
        attributes.service = AppCommand.service
        attributes.account = prefix
        attributes.label = label
        attributes.comment = Hexadecimal.encode(pair.publicKey)
        attributes.protectionClass = .whenUnlocked
        try await keychain.add(.password, attributes, secret: pair.takePrivateKey())
        if json { try Output.json(Document(prefix: prefix)) } else { try Output.line(prefix) }
    }
}

struct SignManifest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: localized("Make a signed manifest from a description in JSON."),
        discussion: localized(
            """
            The description has bundleIdentifier and name, and where they are wanted version, expires, keychainGroups, \
            applicationGroups, executables (paths of files), sandboxes, unit and group. Groups of the keychain get the \
            developer's prefix if they lack it.
            """))

    @Argument(help: ArgumentHelp(localized("The description.")), completion: .file())
    var description: String
    @Option(
        help: ArgumentHelp(localized("Where the manifest goes; never over a file that is there.")), completion: .file())
    var output: String
    @Option(help: ArgumentHelp(localized("The prefix of the key to sign with, where there are several.")))
    var prefix: String?
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false

    func run() async throws {
        let description = try AppDescription.read(description)
        let keychain = try Keychain()
        var wanted = ItemAttributes()
        wanted.service = AppCommand.service
        wanted.account = prefix
        let key = try await keychain.find(ItemQuery(.password, wanted))
        if prefix == nil { try await refuseSeveral(keychain, wanted) }
        guard let developer = key.comment.flatMap(Hexadecimal.decode), developer.count == 32, let account = key.account
        else { throw Failure(Wire.ExitCode.damaged, localized("the developer's key in the keychain is damaged")) }
        wanted.account = account
        let secret = try await keychain.read(ItemQuery(.password, wanted))
        let manifest = try description.manifest(
            developer: developer, created: UInt64(clamping: SystemClock.wallMicroseconds()))
        let file: [UInt8]
        do { file = try manifest.signed(with: secret) } catch EnvelopeError.malformed {
            throw Failure(
                Wire.ExitCode.usage, localized("the description breaks a rule of manifests; nothing was written"),
                hint: localized(
                    "see specs/app-manifest.md: names of groups and of the bundle, and something to know the app by"))
        }
        do {
            let target = try FileDescriptor.open(output, FileFlags.create, mode: 0o644)
            try target.write(file, at: 0)
            try target.sync()
        } catch { throw Failure(Wire.ExitCode.cannotWrite, localized("the manifest cannot be written: \(error)")) }
        try AppIdentifierDocument(identifier: manifest.applicationIdentifier).print(json: json)
    }

    private func refuseSeveral(_ keychain: Keychain, _ wanted: ItemAttributes) async throws {
        var items = keychain.items(ItemQuery(.password, wanted)).makeAsyncIterator()
        var count = 0
        while try await items.next() != nil { count += 1 }
        guard count > 1 else { return }
        throw Failure(
            Wire.ExitCode.usage, localized("there are \(count) developer's keys"),
            hint: localized(
                "say which with --prefix; 'tresor keychain list --service \(AppCommand.service)' shows them"))
    }
}

struct ShowManifest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: localized("Print what a manifest says: a file's, or a registered app's."))

    @Argument(
        help: ArgumentHelp(localized("The manifest's file, or the identifier of an app that is registered.")),
        completion: .file())
    var file: String
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false

    private struct Document: Encodable {
        let identifier: String
        let name: String
        let developer: String
        let version: UInt32
        let created: Date
        let expires: Date?
        let expired: Bool
        let accessGroups: [String]
        let executables: [String]
        let sandboxes: [String]
        let unit: String?
        let group: String?

        init(_ manifest: AppManifest, now: Int64) {
            func date(_ time: UInt64) -> Date { Date(timeIntervalSince1970: Double(time) / 1_000_000) }
            identifier = manifest.applicationIdentifier
            name = manifest.name
            developer = Hexadecimal.encode(manifest.developer)
            version = manifest.version
            created = date(manifest.created)
            expires = manifest.expires == 0 ? nil : date(manifest.expires)
            expired = manifest.expires != 0 && manifest.expires <= UInt64(clamping: now)
            accessGroups = manifest.claim.groups
            executables = manifest.executables.map(Hexadecimal.encode)
            sandboxes = manifest.sandboxes
            unit = manifest.claim.unit
            group = manifest.claim.group
        }

        var lines: [String] {
            var lines = [
                localized("\(identifier)  \(SafeText.line(name)), version \(version)"),
                localized("developer   \(developer)"),
                localized("created     \(created.formatted(.iso8601))"),
            ]
            if let end = expires?.formatted(.iso8601) {
                lines.append(expired ? localized("expires     \(end): over") : localized("expires     \(end)"))
            }
            lines += accessGroups.map { localized("group       \($0)") }
            lines += executables.map { localized("executable  \($0)") }
            lines += sandboxes.map { localized("sandbox     \($0)") }
            if let unit { lines.append(localized("unit        \(unit)")) }
            if let group { lines.append(localized("set to      \(group)")) }
            return lines
        }
    }

    func run() async throws {
        let manifest = try await chosen
        let document = Document(manifest, now: SystemClock.wallMicroseconds())
        if json { try Output.json(document) } else { try document.lines.forEach { try Output.words($0) } }
    }

    private var chosen: AppManifest {
        get async throws {
            if (try? FileSystem.status(file)) == nil, !file.contains("/"), file.contains(".") {
                let apps = try await AppRegistryInput.registered(Keychain())
                if let app = apps.first(where: { $0.applicationIdentifier == file }) { return app }
            }
            return try AppRegistryInput.manifest(file).manifest
        }
    }
}
