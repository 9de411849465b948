package import Protection
package import Secrets

/// What `tresor status` shows.
package struct DaemonStatus: Equatable, Sendable {
    /// Whether the enclave's state and the store belong to the same moment.
    package enum Rollback: UInt8, Sendable {
        /// They do.
        case none = 0
        /// The enclave was brought back to an earlier one.
        case ofEnclave = 1
        /// The store was.
        case ofStore = 2
        /// What the store knows of the enclave was written by somebody else.
        case forged = 3
    }

    /// Passcode, lock state and settings, as the enclave has them.
    package var enclave: DeviceState
    /// Microseconds since 1970 at which the lock state began.
    package var since: Int64
    /// How long after its owner's last input the device locks, in whole seconds on the wire; 0 is never.
    package var idleLock: Duration
    /// The process id of `tresord`.
    package var daemonProcess: UInt32
    /// The process id of its enclave.
    package var enclaveProcess: UInt32
    /// The owner's items; a class without any is left out.
    package var itemsPerClass: [ProtectionClass: UInt64]
    /// Items that cannot be decoded; they are kept.
    package var quarantined: [PersistentReference]
    /// Whether the enclave's state and the store belong to the same moment.
    package var rollback: Rollback
    /// The daemon's, such as `0.2.0`.
    package var version: String

    /// - Parameters:
    ///   - since: when the lock state began, in microseconds since 1970.
    ///   - idleLock: 0 is never.
    ///   - quarantined: at most ``quarantineLimit``.
    package init(
        enclave: DeviceState, since: Int64, idleLock: Duration, daemonProcess: UInt32, enclaveProcess: UInt32,
        itemsPerClass: [ProtectionClass: UInt64], quarantined: [PersistentReference], rollback: Rollback,
        version: String
    ) {
        self.enclave = enclave
        self.since = since
        self.idleLock = idleLock
        self.daemonProcess = daemonProcess
        self.enclaveProcess = enclaveProcess
        self.itemsPerClass = itemsPerClass
        self.quarantined = quarantined
        self.rollback = rollback
        self.version = version
    }

    /// How many damaged items are named.
    package static let quarantineLimit = 1000

    /// Writes the fields in their order; each class has its count in 64 bits, by ascending class.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try enclave.encode(into: &buffer)
        try buffer.uint64(UInt64(bitPattern: since))
        try buffer.uint32(UInt32(clamping: idleLock.components.seconds))
        try buffer.uint32(daemonProcess)
        try buffer.uint32(enclaveProcess)
        for protectionClass in ProtectionClass.allCases { try buffer.uint64(itemsPerClass[protectionClass] ?? 0) }
        try buffer.uint32(UInt32(quarantined.count))
        for reference in quarantined { try buffer.append(reference.bytes) }
        try buffer.uint8(rollback.rawValue)
        try buffer.field(Array(version.utf8))
    }

    /// - Throws: `DecodingError` for more damaged items than ``quarantineLimit``, for a rollback that there is not, and
    ///   for a version beyond 64 bytes.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        enclave = try DeviceState(from: &reader)
        since = Int64(bitPattern: try reader.uint64())
        idleLock = .seconds(try reader.uint32())
        daemonProcess = try reader.uint32()
        enclaveProcess = try reader.uint32()
        itemsPerClass = [:]
        for protectionClass in ProtectionClass.allCases {
            let count = try reader.uint64()
            if count > 0 { itemsPerClass[protectionClass] = count }
        }
        let count = try reader.uint32()
        guard Int(count) <= Self.quarantineLimit else { throw .tooLong }
        quarantined = []
        for _ in 0..<count { quarantined.append(try PersistentReference(from: &reader)) }
        guard let rollback = Rollback(rawValue: try reader.uint8()) else { throw .invalid }
        self.rollback = rollback
        version = try reader.stringField(limit: 64)
    }
}
