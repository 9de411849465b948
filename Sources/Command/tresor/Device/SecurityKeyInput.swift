import ArgumentParser
import Linux
import Localization
import Secrets
import SecurityKeys
import Tresor
import Wire

/// Asks security keys that are plugged in.
struct SecurityKeyInput: ParsableArguments {
    @Flag(help: ArgumentHelp(localized("Ask an enrolled security key where the item takes one.")))
    var securityKey = false
    @Option(help: ArgumentHelp(localized("Read the security key's PIN from this file descriptor, one line.")))
    var pinFd: Int32?

    private static let patience: Int32 = 30_000

    /// For an item's demand; nil where it shall not be asked for.
    var asking: AuthenticationContext.SecurityKeyAsking? {
        guard securityKey else { return nil }
        let pin = pinFd
        return { keys in try Self.answer(keys, pinDescriptor: pin) }
    }

    /// The first key that is plugged in and was enrolled.
    private static func answer(
        _ enrolled: [SecurityKeysReport.Key], pinDescriptor: Int32?
    ) throws -> SecurityKeyAnswer {
        for device in try connected() {
            let key = try translated { () throws(SecurityKeyError) in try SecurityKey(device) }
            for one in enrolled {
                guard let credential = one.description.asCredential, let salt = SecuritySalt(one.description.salt),
                    try translated({ () throws(SecurityKeyError) in try key.holds(credential, milliseconds: 5000) })
                else { continue }
                let pin =
                    credential.demandsVerification && key.abilities.hasPIN && !key.abilities.hasSensor
                    ? try readPIN(pinDescriptor) : nil
                Output.error(localized("touch the security key"))
                let secret = try translated { () throws(SecurityKeyError) in
                    try key.deriveSecret(of: credential, salt, pin: pin, milliseconds: patience)
                }
                return SecurityKeyAnswer(id: one.id, secret: secret)
            }
        }
        throw Failure(
            Wire.ExitCode.unavailable, localized("no security key that was enrolled is plugged in"),
            hint: localized("'tresor security-key list' shows which there are"))
    }

    /// A credential on the one key that is plugged in, and what it derives.
    static func makeCredential(named name: String, pinDescriptor: Int32?) throws -> NewSecurityKey {
        let devices = try connected()
        guard let device = devices.first else {
            throw Failure(
                Wire.ExitCode.unavailable, localized("no security key is plugged in, or this user may not use it"))
        }
        guard devices.count == 1 else {
            throw Failure(Wire.ExitCode.usage, localized("several security keys are plugged in; leave one"))
        }
        let key = try translated { () throws(SecurityKeyError) in try SecurityKey(device) }
        let pin = key.abilities.hasPIN && !key.abilities.hasSensor ? try readPIN(pinDescriptor) : nil
        let bytes = SystemRandom.makeBytes(count: SecurityKeyDescription.saltByteCount)
        guard let salt = SecuritySalt(bytes) else {
            throw Failure(Wire.ExitCode.unavailable, localized("no random bytes"))
        }
        Output.error(localized("touch the security key, twice"))
        return try translated { () throws(SecurityKeyError) in
            let credential = try key.makeCredential(pin: pin, milliseconds: patience)
            let secret = try key.deriveSecret(of: credential, salt, pin: pin, milliseconds: patience)
            return NewSecurityKey(
                description: SecurityKeyDescription(
                    name: name, credential: credential.id, publicKey: credential.publicKey, salt: bytes,
                    demandsVerification: credential.demandsVerification),
                secret: secret)
        }
    }

    private static func connected() throws -> [SecurityKeyDevice] {
        try translated { () throws(SecurityKeyError) in try SecurityKey.connected() }
    }

    private static func readPIN(_ descriptor: Int32?) throws -> SecretBytes {
        try SecretSource(passcodeDescriptor: descriptor).readPasscode(prompt: localized("PIN of the security key: "))
    }

    private static func translated<Result: ~Copyable>(
        _ body: () throws(SecurityKeyError) -> Result
    ) throws -> Result {
        do { return try body() } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: SecurityKeyError) -> Failure {
        switch error {
        case .noDevice: Failure(Wire.ExitCode.unavailable, localized("the security key is gone"))
        case .unsupported:
            Failure(Wire.ExitCode.usage, localized("that security key cannot derive secrets (hmac-secret of CTAP 2.1)"))
        case .timedOut:
            Failure(Wire.ExitCode.authenticationFailed, localized("nobody touched the security key in time"))
        case .refused: Failure(Wire.ExitCode.authenticationFailed, localized("the security key refused"))
        case .otherKey: Failure(Wire.ExitCode.authenticationFailed, localized("that is another security key"))
        case .pinRequired, .pinUnusable:
            Failure(Wire.ExitCode.authenticationFailed, localized("the security key demands its PIN, of 4 to 63 bytes"))
        case .pinNotSet:
            Failure(
                Wire.ExitCode.notPermitted,
                localized("the security key has no PIN any more, which it had when it was enrolled"))
        case .pinWrong:
            Failure(Wire.ExitCode.authenticationFailed, localized("wrong PIN; the security key counts its tries"))
        case .pinPaused:
            Failure(
                Wire.ExitCode.authenticationFailed,
                localized("too many wrong PINs: take the security key out, and try again"))
        case .pinBlocked:
            Failure(Wire.ExitCode.authenticationFailed, localized("the security key's PIN is blocked for good"))
        case .notVerified:
            Failure(Wire.ExitCode.authenticationFailed, localized("the security key did not recognise its owner"))
        case .untrustworthy: Failure(Wire.ExitCode.damaged, localized("the security key's answer does not hold"))
        case .outOfLockedMemory: Failure(Wire.ExitCode.unavailable, localized("no locked memory is left"))
        case .failed: Failure(Wire.ExitCode.unavailable, localized("the security key failed"))
        }
    }
}

/// A credential that was made, and what it derived.
struct NewSecurityKey: ~Copyable {
    let description: SecurityKeyDescription
    let secret: SecretBytes
}

extension SecurityKeyDescription {
    var asCredential: SecurityKeyCredential? {
        SecurityKeyCredential(id: credential, publicKey: publicKey, demandsVerification: demandsVerification)
    }
}
