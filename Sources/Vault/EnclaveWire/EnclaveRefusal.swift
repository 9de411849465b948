package import Protection
import Secrets

/// Why the enclave did not do what it was asked.
package enum EnclaveRefusal: Error, Equatable, Sendable {
    /// The class is not open in this lock state.
    case locked
    /// Wrong; `delay` until the next try.
    case wrongPasscode(delay: Duration)
    /// A wait is running: `delay` is left.
    ///
    /// Nothing was tried or counted.
    case delayed(delay: Duration)
    case noPasscodeSet
    case passcodeAlreadySet
    case passcodeTooShort(minimum: UInt8)
    /// Tampered with, or bound to something else.
    case notAuthentic
    /// Its class key was destroyed on purpose.
    case destroyed
    /// No class key of that name was ever here.
    case unknownClassKey
    /// The item demands the owner's presence.
    case presenceRequired
    case badRequest
    /// The state could not be written; the error number of the system call.
    case storage(errno: UInt32)
    case outOfMemory
    /// This was the tenth wrong passcode, and the owner had asked for the erasure.
    case erased
    /// The item is in a group that the one who asks does not reach.
    case foreignGroup
    /// No finger will do now; the passcode is demanded.
    case biometryRefused(BiometryState.Refusal)
    /// The item is bound to fingers that are enrolled no more as they were.
    case enrolmentChanged
    /// The item's keychain has a passcode of its own, and is shut.
    case keychainLocked
    /// The item has a password of its own, and it was not given.
    case passwordRequired
    /// That is not the item's password.
    case wrongItemPassword

    var code: UInt8 {
        switch self {
        case .locked: 1
        case .wrongPasscode: 2
        case .delayed: 3
        case .noPasscodeSet: 4
        case .passcodeAlreadySet: 5
        case .passcodeTooShort: 6
        case .notAuthentic: 7
        case .destroyed: 8
        case .unknownClassKey: 9
        case .presenceRequired: 10
        case .badRequest: 11
        case .storage: 12
        case .outOfMemory: 13
        case .erased: 14
        case .foreignGroup: 15
        case .biometryRefused: 16
        case .enrolmentChanged: 17
        case .keychainLocked: 18
        case .passwordRequired: 19
        case .wrongItemPassword: 20
        }
    }

    var detail: UInt64 {
        switch self {
        case .wrongPasscode(let delay), .delayed(let delay): delay.wholeMilliseconds
        case .passcodeTooShort(let minimum): UInt64(minimum)
        case .storage(let errno): UInt64(errno)
        case .biometryRefused(let reason): UInt64(reason.rawValue)
        case .locked, .noPasscodeSet, .passcodeAlreadySet, .notAuthentic, .destroyed, .unknownClassKey,
            .presenceRequired, .badRequest, .outOfMemory, .erased, .foreignGroup, .enrolmentChanged, .keychainLocked,
            .passwordRequired, .wrongItemPassword:
            0
        }
    }

    /// How the end of the enclave's process is told: as a storage error without a number.
    package static let gone = EnclaveRefusal.storage(errno: 0)
    /// A write could neither be made nor taken back: EIO.
    package static let undecided = EnclaveRefusal.storage(errno: 5)

    init(code: UInt8, detail: UInt64) throws(DecodingError) {
        switch code {
        case 1: self = .locked
        case 2: self = .wrongPasscode(delay: .milliseconds(detail))
        case 3: self = .delayed(delay: .milliseconds(detail))
        case 4: self = .noPasscodeSet
        case 5: self = .passcodeAlreadySet
        case 6: self = .passcodeTooShort(minimum: UInt8(truncatingIfNeeded: detail))
        case 7: self = .notAuthentic
        case 8: self = .destroyed
        case 9: self = .unknownClassKey
        case 10: self = .presenceRequired
        case 11: self = .badRequest
        case 12: self = .storage(errno: UInt32(truncatingIfNeeded: detail))
        case 13: self = .outOfMemory
        case 14: self = .erased
        case 15: self = .foreignGroup
        case 16:
            guard let reason = BiometryState.Refusal(rawValue: UInt8(truncatingIfNeeded: detail)) else {
                throw .invalid
            }
            self = .biometryRefused(reason)
        case 17: self = .enrolmentChanged
        case 18: self = .keychainLocked
        case 19: self = .passwordRequired
        case 20: self = .wrongItemPassword
        default: throw .invalid
        }
        // A detail where there is none, or one that was cut, is not the canonical form.
        guard self.detail == detail else { throw .invalid }
    }
}
