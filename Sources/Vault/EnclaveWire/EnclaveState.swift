package import Protection
package import Secrets

/// What the enclave tells of itself.
package struct EnclaveState: Equatable, Sendable {
    /// What its keys lie in.
    package enum Memory: UInt8, Sendable {
        /// No key was made or read yet.
        case untouched = 0
        /// memfd_secret(2): root cannot read it.
        case secret = 1
        case locked = 2
    }

    package var lock: LockState
    package var hasPasscode: Bool
    package var keybag: Identifier
    package var generation: UInt64
    package var failures: UInt32
    /// Until the next try.
    package var delay: Duration
    package var settings: SecuritySettings
    /// scrypt's cost as a power of two, 0 while no passcode is set; and what one run took when it was chosen.
    package var logRounds: UInt8
    package var timePerTry: Duration
    package var memory: Memory
    /// Landlock's ABI; 0 where the kernel has none.
    package var landlock: UInt8
    /// Class keys destroyed on purpose, of which rows may be left.
    package var destroyed: [Identifier]

    package init(
        lock: LockState, hasPasscode: Bool, keybag: Identifier, generation: UInt64, failures: UInt32, delay: Duration,
        settings: SecuritySettings, logRounds: UInt8, timePerTry: Duration, memory: Memory, landlock: UInt8,
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
        self.timePerTry = timePerTry
        self.memory = memory
        self.landlock = landlock
        self.destroyed = destroyed
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
        delay = .milliseconds(try reader.uint64())
        settings = try SecuritySettings(from: &reader)
        logRounds = try reader.uint8()
        timePerTry = .milliseconds(try reader.uint32())
        guard let memory = Memory(rawValue: try reader.uint8()) else { throw .invalid }
        self.memory = memory
        landlock = try reader.uint8()
        destroyed = try reader.identifiers(limit: EnclaveLimits.destroyedKeys)
    }

    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint8(lock.rawValue)
        try buffer.bool(hasPasscode)
        try buffer.identifier(keybag)
        try buffer.uint64(generation)
        try buffer.uint32(failures)
        try buffer.uint64(delay.wholeMilliseconds)
        try settings.encode(into: &buffer)
        try buffer.uint8(logRounds)
        try buffer.uint32(UInt32(clamping: timePerTry.wholeMilliseconds))
        try buffer.uint8(memory.rawValue)
        try buffer.uint8(landlock)
        try buffer.identifiers(destroyed)
    }
}
