package import EnclaveWire
import Linux
package import Protection
package import Wire

extension KeychainError {
    /// What an enclave was asked about.
    package enum Subject: Sendable {
        /// The device: its passcode, its settings, who is there.
        case device
        /// A key of an item, or of all items of a class.
        case items(of: ProtectionClass?)
    }

    /// What a refusal of the enclave's means to a client: the one table of it.
    ///
    /// A lock never looks like damage, nor damage like absence.
    ///
    /// - Parameters:
    ///   - state: the lock state.
    ///   - since: microseconds since 1970 at which it began.
    package init(_ refusal: EnclaveRefusal, about subject: Subject, in state: LockState, since: Int64) {
        switch refusal {
        case .locked: self.init(.interactionNotAllowed, .locked, lockState: state, since: since)
        case .keychainLocked: self.init(.interactionNotAllowed, .keychainLocked, lockState: state)
        case .wrongPasscode(let delay), .delayed(let delay):
            self.init(
                .authenticationFailed, refusal.reason, detail: delay.wholeMilliseconds, lockState: state)
        case .biometryRefused(let reason):
            self.init(.authenticationFailed, .biometryRefused, detail: UInt64(reason.rawValue), lockState: state)
        case .noPasscodeSet, .passcodeAlreadySet, .presenceRequired, .erased, .enrolmentChanged, .passwordRequired,
            .wrongItemPassword:
            self.init(.authenticationFailed, refusal.reason, lockState: state)
        case .passcodeTooShort(let minimum): self.init(.parameter, .passcodeTooShort, detail: UInt64(minimum))
        case .foreignGroup: self.init(.missingEntitlement)
        // Its key was destroyed on purpose: nothing is there any more.
        case .destroyed: self.init(.itemNotFound)
        case .notAuthentic, .unknownClassKey: self.init(.decode, .damagedItem)
        case .badRequest:
            if case .items = subject {
                self.init(.decode, .damagedItem)
            } else {
                self.init(.parameter, .malformedRequest)
            }
        case .outOfMemory: self.init(.allocation)
        case .gone: self.init(.notAvailable, .enclaveGone)
        case .storage(let code): self.init(.notAvailable, Self.reason(ofStorage: code))
        }
        if case .items(let protectionClass) = subject, refusal.isAboutClass { self.protectionClass = protectionClass }
    }

    private static func reason(ofStorage code: UInt32) -> Reason {
        let error = LinuxError(call: "write", code: Int32(truncatingIfNeeded: code))
        return error.isOutOfSpace ? .diskFull : error.isReadOnly ? .readOnlyDisk : .storage
    }
}

extension EnclaveRefusal {
    /// The reason of the same name; `none` where the status says all.
    fileprivate var reason: KeychainError.Reason {
        switch self {
        case .locked: .locked
        case .wrongPasscode: .wrongPasscode
        case .delayed: .delayed
        case .noPasscodeSet: .noPasscodeSet
        case .passcodeAlreadySet: .passcodeAlreadySet
        case .passcodeTooShort: .passcodeTooShort
        case .presenceRequired: .presenceRequired
        case .erased: .erased
        case .biometryRefused: .biometryRefused
        case .enrolmentChanged: .enrolmentChanged
        case .keychainLocked: .keychainLocked
        case .passwordRequired: .itemPasswordRequired
        case .wrongItemPassword: .wrongItemPassword
        case .notAuthentic, .destroyed, .unknownClassKey, .badRequest, .storage, .outOfMemory, .foreignGroup: .none
        }
    }

    /// Whether it says something of the class of what was asked for.
    fileprivate var isAboutClass: Bool {
        switch self {
        case .locked, .keychainLocked, .noPasscodeSet, .presenceRequired, .enrolmentChanged, .passwordRequired,
            .wrongItemPassword, .biometryRefused, .notAuthentic, .unknownClassKey, .badRequest:
            true
        case .wrongPasscode, .delayed, .passcodeAlreadySet, .passcodeTooShort, .erased, .destroyed, .storage,
            .outOfMemory, .foreignGroup:
            false
        }
    }
}
