package import Protection
package import Secrets

/// What the enclave answers.
///
/// See specs/enclave-protocol.md.
package enum EnclaveReply: ~Copyable {
    case done
    case state(EnclaveState)
    case newKey(NewKey)
    case key(CarriedSecret)
    case refused(EnclaveRefusal)
    /// What is no secret: a record, or a signature.
    case bytes([UInt8])
    case newPrivateKey(NewPrivateKey)
    case identifiers([Identifier])

    enum Tag: UInt8 { case done = 0, state, newKey, key, refused, bytes, newPrivateKey, identifiers }
}

extension EnclaveReply {
    /// The answer itself, or the refusal as an error.
    package consuming func unlessRefused() throws(EnclaveRefusal) -> EnclaveReply {
        switch consume self {
        case .refused(let refusal): throw refusal
        case .done: return .done
        case .state(let state): return .state(state)
        case .newKey(let new): return .newKey(new)
        case .key(let key): return .key(key)
        case .bytes(let bytes): return .bytes(bytes)
        case .newPrivateKey(let new): return .newPrivateKey(new)
        case .identifiers(let list): return .identifiers(list)
        }
    }
}

/// A fresh P-256 key of the enclave's, and how it is kept.
package struct NewPrivateKey: Equatable, Sendable {
    /// X9.63, uncompressed: 65 bytes.
    package let publicKey: [UInt8]
    package let classKey: Identifier
    package let wrapped: [UInt8]

    package init(publicKey: [UInt8], classKey: Identifier, wrapped: [UInt8]) {
        self.publicKey = publicKey
        self.classKey = classKey
        self.wrapped = wrapped
    }
}

/// A fresh key, and how it is kept.
package struct NewKey: ~Copyable, Sendable {
    package let key: SecretBytes
    package let classKey: Identifier
    package let wrapped: [UInt8]

    package init(key: consuming SecretBytes, classKey: Identifier, wrapped: [UInt8]) {
        self.key = key
        self.classKey = classKey
        self.wrapped = wrapped
    }

    package consuming func takeKey() -> SecretBytes { key }
}

