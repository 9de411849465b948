import ArgumentParser
import Linux
import Localization
import Pinentry
import Protection
import Secrets
import Tresor
import Wire

struct PasscodeOptions: ParsableArguments {
    @Option(help: ArgumentHelp(localized("Read passcodes from this file descriptor, one per line.")))
    var passcodeFd: Int32?
    @Flag(
        help: ArgumentHelp(
            localized("Ask for passcodes through pinentry: in a window, or on the terminal where there is no display."))
    )
    var pinentry = false
    @Option(help: ArgumentHelp(localized("The absolute path of the pinentry to ask through, instead of the system's.")))
    var pinentryProgram: String?

    private var asksByPinentry: Bool { pinentry || pinentryProgram != nil }

    func validate() throws {
        if asksByPinentry, passcodeFd != nil {
            throw ValidationError(localized("passcodes come from --passcode-fd or from --pinentry, not from both"))
        }
        if let pinentryProgram, !pinentryProgram.hasPrefix("/") {
            throw ValidationError(localized("--pinentry-program is an absolute path"))
        }
    }

    /// - Parameter secretDescriptor: where the secret comes from, of commands that take one as well.
    func source(secretDescriptor: Int32? = nil) throws -> SecretSource {
        try SecretSource(
            secretDescriptor: secretDescriptor, passcodeDescriptor: passcodeFd,
            pinentry: asksByPinentry ? Pinentry(program: pinentryProgram) : nil)
    }

    /// Asks for what an item demands.
    ///
    /// - Parameters:
    ///   - finger: whether to ask for a finger; nil asks where a person is at the terminal, and gave no passcode.
    ///   - securityKey: asks an enrolled security key, before anything else.
    ///   - isBesideSecret: whether a secret is read as well, so that both may not come from one standard input.
    func context(
        _ source: SecretSource, finger: Bool?, securityKey: AuthenticationContext.SecurityKeyAsking? = nil,
        itemPassword: (@Sendable (AuthenticationContext.Reason) throws -> SecretBytes)? = nil,
        isBesideSecret: Bool = false
    ) -> AuthenticationContext {
        let asksForFinger = finger ?? (passcodeFd == nil && securityKey == nil && Terminal.isTerminal(0))
        return AuthenticationContext(
            finger: asksForFinger ? .init { _ in Output.error(localized("touch the fingerprint reader")) } : nil,
            securityKey: securityKey, itemPassword: itemPassword
        ) { _ in
            if isBesideSecret { try source.refuseSharedInput() }
            return try source.readPasscode()
        }
    }
}

struct Lock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: localized("Lock the device: the keys of everything that demands an unlocked device leave memory."))

    func run() async throws {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        do {
            if try DeviceLock.lock(home) == .daemonEnded {
                try Output.done(localized("locked"))
                return Output.error(
                    localized("tresord did not answer and was ended, which locks the device; start it with 'tresor up'")
                )
            }
        } catch let error as TresorError where error.code == .notPermitted {
            throw Failure(
                Wire.ExitCode.notPermitted,
                localized("no passcode is set, so the device stays unlocked; sessions were ended"),
                hint: localized("set a passcode with 'tresor passcode set'"))
        }
        try Output.done(localized("locked"))
    }
}

struct Unlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: localized("Unlock the device with the passcode."))

    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        guard try await keychain.status().hasPasscode else {
            throw Failure(
                Wire.ExitCode.notPermitted, localized("no passcode is set; the device is unlocked"),
                hint: localized("set a passcode with 'tresor passcode set'"))
        }
        try await keychain.unlock(passcode: try passcode.source().readPasscode())
        try Output.done(localized("unlocked"))
    }
}

struct PasscodeGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passcode", abstract: localized("Set, change, remove or give up the passcode."),
        subcommands: [SetPasscode.self, ChangePasscode.self, RemovePasscode.self, ResetPasscode.self])
}

struct SetPasscode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: localized("Set a passcode where none is set."),
        discussion: localized(
            """
            Any characters will do; 'tresor settings' says how many there must be at least. On standard input the \
            passcode comes twice, on two lines.
            """))

    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        let new = try passcode.source().readNewPasscode()
        try await ProfilePolicy.check(new, keychain)
        try await keychain.setPasscode(new)
        try Output.done(localized("passcode set"))
        try await PasscodeAdvice.print(new, keychain)
    }
}

