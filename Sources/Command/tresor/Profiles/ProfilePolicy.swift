import Localization
import Profiles
import Secrets
import Tresor
import Wire

/// What installed profiles demand of the passcode and the idle lock, for the commands that change them.
enum ProfilePolicy {
    /// - Throws: `Failure`, where a profile demands a longer passcode.
    static func check(_ passcode: borrowing SecretBytes, _ keychain: Keychain) async throws {
        let minimum = try await policy(keychain).minimumLength
        // Bytes that continue a character belong to the one before them.
        var count = 0
        passcode.withBytes { $0.forEachByte { count += $0 & 0xC0 == 0x80 ? 0 : 1 } }
        guard count < minimum else { return }
        throw Failure(
            Wire.ExitCode.usage,
            localized("a configuration profile demands a passcode of at least \(minimum) characters"),
            hint: localized("'tresor profile list --json' shows which; nothing was changed"))
    }

    /// Before the first unlock nobody can tell what profiles demand: it may become shorter then, and no longer.
    ///
    /// - Throws: `Failure`, where a profile demands an earlier lock, or may demand one.
    static func check(idleLock seconds: UInt32, _ keychain: Keychain) async throws {
        let status = try await keychain.status()
        guard status.lockState != .beforeFirstUnlock else {
            let present = PasscodePolicy(
                idleLockSeconds: UInt32(clamping: status.daemon.idleLock.components.seconds))
            guard present.allowedIdleLock(seconds) != seconds else { return }
            throw Failure(
                Wire.ExitCode.locked,
                localized(
                    "before the first unlock the idle lock is not made longer: a configuration profile may forbid it"),
                hint: localized("unlock with 'tresor unlock' first; nothing was changed"))
        }
        let allowed = try await policy(keychain).allowedIdleLock(seconds)
        guard allowed != seconds else { return }
        throw Failure(
            Wire.ExitCode.notPermitted,
            localized("a configuration profile demands an idle lock of at most \(allowed) seconds"),
            hint: localized("'tresor profile list --json' shows which; nothing was changed"))
    }

    /// Before the first unlock no record can be read; whoever does not know the passcode changes nothing then.
    private static func policy(_ keychain: Keychain) async throws -> PasscodePolicy {
        guard try await keychain.status().lockState != .beforeFirstUnlock else { return PasscodePolicy() }
        return try await ProfileShelf(keychain).policy()
    }
}
