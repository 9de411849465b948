package import Protection
package import Secrets

/// What tresord asks of its enclave.
///
/// See specs/enclave-protocol.md.
package enum EnclaveRequest: ~Copyable {
    case state
    case unlock(EnclaveSecret)
    case lock
    case setPasscode(EnclaveSecret)
    case changePasscode(PasscodeReplacement)
    case removePasscode(EnclaveSecret)
    /// The passcode is forgotten: destroys the keys that need it.
    case reset
    /// Makes a row key and wraps it.
    ///
    /// `binding` is a `RowKeyBinding`, which the enclave decodes itself.
    ///
    /// For a connection, over which the item's own password may have been given.
    case makeRowKey(binding: [UInt8], connection: UInt64)
    case openRowKey(StoredRowKey)
    /// `keychain` is the store's identifier.
    case makeTableKey(keychain: Identifier, protectionClass: ProtectionClass)
    case openTableKey(StoredStoreKey)
    /// `keychain` is the store's identifier.
    case makeIndexKey(keychain: Identifier, protectionClass: ProtectionClass)
    case openIndexKey(StoredStoreKey)
    /// The owner's passcode, as a proof of presence for one operation.
    case provePresence(PasscodeProof)
    case changeSettings(SettingsChange)
    /// No row under these destroyed class keys is left.
    case forgetDestroyed([Identifier])
    /// Whether a finger may stand for the owner now.
    case checkBiometry
    /// A finger matched, for one operation.
    case biometryMatched(BiometryMatch)
    /// Another finger was on the reader.
    case biometryFailed
    /// Makes the key of a keychain with a passcode of its own, and opens it.
    case makeKeychainKey(KeychainPasscode)
    case openKeychainKey(KeychainPasscode)
    case closeKeychainKey(Identifier)
    /// The same key under another passcode.
    case changeKeychainPasscode(KeychainPasscodeChange)
    /// The keychain keys that are open.
    case openKeychains
    /// Makes a P-256 key that never leaves.
    case makePrivateKey(binding: [UInt8], connection: UInt64)
    case usePrivateKey(PrivateKeyUse)
    /// Lets a security key stand for the owner.
    case enrolPresenceKey(PresenceKeyEnrolment)
    /// A security key gave its secret, for one operation.
    case provePresenceKey(PresenceKeyClaim)
    /// The keychain of this key is gone: nothing of it is kept.
    case forgetKeychainKey(Identifier)
    /// An item's own password, for one opening or making of its key.
    case giveItemPassword(OwnPassword)
    /// A connection has ended: what was proved and given over it goes with it.
    case forgetConnection(UInt64)
    /// What the enclave insists on.
    case promises
    /// It shall insist on more.
    case keepPromises(EnclavePromises)
    /// By which a store's record of the present generation is known again.
    case witnessStore(Identifier)
    case checkStore(StoreRecord)
    /// What was found of the two copies of the enclave's files.
    case copies

    /// Whether all of the stack is wiped behind it (`Stack.wipe`), and not a part: so it is behind all requests but
    /// those that come often, and those that only ask, or tell of a finger that did not match.
    package var wipesWholeStack: Bool { opcode.wipesWholeStack }

    enum Opcode: UInt8 {
        case state = 1
        case unlock, lock, setPasscode, changePasscode, removePasscode, reset
        case makeRowKey, openRowKey, makeTableKey, openTableKey, makeIndexKey, openIndexKey
        case provePresence, changeSettings, forgetDestroyed
        case checkBiometry, biometryMatched, biometryFailed
        case makeKeychainKey, openKeychainKey, closeKeychainKey, changeKeychainPasscode, openKeychains
        case makePrivateKey, usePrivateKey, enrolPresenceKey, provePresenceKey, forgetKeychainKey
        case giveItemPassword, forgetConnection
        case promises, keepPromises, witnessStore, checkStore
        case copies

        fileprivate var wipesWholeStack: Bool {
            switch self {
            case .state, .checkBiometry, .biometryFailed, .makeRowKey, .openRowKey, .openKeychains, .promises,
                .witnessStore, .checkStore, .copies:
                false
            case .unlock, .lock, .setPasscode, .changePasscode, .removePasscode, .reset, .makeTableKey, .openTableKey,
                .makeIndexKey, .openIndexKey, .provePresence, .changeSettings, .forgetDestroyed, .biometryMatched,
                .makeKeychainKey, .openKeychainKey, .closeKeychainKey, .changeKeychainPasscode, .makePrivateKey,
                .usePrivateKey, .enrolPresenceKey, .provePresenceKey, .forgetKeychainKey, .giveItemPassword,
                .forgetConnection, .keepPromises:
                true
            }
        }
    }

    /// What it asks for, without the fields.
    var opcode: Opcode {
        switch self {
        case .state: .state
        case .unlock: .unlock
        case .lock: .lock
        case .setPasscode: .setPasscode
        case .changePasscode: .changePasscode
        case .removePasscode: .removePasscode
        case .reset: .reset
        case .makeRowKey: .makeRowKey
        case .openRowKey: .openRowKey
        case .makeTableKey: .makeTableKey
        case .openTableKey: .openTableKey
        case .makeIndexKey: .makeIndexKey
        case .openIndexKey: .openIndexKey
        case .provePresence: .provePresence
        case .changeSettings: .changeSettings
        case .forgetDestroyed: .forgetDestroyed
        case .checkBiometry: .checkBiometry
        case .biometryMatched: .biometryMatched
        case .biometryFailed: .biometryFailed
        case .makeKeychainKey: .makeKeychainKey
        case .openKeychainKey: .openKeychainKey
        case .closeKeychainKey: .closeKeychainKey
        case .changeKeychainPasscode: .changeKeychainPasscode
        case .openKeychains: .openKeychains
        case .makePrivateKey: .makePrivateKey
        case .usePrivateKey: .usePrivateKey
        case .enrolPresenceKey: .enrolPresenceKey
        case .provePresenceKey: .provePresenceKey
        case .forgetKeychainKey: .forgetKeychainKey
        case .giveItemPassword: .giveItemPassword
        case .forgetConnection: .forgetConnection
        case .promises: .promises
        case .keepPromises: .keepPromises
        case .witnessStore: .witnessStore
        case .checkStore: .checkStore
        case .copies: .copies
        }
    }
}

