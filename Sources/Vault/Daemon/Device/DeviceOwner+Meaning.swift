import EnclaveWire
import KeychainStore
import Linux
import Protection
import Wire

extension DeviceOwner {
    /// What an error means to a client.
    func meaning(of error: any Error) -> KeychainError {
        guard let refusal = error as? EnclaveRefusal else { return KeychainError(storage: error) }
        let state = enclave.lockState
        switch refusal {
        case .wrongPasscode(let delay):
            return KeychainError(.authenticationFailed, .wrongPasscode, detail: delay, lockState: state)
        case .delayed(let delay):
            return KeychainError(.authenticationFailed, .delayed, detail: delay, lockState: state)
        case .noPasscodeSet: return KeychainError(.authenticationFailed, .noPasscodeSet, lockState: state)
        case .passcodeAlreadySet: return KeychainError(.authenticationFailed, .passcodeAlreadySet, lockState: state)
        case .passcodeTooShort(let minimum):
            return KeychainError(.parameter, .passcodeTooShort, detail: UInt64(minimum))
        case .locked: return KeychainError(.interactionNotAllowed, .locked, lockState: state, since: since)
        case .presenceRequired: return KeychainError(.authenticationFailed, .presenceRequired, lockState: state)
        case .erased: return KeychainError(.authenticationFailed, .erased, lockState: state)
        case .gone: return KeychainError(.notAvailable, .enclaveGone)
        case .storage(let code):
            return KeychainError(.notAvailable, code == 28 ? .diskFull : code == 30 ? .readOnlyDisk : .storage)
        case .foreignGroup: return KeychainError(.missingEntitlement)
        case .biometryRefused(let reason):
            return KeychainError(
                .authenticationFailed, .biometryRefused, detail: UInt64(reason.rawValue), lockState: state)
        case .enrolmentChanged: return KeychainError(.authenticationFailed, .enrolmentChanged, lockState: state)
        case .passwordRequired: return KeychainError(.authenticationFailed, .itemPasswordRequired, lockState: state)
        case .wrongItemPassword: return KeychainError(.authenticationFailed, .wrongItemPassword, lockState: state)
        case .keychainLocked: return KeychainError(.interactionNotAllowed, .keychainLocked, lockState: state)
        case .outOfMemory: return KeychainError(.allocation)
        case .badRequest: return KeychainError(.parameter, .malformedRequest)
        case .notAuthentic, .destroyed, .unknownClassKey: return KeychainError(.decode, .damagedItem)
        }
    }
}