/// Why the enclave did not do what it was asked.
package enum EnclaveRefusal: Error, Equatable, Sendable {
    /// The class is not open in this lock state.
    case locked
    /// Wrong; `delay` milliseconds until the next try.
    case wrongPasscode(delay: UInt64)
    /// A wait is running: `delay` milliseconds are left.
    ///
    /// Nothing was tried or counted.
    case delayed(delay: UInt64)
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

    fileprivate var code: UInt8 {
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

    fileprivate var detail: UInt64 {
        switch self {
        case .wrongPasscode(let delay), .delayed(let delay): delay
        case .passcodeTooShort(let minimum): UInt64(minimum)
        case .storage(let errno): UInt64(errno)
        case .biometryRefused(let reason): UInt64(reason.rawValue)
        default: 0
        }
    }

    fileprivate init(code: UInt8, detail: UInt64) throws(DecodingError) {
        switch code {
        case 1: self = .locked
        case 2: self = .wrongPasscode(delay: detail)
        case 3: self = .delayed(delay: detail)
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

/// What the enclave tells of itself.
package struct EnclaveState: Equatable, Sendable {
    package var lock: LockState
    package var hasPasscode: Bool
    package var keybag: Identifier
    package var generation: UInt64
    package var failures: UInt32
    /// Milliseconds until the next try.
    package var delay: UInt64
    package var settings: SecuritySettings
    /// scrypt's cost as a power of two, 0 while no passcode is set; and what one run took when it was chosen.
    package var logRounds: UInt8
    package var millisecondsPerTry: UInt32
    /// `LockedMemory.Kind` of its pages.
    package var memoryKind: UInt8
    /// Landlock's ABI; 0 where the kernel has none.
    package var landlock: UInt8
    /// Class keys destroyed on purpose, of which rows may be left.
    package var destroyed: [Identifier]

    package init(
        lock: LockState, hasPasscode: Bool, keybag: Identifier, generation: UInt64, failures: UInt32, delay: UInt64,
        settings: SecuritySettings, logRounds: UInt8, millisecondsPerTry: UInt32, memoryKind: UInt8, landlock: UInt8,
        destroyed: [Identifier]
    ) {
        self.lock = lock
        self.hasPasscode = hasPasscode
        self.keybag = keybag
        self.generation = generation
        self.failures = failures
        self.delay = delay
        self.settings = settings
        self.logRounds = logRounds
        self.millisecondsPerTry = millisecondsPerTry
        self.memoryKind = memoryKind
        self.landlock = landlock
        self.destroyed = destroyed
    }
}

extension EnclaveReply {
    package static func decode(_ payload: RawSpan) throws -> EnclaveReply {
        var reader = ByteReader(payload)
        guard let tag = Tag(rawValue: try reader.uint8()) else { throw DecodingError.invalid }
        let reply = try decode(tag, &reader)
        try reader.end()
        return reply
    }

    private static func decode(_ tag: Tag, _ reader: inout ByteReader) throws -> EnclaveReply {
        switch tag {
        case .done: .done
        case .state: .state(try EnclaveState(from: &reader))
        case .newKey:
            .newKey(
                NewKey(
                    key: try reader.secretField(limit: WireLimits.wrappedKey), classKey: try reader.identifier(),
                    wrapped: try reader.bytesField(limit: WireLimits.wrappedKey)))
        case .key: .key(CarriedSecret(try reader.secretField(limit: WireLimits.wrappedKey)))
        case .refused: .refused(try EnclaveRefusal(code: try reader.uint8(), detail: try reader.uint64()))
        case .bytes: .bytes(try reader.bytesField(limit: WireLimits.wrappedKey))
        case .newPrivateKey:
            .newPrivateKey(
                NewPrivateKey(
                    publicKey: try reader.bytesField(limit: WireLimits.wrappedKey), classKey: try reader.identifier(),
                    wrapped: try reader.bytesField(limit: WireLimits.wrappedKey)))
        case .identifiers: .identifiers(try reader.identifiers(limit: WireLimits.openKeychains))
        }
    }

    /// Appends one whole frame.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        let start = try Frame.begin(in: &buffer)
        switch self {
        case .done: try buffer.uint8(Tag.done.rawValue)
        case .state(let state):
            try buffer.uint8(Tag.state.rawValue)
            try state.encode(into: &buffer)
        case .newKey(let new):
            try buffer.uint8(Tag.newKey.rawValue)
            try buffer.field(new.key)
            try buffer.identifier(new.classKey)
            try buffer.field(new.wrapped)
        case .key(let key):
            try buffer.uint8(Tag.key.rawValue)
            try buffer.field(key.bytes)
        case .refused(let refusal):
            try buffer.uint8(Tag.refused.rawValue)
            try buffer.uint8(refusal.code)
            try buffer.uint64(refusal.detail)
        case .bytes(let bytes):
            try buffer.uint8(Tag.bytes.rawValue)
            try buffer.field(bytes)
        case .newPrivateKey(let new):
            try buffer.uint8(Tag.newPrivateKey.rawValue)
            try buffer.field(new.publicKey)
            try buffer.identifier(new.classKey)
            try buffer.field(new.wrapped)
        case .identifiers(let list):
            try buffer.uint8(Tag.identifiers.rawValue)
            try buffer.identifiers(list)
        }
        Frame.end(start, in: &buffer)
    }
}

extension EnclaveState {
    package init(from reader: inout ByteReader) throws(DecodingError) {
        guard let lock = LockState(rawValue: try reader.uint8()) else { throw .invalid }
        self.lock = lock
        hasPasscode = try reader.bool()
        keybag = try reader.identifier()
        generation = try reader.uint64()
        failures = try reader.uint32()
        delay = try reader.uint64()
        settings = try SecuritySettings(from: &reader)
        logRounds = try reader.uint8()
        millisecondsPerTry = try reader.uint32()
        memoryKind = try reader.uint8()
        landlock = try reader.uint8()
        destroyed = try reader.identifiers(limit: WireLimits.destroyedKeys)
    }

    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint8(lock.rawValue)
        try buffer.bool(hasPasscode)
        try buffer.identifier(keybag)
        try buffer.uint64(generation)
        try buffer.uint32(failures)
        try buffer.uint64(delay)
        try settings.encode(into: &buffer)
        try buffer.uint8(logRounds)
        try buffer.uint32(millisecondsPerTry)
        try buffer.uint8(memoryKind)
        try buffer.uint8(landlock)
        try buffer.identifiers(destroyed)
    }
}