/// What a store has recorded of the keybag's generation.
package struct StoreRecord: Equatable, Sendable {
    package let store: Identifier
    package let generation: UInt64
    /// 32 bytes of the enclave's; empty where an earlier version recorded it, or nothing is recorded.
    package let witness: [UInt8]

    package init(store: Identifier, generation: UInt64, witness: [UInt8]) {
        self.store = store
        self.generation = generation
        self.witness = witness
    }
}

/// A secret as the whole of a message.
///
/// (Swift 6.3 can't borrow a noncopyable payload of another module's type out of an enum; this wrapper can be.)
package struct EnclaveSecret: ~Copyable, Sendable {
    package let bytes: SecretBytes

    package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    package consuming func takeBytes() -> SecretBytes { bytes }
}

/// The passcode in force and the one that shall replace it.
package struct PasscodeReplacement: ~Copyable {
    package let current: SecretBytes
    package let new: SecretBytes

    package init(current: consuming SecretBytes, new: consuming SecretBytes) {
        self.current = current
        self.new = new
    }
}

/// A wrapped row key, what it claims to be bound to, and who wants it for what.
package struct StoredRowKey: Sendable {
    package var binding: [UInt8]
    package var classKey: Identifier
    package var wrapped: [UInt8]
    package var connection: UInt64
    package var operation: ProtectedOperation
    /// The groups that the one who asks may reach.
    package var accessGroups: [String]

    package init(
        binding: [UInt8], classKey: Identifier, wrapped: [UInt8], connection: UInt64, operation: ProtectedOperation,
        accessGroups: [String]
    ) {
        self.accessGroups = accessGroups
        self.binding = binding
        self.classKey = classKey
        self.wrapped = wrapped
        self.connection = connection
        self.operation = operation
    }
}

/// A table or index key of a store, wrapped under a class key.
package struct StoredStoreKey: Sendable, Equatable {
    /// The store's identifier.
    package var keychain: Identifier
    package var protectionClass: ProtectionClass
    package var classKey: Identifier
    package var wrapped: [UInt8]

    package init(keychain: Identifier, protectionClass: ProtectionClass, classKey: Identifier, wrapped: [UInt8]) {
        self.keychain = keychain
        self.protectionClass = protectionClass
        self.classKey = classKey
        self.wrapped = wrapped
    }
}

/// Passcode, and the operation it shall permit.
package struct PasscodeProof: ~Copyable {
    package let passcode: SecretBytes
    package let connection: UInt64
    package let item: Identifier
    package let operation: ProtectedOperation

    package init(passcode: consuming SecretBytes, connection: UInt64, item: Identifier, operation: ProtectedOperation) {
        self.passcode = passcode
        self.connection = connection
        self.item = item
        self.operation = operation
    }
}

/// A finger that matched, and the operation it shall permit.
package struct BiometryMatch: Equatable, Sendable {
    package var connection: UInt64
    package var item: Identifier
    package var operation: ProtectedOperation
    /// The enrolment state at that moment: SHA-256 by specs/fingerprint-enrolment.md, 32 bytes.
    package var enrolment: [UInt8]

    package init(connection: UInt64, item: Identifier, operation: ProtectedOperation, enrolment: [UInt8]) {
        self.connection = connection
        self.item = item
        self.operation = operation
        self.enrolment = enrolment
    }
}

/// The settings wanted, and the passcode that permits them.
package struct SettingsChange: ~Copyable {
    package let passcode: SecretBytes
    package let settings: SecuritySettings

    package init(passcode: consuming SecretBytes, settings: SecuritySettings) {
        self.passcode = passcode
        self.settings = settings
    }
}
