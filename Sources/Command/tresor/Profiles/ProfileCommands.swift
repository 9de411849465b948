import ArgumentParser
import Certificates
import FoundationEssentials
import Linux
import Localization
import Profiles
import TerminalScreen
import Tresor
import Wire

struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: localized("Install, list, show and remove configuration profiles (.mobileconfig)."),
        discussion: localized(
            """
            Certificates, identities and passwords of a profile become items of the keychain, and leave with it. A \
            signed profile is taken only from a signer whom the system, or --ca, trusts.
            """),
        subcommands: [InstallProfile.self, ListProfiles.self, ShowProfile.self, RemoveProfile.self])
}

/// `--rule` and `--ca`.
struct ProfileOptions: ParsableArguments {
    enum Rule: String, ExpressibleByArgument, CaseIterable {
        case ios, macos

        var rule: AvailabilityRule {
            switch self {
            case .ios: .iOS
            case .macos: .macOS
            }
        }
    }

    @Option(
        help: ArgumentHelp(
            localized(
                """
                When its items can be read. ios: after the first unlock, on this device alone, and always for \
                certificates and the identity of a payload com.apple.mdm; macos: always.
                """)))
    var rule: Rule = .ios
    @Option(
        help: ArgumentHelp(localized("A file with further roots that a signer may be trusted by; may be repeated.")),
        completion: .file())
    var ca: [String] = []
}

struct InstallProfile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: localized("Install a profile, in place of the one of its identifier if there is one."),
        discussion: localized(
            """
            Everything in it is read before anything is changed. What has no place in a keychain is listed, and left \
            out. Exit codes: 7 nobody trusts the signer, 8 its signature does not hold, 64 a field is wrong (which \
            one is said) or the file is no profile.
            """))

    @Argument(help: ArgumentHelp(localized("The profile.")), completion: .file(extensions: ["mobileconfig"]))
    var file: String
    @OptionGroup var options: ProfileOptions
    @Flag(help: ArgumentHelp(localized("As JSON: what was installed.")))
    var json = false

    func run() async throws {
        let file = try ProfileInput.read(file)
        let profile = file.profile
        let verdict = try await ProfileInput.evaluate(file, options.ca)
        if let failure = verdict?.failure {
            throw ProfileError(
                .untrusted, "",
                localized("nobody who is trusted vouches for the signer: \(translated(failure.description))"))
        }
        if verdict == nil {
            Output.remark(localized("notice: the profile is not signed; nobody vouches for what it says"))
        }
        let keychain = try Keychain()
        let installer = ProfileInstaller(keychain)
        let plan = try await installer.plan(profile, options.rule.rule)
        ProfileNotice.all(plan).forEach { Output.remark($0) }
        try await installer.install(plan, now: SystemClock.wallMicroseconds())
        let count = plan.items.count
        if json { return try Output.json(ProfileItemsDocument(identifier: profile.identifier, items: count)) }
        try Output.done(
            localized(
                count, one: "\(SafeText.line(profile.identifier)): \(count) item installed",
                many: "\(SafeText.line(profile.identifier)): \(count) items installed"))
    }
}

struct ListProfiles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: localized("List installed profiles: identifier, items, rule, name and organization."))

    @Flag(help: ArgumentHelp(localized("As JSON, one array, with the class of each item.")))
    var json = false

    func run() async throws {
        let records = try await ProfileShelf(try Keychain()).records()
        let documents = records.readable.map { ProfileRecordDocument($0) }
        if json { try Output.json(documents) }
        var rows = ListRows(
            [
                localized("IDENTIFIER"), localized("ITEMS"), localized("RULE"), localized("NAME"),
                localized("ORGANIZATION"), localized("STATE"),
            ],
            yielding: [
                .shortened(4, to: 12), .dropped(4), .dropped(2), .shortened(3, to: 12), .dropped(3), .dropped(1),
            ])
        for document in json ? [] : documents { try rows.add(document.cells, elsewhere: document.line) }
        try rows.finish()
        guard records.damagedCount == 0 else {
            throw Failure(
                Wire.ExitCode.damaged,
                localized("\(records.damagedCount) records of profiles are damaged; they are kept"),
                hint: localized("'tresor keychain list --service \(ProfileShelf.service)' shows them"))
        }
    }
}

struct ShowProfile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: localized("Print what a profile would install, and who signed it; install nothing."),
        discussion: localized("Needs no daemon. Never prints a password or a key."))

    @Argument(help: ArgumentHelp(localized("The profile.")), completion: .file(extensions: ["mobileconfig"]))
    var file: String
    @OptionGroup var options: ProfileOptions
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false

    func run() async throws {
        let file = try ProfileInput.read(file)
        let verdict = try await ProfileInput.evaluate(file, options.ca)
        let plan = try InstallationPlan(file.profile, options.rule.rule)
        let document = ProfileDocument(plan, signer: file.signer, verdict)
        if json { try Output.json(document) } else { try document.lines.forEach { try Output.words($0) } }
        ProfileNotice.all(plan).forEach { Output.remark($0) }
    }
}

struct RemoveProfile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: localized("Remove a profile with exactly the items that it installed."),
        discussion: localized(
            "Exit codes: 3 it is not installed, 7 it says that it may not be removed, and --force is not given.")
    )

    @Argument(
        help: ArgumentHelp(localized("The profile's file, or its identifier as 'tresor profile list' prints it.")),
        completion: .file())
    var profile: String
    @Flag(help: ArgumentHelp(localized("Also a profile that says that it may not be removed.")))
    var force = false
    @Flag(help: ArgumentHelp(localized("As JSON: what was removed.")))
    var json = false
    @OptionGroup var consent: ConsentOption

    func run() async throws {
        let identifier = try ProfileInput.identifier(profile)
        try consent.ask(localized("Remove \(SafeText.line(identifier)), and for good the items that it installed?"))
        let record = try await ProfileInstaller(try Keychain()).remove(identifier, isForced: force)
        let count = record.items.count
        if json { return try Output.json(ProfileItemsDocument(identifier: identifier, items: count)) }
        try Output.done(
            localized(
                count, one: "\(SafeText.line(identifier)): removed with \(count) item",
                many: "\(SafeText.line(identifier)): removed with \(count) items"))
    }
}