struct ChangePasscode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: localized("Replace the passcode. The items stay as they are."),
        discussion: localized("On standard input there are three lines: the current passcode, then the new one twice."))

    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        let source = try passcode.source()
        let current = try source.readPasscode(prompt: localized("Current passcode: "))
        let new = try source.readNewPasscode()
        try await ProfilePolicy.check(new, keychain)
        try await keychain.changePasscode(from: current, to: new)
        try Output.done(localized("passcode changed"))
        // Whoever knew the old one may have added a security key of their own.
        let keys = (try? await keychain.securityKeys().count) ?? 0
        if keys > 0 {
            Output.remark(localized("security keys that still count as you: \(keys); see 'tresor security-key list'"))
        }
        try await PasscodeAdvice.print(new, keychain)
    }
}

struct RemovePasscode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: localized("Remove the passcode. Items of class whenPasscodeSetThisDeviceOnly are gone for good."))

    @OptionGroup var consent: ConsentOption
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        let count = try await keychain.status().itemsPerClass[.whenPasscodeSetThisDeviceOnly] ?? 0
        if count > 0 {
            try consent.ask(
                localized(
                    Int(clamping: count), one: "Delete \(count) items of class whenPasscodeSetThisDeviceOnly for good?",
                    many: "Delete \(count) items of class whenPasscodeSetThisDeviceOnly for good?"))
        }
        try await keychain.removePasscode(try passcode.source().readPasscode())
        try Output.done(
            localized(
                Int(clamping: count),
                one: "passcode removed; \(count) items of class whenPasscodeSetThisDeviceOnly are gone",
                many: "passcode removed; \(count) items of class whenPasscodeSetThisDeviceOnly are gone"))
    }
}

struct ResetPasscode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: localized("Give up a forgotten passcode. Everything that needed it is gone for good."),
        discussion: localized("It says what becomes unreadable, and goes on only when you type 'destroy'."))

    @Flag(help: ArgumentHelp(localized("Don't ask; destroy.")))
    var yes = false

    func run() async throws {
        let keychain = try Keychain()
        let status = try await keychain.status()
        guard status.hasPasscode else { throw Failure(Wire.ExitCode.notPermitted, localized("no passcode is set")) }
        let (lost, kept) = Self.split(status)
        var words = [localized("These become unreadable for good: \(lost).")]
        words += try Self.storesThatGo()
        words.append(localized("These need no passcode and stay: \(kept)."))
        // Whoever is asked has to know of what.
        for line in words { if yes { try Output.done(line) } else { try Output.words(line) } }
        if !yes { try confirm() }
        try await keychain.resetForgottenPasscode()
        try Output.done(localized("reset; no passcode is set, and the device is unlocked"))
    }

    /// Stores whose keys lie in the keychain, in a class that needs the passcode.
    private static func storesThatGo() throws -> [String] {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        var stores: [String] = []
        if try FileSystem.status(home.notesMark) != nil {
            stores.append(localized("With them goes the store of notes, for nothing else opens it."))
        }
        if try FileSystem.status(home.diaryMark) != nil {
            stores.append(
                localized(
                    """
                    With them goes the diary, also for whoever knows its password or recovery key, for nothing else \
                    opens it.
                    """))
        }
        return stores
    }

    private func confirm() throws {
        print(localized("Type 'destroy' to go on: "), terminator: "")
        guard readLine() == "destroy" else {
            throw Failure(Wire.ExitCode.usage, localized("not confirmed; nothing was changed"))
        }
    }

    private static func split(_ status: DeviceStatus) -> (lost: String, kept: String) {
        let counts = status.itemsPerClass.sorted { $0.key.rawValue < $1.key.rawValue }
        func describe(_ isAlways: Bool) -> String {
            let part = counts.filter { ($0.key.availability == .always) == isAlways }
            return part.isEmpty
                ? localized("no items")
                : part.map { count in
                    localized(
                        Int(clamping: count.value), one: "\(count.value) items of \(count.key.name)",
                        many: "\(count.value) items of \(count.key.name)")
                }.joined(separator: ", ")
        }
        return (lost: describe(false), kept: describe(true))
    }
}

/// The honest sentence about a new passcode.
enum PasscodeAdvice {
    static func print(_ passcode: borrowing SecretBytes, _ keychain: Keychain) async throws {
        var meter = PasscodeStrength.Meter()
        passcode.withBytes { $0.forEachByte { meter.add($0) } }
        let strength = meter.finish()
        let seconds = try await keychain.status().daemon.enclave.timePerTry / .seconds(1)
        let search = PasscodeStrength.words(seconds: strength.searchSeconds(secondsPerTry: seconds))
        try Output.done(
            localized(
                """
                To try every passcode of \(strength.length) such characters on a copy of this disk takes, on a machine \
                like this one: \(search). Words and dates are found sooner.
                """))
        if strength.isShort {
            Output.remark(
                localized(
                    "warning: \(strength.length) digits are few; a longer passcode, with letters, is far stronger"))
        }
    }
}

