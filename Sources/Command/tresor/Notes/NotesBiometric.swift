import ArgumentParser
import Linux
import Localization
import NotesClient
import ResidentClient
import Secrets
import Tresor
import Wire

/// The passphrase of locked notes behind a finger: an item of the keychain that opens by the fingers of the day on
/// which it was kept, and never by the device's passcode.
struct FingerPassphrase {
    static let service = "tresor.notes.passphrase"
    static let account = "locked notes"

    private let keychain: Keychain

    init() throws { keychain = try Keychain() }

    private static var query: ItemQuery { .password(service: service, account: account) }

    /// Waits for a finger, and reads the passphrase.
    func read() async throws -> SecretBytes {
        let context = AuthenticationContext(
            finger: .init { _ in Output.error(localized("touch the fingerprint reader")) }
        ) { _ in
            throw TresorError(.presenceRequired, localized("a finger is needed; the device's passcode opens no note"))
        }
        do { return try await keychain.read(Self.query, context: context) } catch let error as TresorError
            where error.code == .notFound
        {
            throw Failure(
                Wire.ExitCode.notFound, localized("no passphrase is kept for a finger"),
                hint: localized("'tresor notes passphrase remember' keeps it"))
        }
    }

    /// Keeps a passphrase for the fingers that are enrolled now.
    func keep(_ passphrase: borrowing SecretBytes) async throws {
        var attributes = ItemAttributes()
        attributes.service = Self.service
        attributes.account = Self.account
        attributes.label = "Passphrase of locked notes"
        attributes.protectionClass = .whenPasscodeSetThisDeviceOnly
        attributes.accessControl = .biometryCurrentSet
        _ = try await forget()
        try await keychain.add(.password, attributes, secret: passphrase)
    }

    /// - Returns: whether there was one.
    @discardableResult
    func forget() async throws -> Bool {
        do {
            try await keychain.remove(Self.query)
            return true
        } catch let error as TresorError where error.code == .notFound { return false }
    }
}

extension NotesPassphrase {
    struct Remember: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remember",
            abstract: localized("Keep the passphrase in the keychain, for 'tresor notes unlock --biometric'."),
            discussion: localized(
                """
                It opens by the fingers that are enrolled now, and no more once they change. Needs a passcode of the \
                device, and an enrolled finger. Whoever can open it opens every locked note: think twice.
                """))

        @OptionGroup var options: NotesOptions
        @OptionGroup var passphrase: PassphraseOptions

        func run() async throws {
            let connection = try options.connect()
            let given = try passphrase.read(localized("Passphrase of locked notes"))
            let copy = try given.withBytes { try SecretBytes(copying: $0) }
            // Only one that is right is worth keeping.
            guard
                case .session(let session) = try connection.ask(.unlock(id: nil), secrets: MessageSecrets(given)).reply
            else {
                throw NotesConnection.unexpected
            }
            try await FingerPassphrase().keep(copy)
            if options.json { return try NotesOutput.session(session, json: true) }
            try Output.done(localized("kept; a finger opens locked notes from now on"))
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: localized("Keep the passphrase in the keychain no longer."))

        func run() async throws {
            guard try await FingerPassphrase().forget() else {
                throw Failure(Wire.ExitCode.notFound, localized("no passphrase is kept for a finger"))
            }
        }
    }
}
