import Localization
import Protection
import Wire

/// Why a call failed: what kind of failure, what to tell a person, the documented status, and where it happened.
///
/// Neither the message nor any other part holds a value of the user's: no label, no account, no secret. In programs of
/// others the message is English, whatever language their user speaks: say your own words by the ``code``.
///
///     do {
///         let secret = try await keychain.read(.password(service: "mail"))
///     } catch let error as TresorError where error.code == .locked {
///         // Wait for `lockStates` to say `.unlocked`.
///     }
public struct TresorError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for code to branch on.
    public enum Code: Sendable, Equatable, CaseIterable {
        /// No item matches.
        case notFound
        /// An item with the same primary key exists.
        case duplicate
        /// The item's class is not open in the present lock state.
        ///
        /// Of a call that finds, the item exists and is unharmed; one that adds does not say whether there is one.
        case locked
        /// The passcode was wrong, or a wait between tries is running (``TresorError/retryAfter``).
        case authenticationFailed
        /// The item demands the owner's presence, and no context gave it.
        case presenceRequired
        /// What was asked for is not allowed: a foreign access group, or something that needs a passcode to be set.
        case notPermitted
        /// An item or the store is damaged.
        ///
        /// Nothing was deleted.
        case damaged
        /// A parameter is wrong.
        case invalidParameter
        /// The disk is full or cannot be written.
        case cannotWrite
        /// Reading or writing the disk failed, or the device's files were replaced or removed while it ran.
        case storageFailed
        /// tresord does not run, or went away.
        case unavailable
        /// tresord could not look up which program asks; ask again.
        case tryAgain
        /// The server at the socket belongs to another user.
        case untrustedServer
        /// The kernel grants no more locked memory.
        case outOfMemory
    }

    /// The kind of failure.
    public let code: Code
    /// One sentence for a person, in English; the command `tresor` says it in the language of whoever reads it.
    public let message: String
    /// The same in English, for logs, whatever language the process speaks.
    private let english: String
    /// The keychain's documented status, such as −25300; 0 where there is none.
    public let status: Int32
    /// How long to wait before the next passcode is tried.
    public let retryAfter: Duration?
    /// What caused it, in the words of the layer below.
    public let cause: String?
    /// The file and line that threw it.
    public let location: String

    /// - Parameters:
    ///   - message: one sentence for a person, with no word of a user's data; it is made in English as well.
    ///   - status: the documented one; 0 where there is none.
    ///   - retryAfter: until the next passcode may be tried.
    ///   - cause: in the words of the layer below.
    package init(
        _ code: Code, _ message: @autoclosure () -> String, status: Int32 = 0, retryAfter: Duration? = nil,
        cause: String? = nil,
        file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.message = message()
        english = Localization.catalogue == nil ? self.message : Localization.speaking(nil) { message() }
        self.status = status
        self.retryAfter = retryAfter
        self.cause = cause
        location = "\(file):\(line)"
    }

    /// The message, and the status where there is one.
    public var description: String { status == 0 ? message : "\(message) (\(status))" }
    /// The same as ``description``, for a log, which is English whoever reads it.
    package var logged: String { status == 0 ? english : "\(english) (\(status))" }
}

extension TresorError {
    /// What the daemon has answered, as programs see it; its reason stands in ``cause``.
    package init(_ error: KeychainError, file: String = #fileID, line: Int = #line) {
        self.init(
            Self.code(error), Self.message(error), status: error.status.rawValue, retryAfter: error.delay,
            cause: error.reason == .none ? nil : "\(error.reason)", file: file, line: line)
    }

