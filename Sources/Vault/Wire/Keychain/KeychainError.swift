package import Protection
package import Secrets

/// The documented status codes of the keychain, by their meaning.
package enum KeychainStatus: Int32, Sendable, CaseIterable {
    case parameter = -50
    case allocation = -108
    case notAvailable = -25291
    case readOnly = -25292
    case authenticationFailed = -25293
    case noSuchKeychain = -25294
    case invalidKeychain = -25295
    case duplicateKeychain = -25296
    case duplicateItem = -25299
    case itemNotFound = -25300
    case noSuchAttribute = -25303
    case noSuchClass = -25306
    case interactionNotAllowed = -25308
    case decode = -26275
    case missingEntitlement = -34018
}

/// Why a request was refused: the documented code, and what a person needs to know.
///
/// Never a value of the user's.
package struct KeychainError: Error, Equatable, Sendable {
    /// The detail of `unknownProgram` where the command `tresor` alone may ask.
    package static let ownersCommandAlone: UInt64 = 1

    /// What the status alone does not tell.
    package enum Reason: UInt8, Sendable, CaseIterable {
        case none = 0
        /// The class is not open in this lock state.
        case locked
        case wrongPasscode
        /// A wait between tries is running.
        case delayed
        case noPasscodeSet
        case passcodeAlreadySet
        case passcodeTooShort
        /// The item demands the owner's presence.
        case presenceRequired
        /// A row cannot be decoded; it is kept and listed.
        case damagedItem
        /// The store's file is damaged.
        case damagedStore
        case diskFull
        case readOnlyDisk
        case storage
        case tooLarge
        /// All keys were erased after ten wrong passcodes.
        case erased
        /// The enclave has ended.
        case enclaveGone
        case malformedRequest
        case tooManyRequests
        /// No such session: it has expired, was closed, or is another program's.
        case noSession
        /// An app was not registered; the detail is a ``RegistryRefusal``.
        case refusedApp
        /// The daemon cannot tell which program asks, and so lets it reach nothing.
        case unknownProgram
        /// No finger will do now, and the passcode is demanded; the detail is a `BiometryState.Refusal`.
        case biometryRefused
        /// The item is bound to fingers that are enrolled no more as they were; it is kept, and never opens.
        case enrolmentChanged
        /// The fingerprint reader cannot be asked; the detail says why.
        case biometryUnavailable
        /// It was another finger.
        case biometryNoMatch
        /// No finger came in time.
        case biometryTimedOut
        /// Another program waits for a finger.
        case biometryBusy
        /// The item's keychain has a passcode of its own, and is shut.
        case keychainLocked
        /// The keychain opens with the device, and has no passcode of its own.
        case noOwnPasscode
        /// It is no security key that was enrolled.
        case otherSecurityKey
        /// As many as there may be exist already.
        case tooMany
        /// The item has a password of its own, and it was not given.
        case itemPasswordRequired
        /// That is not the item's password, or the item is damaged.
        case wrongItemPassword
        /// The device's files do not stand under their names any more: a copy was restored over them, or they were
        /// removed.
        case storeReplaced
        /// The disk failed, and whether the change has happened is known at the next start.
        case undecided
        /// Which program asks could not be looked up this time.
        case tryAgain
    }

    /// What Apple's API documents for it.
    package var status: KeychainStatus
    /// Why, as far as the caller may know.
    package var reason: Reason
    /// Milliseconds to wait; characters at least, for a passcode that is too short.
    package var detail: UInt64
    /// The detail of ``Reason/locked`` where no item was met: the class is one that an item was to get.
    package static let lockedForNew: UInt64 = 1

    /// The class it is about, if one.
    package var protectionClass: ProtectionClass?
    /// The device's when it was refused, where that is the reason.
    package var lockState: LockState?
    /// Microseconds since 1970 at which the device was locked; 0 where it was not.
    package var since: Int64

    /// How long to wait before the next passcode is tried; nil where another reason stands, or it may be tried at once.
    package var delay: Duration? {
        guard reason == .delayed || reason == .wrongPasscode, detail > 0 else { return nil }
        return .milliseconds(Int64(clamping: detail))
    }

    /// - Parameters:
    ///   - detail: milliseconds, or what else ``detail`` says of the reason.
    ///   - since: microseconds since 1970; 0 where it was not locked.
    package init(
        _ status: KeychainStatus, _ reason: Reason = .none, detail: UInt64 = 0,
        protectionClass: ProtectionClass? = nil, lockState: LockState? = nil, since: Int64 = 0
    ) {
        self.status = status
        self.reason = reason
        self.detail = detail
        self.protectionClass = protectionClass
        self.lockState = lockState
        self.since = since
    }

    /// Writes the status in 32 bits, reason, detail in 64, class and lock state, 0 for none, and since when in 64.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint32(UInt32(bitPattern: status.rawValue))
        try buffer.uint8(reason.rawValue)
        try buffer.uint64(detail)
        try buffer.uint8(protectionClass?.rawValue ?? 0)
        try buffer.uint8(lockState.map { $0.rawValue + 1 } ?? 0)
        try buffer.uint64(UInt64(bitPattern: since))
    }

    /// - Throws: `DecodingError` for a status, reason, class or state that there is not.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        guard let status = KeychainStatus(rawValue: Int32(bitPattern: try reader.uint32())),
            let reason = Reason(rawValue: try reader.uint8())
        else { throw .invalid }
        self.status = status
        self.reason = reason
        detail = try reader.uint64()
        protectionClass = try Self.optional(try reader.uint8(), offset: 0, ProtectionClass.init(rawValue:))
        lockState = try Self.optional(try reader.uint8(), offset: 1, LockState.init(rawValue:))
        since = Int64(bitPattern: try reader.uint64())
    }

    private static func optional<Value>(
        _ raw: UInt8, offset: UInt8, _ make: (UInt8) -> Value?
    ) throws(DecodingError) -> Value? {
        if raw == 0 { return nil }
        guard let value = make(raw - offset) else { throw .invalid }
        return value
    }
}
