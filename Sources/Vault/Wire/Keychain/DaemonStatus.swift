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

    package var enclave: DeviceState
    /// Microseconds since 1970 at which the lock state began.
    package var since: Int64
    /// Seconds without a request after which the device locks; 0 is never.
    package var idleLockSeconds: UInt32
    package var daemonProcess: UInt32
    package var enclaveProcess: UInt32
    package var itemsPerClass: [ProtectionClass: UInt64]
    /// Items that cannot be decoded; they are kept.
    package var quarantined: [PersistentReference]
    package var rollback: Rollback
    package var version: String

    package init(
        enclave: DeviceState, since: Int64, idleLockSeconds: UInt32, daemonProcess: UInt32, enclaveProcess: UInt32,
        itemsPerClass: [ProtectionClass: UInt64], quarantined: [PersistentReference], rollback: Rollback,
        version: String
    ) {
        self.enclave = enclave
        self.since = since
        self.idleLockSeconds = idleLockSeconds
        self.daemonProcess = daemonProcess
        self.enclaveProcess = enclaveProcess
        self.itemsPerClass = itemsPerClass
        self.quarantined = quarantined
        self.rollback = rollback
        self.version = version
    }

    package static let quarantineLimit = 1000

    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try enclave.encode(into: &buffer)
        try buffer.uint64(UInt64(bitPattern: since))
        try buffer.uint32(idleLockSeconds)
        try buffer.uint32(daemonProcess)
        try buffer.uint32(enclaveProcess)
        for protectionClass in ProtectionClass.allCases { try buffer.uint64(itemsPerClass[protectionClass] ?? 0) }
        try buffer.uint32(UInt32(quarantined.count))
        for reference in quarantined { try buffer.append(reference.bytes) }
        try buffer.uint8(rollback.rawValue)
        try buffer.field(Array(version.utf8))
    }

    package init(from reader: inout ByteReader) throws(DecodingError) {
        enclave = try DeviceState(from: &reader)
        since = Int64(bitPattern: try reader.uint64())
        idleLockSeconds = try reader.uint32()
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