    private static func code(_ error: KeychainError) -> Code {
        switch error.reason {
        case .wrongPasscode, .delayed, .erased, .wrongItemPassword: .authenticationFailed
        case .presenceRequired, .itemPasswordRequired: .presenceRequired
        case .noPasscodeSet, .passcodeAlreadySet, .noOwnPasscode: .notPermitted
        case .damagedItem, .damagedStore: .damaged
        case .diskFull, .readOnlyDisk: .cannotWrite
        case .storage, .storeReplaced, .undecided: .storageFailed
        case .enclaveGone: .unavailable
        case .tryAgain: .tryAgain
        case .passcodeTooShort, .tooLarge, .malformedRequest, .tooManyRequests, .tooMany: .invalidParameter
        case .locked, .keychainLocked: .locked
        case .noSession: .notFound
        case .refusedApp: error.detail == UInt64(RegistryRefusal.unknown.rawValue) ? .notFound : .notPermitted
        case .unknownProgram, .enrolmentChanged: .notPermitted
        case .biometryRefused, .biometryNoMatch, .biometryTimedOut, .otherSecurityKey: .authenticationFailed
        case .biometryUnavailable, .biometryBusy: .unavailable
        case .none: code(error.status)
        }
    }

    private static func code(_ status: KeychainStatus) -> Code {
        switch status {
        case .itemNotFound, .noSuchKeychain: .notFound
        case .duplicateItem, .duplicateKeychain: .duplicate
        case .interactionNotAllowed: .locked
        case .authenticationFailed: .authenticationFailed
        case .missingEntitlement, .readOnly: .notPermitted
        case .decode: .damaged
        case .parameter, .noSuchAttribute, .noSuchClass, .invalidKeychain: .invalidParameter
        case .allocation: .outOfMemory
        case .notAvailable: .unavailable
        }
    }

    private static func message(_ error: KeychainError) -> String {
        switch error.reason {
        case .none: message(error.status)
        case .locked: lockedMessage(error)
        case .wrongPasscode: localized("wrong passcode")
        case .delayed: localized("too many wrong passcodes; the wait is not over")
        case .noPasscodeSet: localized("no passcode is set")
        case .passcodeAlreadySet: localized("a passcode is already set")
        case .passcodeTooShort: localized("the passcode needs at least \(error.detail) characters")
        case .presenceRequired: localized("the item demands its owner's presence")
        case .damagedItem: localized("an item cannot be decoded; it is kept")
        case .damagedStore: localized("the keychain's file is damaged")
        case .diskFull: localized("the disk is full; nothing was changed")
        case .readOnlyDisk: localized("the disk cannot be written; nothing was changed")
        case .storage: localized("reading or writing the keychain's files failed; nothing was changed")
        case .storeReplaced:
            localized("the device's files were replaced or removed while it ran, so nothing was changed")
        case .undecided: localized("the disk failed; whether this was changed is known at the next start")
        case .tryAgain: localized("tresord could not look up which program asks, and so did nothing")
        case .tooLarge: localized("the item is too large")
        case .erased: localized("ten wrong passcodes: all keys were erased, as the owner had asked")
        case .enclaveGone: localized("the enclave has ended; the device is before first unlock")
        case .malformedRequest: localized("the request was malformed")
        case .tooManyRequests: localized("too many requests are waiting")
        case .noSession: localized("the session has ended")
        case .refusedApp: message(RegistryRefusal(rawValue: UInt8(truncatingIfNeeded: error.detail)))
        case .biometryRefused: message(BiometryState.Refusal(rawValue: UInt8(truncatingIfNeeded: error.detail)))
        case .enrolmentChanged:
            localized(
                """
                the item is bound to fingers that are enrolled no more as they were; it is kept, and will not open \
                again
                """)
        case .biometryUnavailable: message(reader: error.detail)
        case .biometryNoMatch: localized("that finger is not enrolled")
        case .biometryTimedOut: localized("no finger came in time")
        case .biometryBusy: localized("another program waits for a finger")
        case .keychainLocked: localized("the item's keychain has a passcode of its own, and is locked")
        case .itemPasswordRequired: localized("the item has a password of its own")
        case .wrongItemPassword: localized("that is not the item's password, or the item is damaged")
        case .tooMany: localized("there are as many already as there may be; nothing was changed")
        case .otherSecurityKey: localized("that is not the security key that was enrolled")
        case .noOwnPasscode: localized("that keychain has no passcode of its own: it opens with the device")
        case .unknownProgram where error.detail == KeychainError.ownersCommandAlone:
            localized(
                """
                only the owner may do that, by the command 'tresor' that lies beside tresord: 'tresor passcode', \
                'tresor settings', 'tresor down'; no other program does it in its place
                """)
        case .unknownProgram: localized("tresord cannot tell which program asks, and so lets it reach nothing")
        }
    }

