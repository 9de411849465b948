import EnclaveWire
import Protection
import Wire

/// What the lock state of now permits, and what a keystore's refusal means for a keychain call.
///
/// A lock never looks like damage, nor damage like absence.
final class ClassAccess {
    private(set) var keystore: any Keystore
    /// When the present lock state began, for the words of an error; microseconds since 1970.
    var stateSince: Int64 = 0

    init(keystore: any Keystore) { self.keystore = keystore }

    var lockState: LockState { keystore.lockState }

    var hasPasscode: Bool { keystore.hasPasscode }

    /// Goes on with a fresh enclave.
    func replace(keystore fresh: any Keystore) { keystore = fresh }

    /// −25308 where the lock state shuts the class, −25293 where it does not exist without a passcode.
    ///
    /// - Parameter isForNew: whether nothing was looked at, and the class is one that an item shall have.
    func refuseLocked(_ protectionClass: ProtectionClass, isForNew: Bool = false) throws {
        if protectionClass.needsPasscode && !keystore.hasPasscode {
            throw KeychainError(.authenticationFailed, .noPasscodeSet, protectionClass: protectionClass)
        }
        guard keystore.lockState.permits(protectionClass) else {
            var error = lockedError(protectionClass)
            error.detail = isForNew ? KeychainError.lockedForNew : 0
            throw error
        }
    }

    /// −25308, with the state of now and since when it has been so.
    func lockedError(_ protectionClass: ProtectionClass?) -> KeychainError {
        KeychainError(
            .interactionNotAllowed, .locked, protectionClass: protectionClass, lockState: keystore.lockState,
            since: stateSince)
    }

    /// What an enclave's refusal means for a keychain call.
    func meaning(of refusal: EnclaveRefusal, _ protectionClass: ProtectionClass?) -> KeychainError {
        KeychainError(refusal, about: .items(of: protectionClass), in: keystore.lockState, since: stateSince)
    }
}
