import Linux
package import Protection
package import Secrets

/// What status tells of the device: how its enclave stands.
package struct DeviceState: Equatable, Sendable {
    package var lock: LockState
    package var hasPasscode: Bool
    package var keybag: Identifier
    package var generation: UInt64
    /// Wrong passcodes in a row.
    package var failures: UInt32
    /// Until the next try.
    package var delay: Duration
    package var settings: SecuritySettings
    /// scrypt's cost as a power of two, 0 while no passcode is set; and what one run took when it was chosen.
    package var logRounds: UInt8
    package var timePerTry: Duration
    /// `LockedMemory.Kind` of its pages.
    package var memoryKind: UInt8
    /// Whether not even root can read its keys.
    package var isInSecretMemory: Bool { memoryKind == UInt8(LockedMemory.Kind.secret.rawValue) }
    /// Landlock's ABI; 0 where the kernel has none.
    package var landlock: UInt8
    /// Class keys destroyed on purpose, of which rows may be left.
    package var destroyed: [Identifier]

    package init(
        lock: LockState, hasPasscode: Bool, keybag: Identifier, generation: UInt64, failures: UInt32, delay: Duration,
        settings: SecuritySettings, logRounds: UInt8, timePerTry: Duration, memoryKind: UInt8, landlock: UInt8,
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
        self.memoryKind = memoryKind
        self.landlock = landlock
        self.destroyed = destroyed
    }

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
        memoryKind = try reader.uint8()
        landlock = try reader.uint8()
        destroyed = []
        for _ in 0..<(try reader.count(limit: WireLimits.destroyedKeys)) { destroyed.append(try reader.identifier()) }
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
        try buffer.uint8(memoryKind)
        try buffer.uint8(landlock)
        try buffer.uint32(UInt32(destroyed.count))
        for key in destroyed { try buffer.identifier(key) }
    }
}