struct DeviceSettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: localized("Show or change idle lock, trash, erase after ten, delays, minimum length."),
        discussion: localized("Erase, delays and minimum length are the enclave's and need the passcode."))

    @Option(
        help: ArgumentHelp(
            localized("Lock the device when you have done nothing for this many seconds; 0 never locks.")))
    var idleLock: UInt32?
    @Option(
        help: ArgumentHelp(
            localized("After how many days items in the trash are gone for good; 0 keeps them until it is emptied.")))
    var trashDays: UInt32?
    @Option(help: ArgumentHelp(localized("on or off: erase every key after ten wrong passcodes in a row.")))
    var eraseAfterTen: Switch?
    @Option(help: ArgumentHelp(localized("apple-2024 or apple-2017.")))
    var delayPolicy: Policy?
    @Option(help: ArgumentHelp(localized("Characters that a new passcode must have at least, 1 to 64.")))
    var minimumPasscode: UInt8?
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false
    @OptionGroup var passcode: PasscodeOptions

    enum Switch: String, ExpressibleByArgument { case on, off }
    enum Policy: String, ExpressibleByArgument {
        case apple2024 = "apple-2024"
        case apple2017 = "apple-2017"
    }

    private struct Document: Encodable {
        let idleLockSeconds: UInt32
        let erasesAfterTenTries: Bool
        let delayPolicy: String
        let minimumPasscodeLength: UInt8
    }

    func validate() throws {
        if let minimumPasscode, !(1...64).contains(minimumPasscode) {
            throw ValidationError(localized("--minimum-passcode is from 1 to 64"))
        }
    }

    func run() async throws {
        let keychain = try Keychain()
        var changed: [String] = []
        do {
            if let idleLock {
                try await ProfilePolicy.check(idleLock: idleLock, keychain)
                try await keychain.setIdleLock(after: .seconds(idleLock))
                changed.append(localized("the idle lock was changed"))
            }
            if let trashDays {
                _ = try await keychain.trashTime(days: trashDays)
                changed.append(localized("the time in the trash was changed"))
            }
            if try await changeSecurity(keychain) { changed.append(localized("what needs the passcode was changed")) }
            try await show(keychain)
        } catch let error as TresorError where !changed.isEmpty {
            // What it says of changes holds for its own request alone.
            throw Failure(
                Report.exitCode(for: error),
                localized(
                    "\(changed.joined(separator: localized(", and "))); then this failed: \(Report.words(of: error))"),
                hint: localized("'tresor settings' shows how they are"))
        }
    }

    private func show(_ keychain: Keychain) async throws {
        let daemon = try await keychain.status().daemon
        let settings = daemon.enclave.settings
        if json {
            return try Output.json(
                Document(
                    idleLockSeconds: UInt32(clamping: daemon.idleLock.components.seconds),
                    erasesAfterTenTries: settings.erasesAfterTenTries, delayPolicy: settings.delayPolicy.name,
                    minimumPasscodeLength: settings.minimumPasscodeLength))
        }
        try Output.line("idle-lock         \(daemon.idleLock.components.seconds) s")
        let trashDays = try await keychain.trashTime()
        try Output.line("trash-days        \(trashDays)")
        try Output.line("erase-after-ten   \(settings.erasesAfterTenTries ? "on" : "off")")
        try Output.line("delay-policy      \(settings.delayPolicy.name)")
        try Output.line("minimum-passcode  \(settings.minimumPasscodeLength)")
    }

    /// - Returns: whether there was something to change.
    private func changeSecurity(_ keychain: Keychain) async throws -> Bool {
        guard eraseAfterTen != nil || delayPolicy != nil || minimumPasscode != nil else { return false }
        let status = try await keychain.status()
        guard status.hasPasscode else {
            throw Failure(
                Wire.ExitCode.notPermitted, localized("these settings change with the passcode only, and none is set"),
                hint: localized("set a passcode with 'tresor passcode set'"))
        }
        if eraseAfterTen == .on {
            Output.remark(
                localized("warning: any program of this user can give ten wrong passcodes, and so erase everything"))
        }
        var settings = status.daemon.enclave.settings
        if let eraseAfterTen { settings.erasesAfterTenTries = eraseAfterTen == .on }
        if let delayPolicy, let policy = DelayPolicy(name: delayPolicy.rawValue) {
            settings.delayPolicy = policy
        }
        if let minimumPasscode { settings.minimumPasscodeLength = minimumPasscode }
        try await keychain.changeSettings(settings, passcode: try passcode.source().readPasscode())
        return true
    }
}