    private static func message(_ refusal: BiometryState.Refusal?) -> String {
        switch refusal {
        case .notUnlockedSinceStart:
            localized("the passcode was not given since the device started; a finger will do after that")
        case .tooManyFailures: localized("five fingers in a row did not match; the passcode is needed")
        case .notUnlockedForTwoDays: localized("the device was not unlocked for 48 hours; the passcode is needed")
        case .passcodeUnusedForLong: localized("the passcode was not used for 156 hours; it is needed")
        case .lockedRemotely, .passcodeOnly, nil: localized("the passcode is needed")
        }
    }

    /// By the number of `KeychainError`'s detail; see specs/wire.md.
    private static func message(reader detail: UInt64) -> String {
        switch detail {
        case 1: localized("the system bus cannot be reached")
        case 2: localized("fprintd is not installed")
        case 3: localized("whoever answers as fprintd does not run as root")
        case 5: localized("there is no fingerprint reader")
        case 6: localized("another program uses the fingerprint reader")
        case 7: localized("this user may not use the fingerprint reader (polkit)")
        case 8: localized("no finger is enrolled; enroll one with fprintd-enroll")
        default: localized("the fingerprint reader failed")
        }
    }

    private static func message(_ refusal: RegistryRefusal?) -> String {
        switch refusal {
        case .expired: localized("the manifest has expired; nothing was changed")
        case .olderVersion: localized("a newer version of this app is registered; nothing was changed")
        case .sameVersionDiffers: localized("this version is registered, and says something else; nothing was changed")
        case .groupOfOthers:
            localized("the name of an application group belongs to another developer; nothing was changed")
        case .programOfOthers:
            localized(
                "an executable, a sandbox, a unit or a group is another developer's app already; nothing was changed")
        case .prefixOfOthers: localized("another developer's key has the same prefix; nothing was changed")
        case .tooMany: localized("there are too many already; nothing was changed")
        case .malformed: localized("that is no manifest of an app; nothing was changed")
        case .notAuthentic: localized("the manifest's signature does not hold; nothing was changed")
        case .unknown, nil: localized("it is not registered")
        }
    }

    private static func lockedMessage(_ error: KeychainError) -> String {
        let isBeforeFirst = error.lockState == .beforeFirstUnlock
        guard let name = error.protectionClass?.name else {
            return isBeforeFirst ? localized("the device is before first unlock") : localized("the device is locked")
        }
        guard error.detail != KeychainError.lockedForNew else {
            return isBeforeFirst
                ? localized(
                    """
                    the device is before first unlock: nothing can be written with class \(name); nothing was changed
                    """)
                : localized("the device is locked: nothing can be written with class \(name); nothing was changed")
        }
        return isBeforeFirst
            ? localized("an item exists, of class \(name), and the device is before first unlock")
            : localized("an item exists, of class \(name), and the device is locked")
    }

    private static func message(_ status: KeychainStatus) -> String {
        switch status {
        case .itemNotFound: localized("no such item")
        case .duplicateItem: localized("such an item exists already")
        case .interactionNotAllowed: localized("the device is locked")
        case .authenticationFailed: localized("authentication failed")
        case .missingEntitlement: localized("the access group belongs to others")
        case .decode: localized("an item cannot be decoded; it is kept")
        case .parameter: localized("a parameter is wrong")
        case .noSuchAttribute: localized("this kind of item has no such attribute")
        case .noSuchClass: localized("there is no such kind of item")
        case .readOnly: localized("that keychain is not changed by anybody's command")
        case .noSuchKeychain: localized("there is no such keychain")
        case .invalidKeychain:
            localized("that is no name for a keychain: 1 to 64 bytes, none of them a control character")
        case .duplicateKeychain: localized("a keychain of that name exists already")
        case .allocation: localized("no locked memory is left")
        case .notAvailable: localized("the keychain is not available")
        }
    }
}
