package import Protection
package import Secrets

extension EnclaveRequest {
    /// Reads one frame's payload; refuses what is unknown, too long or trailing.
    package static func decode(_ payload: RawSpan) throws -> EnclaveRequest {
        var reader = ByteReader(payload)
        guard let opcode = Opcode(rawValue: try reader.uint8()) else { throw DecodingError.invalid }
        let request = try decode(opcode, &reader)
        try reader.end()
        return request
    }

    private static func decode(_ opcode: Opcode, _ reader: inout ByteReader) throws -> EnclaveRequest {
        switch opcode {
        case .state: .state
        case .lock: .lock
        case .reset: .reset
        case .unlock: .unlock(EnclaveSecret(try reader.secretField(limit: EnclaveLimits.passcode)))
        case .setPasscode: .setPasscode(EnclaveSecret(try reader.secretField(limit: EnclaveLimits.passcode)))
        case .changePasscode:
            .changePasscode(
                PasscodeReplacement(
                    current: try reader.secretField(limit: EnclaveLimits.passcode),
                    new: try reader.secretField(limit: EnclaveLimits.passcode)))
        case .removePasscode: .removePasscode(EnclaveSecret(try reader.secretField(limit: EnclaveLimits.passcode)))
        case .makeRowKey:
            .makeRowKey(binding: try reader.bytesField(limit: EnclaveLimits.binding), connection: try reader.uint64())
        case .openRowKey: .openRowKey(try StoredRowKey(from: &reader))
        case .makeTableKey:
            .makeTableKey(keychain: try reader.identifier(), protectionClass: try reader.protectionClass())
        case .openTableKey: .openTableKey(try StoredStoreKey(from: &reader))
        case .makeIndexKey:
            .makeIndexKey(keychain: try reader.identifier(), protectionClass: try reader.protectionClass())
        case .openIndexKey: .openIndexKey(try StoredStoreKey(from: &reader))
        case .provePresence: .provePresence(try PasscodeProof(from: &reader))
        case .changeSettings: .changeSettings(try SettingsChange(from: &reader))
        case .forgetDestroyed: .forgetDestroyed(try reader.identifiers(limit: EnclaveLimits.destroyedKeys))
        case .checkBiometry: .checkBiometry
        case .biometryMatched: .biometryMatched(try BiometryMatch(from: &reader))
        case .biometryFailed: .biometryFailed
        case .makeKeychainKey: .makeKeychainKey(try KeychainPasscode(from: &reader))
        case .openKeychainKey: .openKeychainKey(try KeychainPasscode(from: &reader))
        case .closeKeychainKey: .closeKeychainKey(try reader.identifier())
        case .changeKeychainPasscode: .changeKeychainPasscode(try KeychainPasscodeChange(from: &reader))
        case .openKeychains: .openKeychains
        case .makePrivateKey:
            .makePrivateKey(
                binding: try reader.bytesField(limit: EnclaveLimits.binding), connection: try reader.uint64())
        case .usePrivateKey: .usePrivateKey(try PrivateKeyUse(from: &reader))
        case .enrolPresenceKey: .enrolPresenceKey(try PresenceKeyEnrolment(from: &reader))
        case .provePresenceKey: .provePresenceKey(try PresenceKeyClaim(from: &reader))
        case .forgetKeychainKey: .forgetKeychainKey(try reader.identifier())
        case .giveItemPassword: .giveItemPassword(try OwnPassword(from: &reader))
        case .forgetConnection: .forgetConnection(try reader.uint64())
        case .promises: .promises
        case .keepPromises: .keepPromises(try EnclavePromises(from: &reader))
        case .witnessStore: .witnessStore(try reader.identifier())
        case .checkStore: .checkStore(try StoreRecord(from: &reader))
        case .copies: .copies
        }
    }

    /// Appends one whole frame.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        let start = try StreamFrame.begin(in: &buffer)
        try encodePayload(into: &buffer)
        StreamFrame.end(start, in: &buffer)
    }

    private borrowing func encodePayload(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint8(opcode.rawValue)
        switch self {
        case .state: break
        case .lock: break
        case .reset: break
        case .checkBiometry: break
        case .biometryFailed: break
        case .openKeychains: break
        case .promises: break
        case .copies: break
        case .unlock(let passcode): try buffer.field(passcode.bytes)
        case .setPasscode(let new): try buffer.field(new.bytes)
        case .changePasscode(let change): try change.encode(into: &buffer)
        case .removePasscode(let current): try buffer.field(current.bytes)
        case .makeRowKey(let binding, let connection):
            try buffer.field(binding)
            try buffer.uint64(connection)
        case .openRowKey(let stored): try stored.encode(into: &buffer)
        case .makeTableKey(let keychain, let protectionClass):
            try buffer.identifier(keychain)
            try buffer.uint8(protectionClass.rawValue)
        case .openTableKey(let stored): try stored.encode(into: &buffer)
        case .makeIndexKey(let keychain, let protectionClass):
            try buffer.identifier(keychain)
            try buffer.uint8(protectionClass.rawValue)
        case .openIndexKey(let stored): try stored.encode(into: &buffer)
        case .provePresence(let proof): try proof.encode(into: &buffer)
        case .changeSettings(let change): try change.encode(into: &buffer)
        case .forgetDestroyed(let keys): try buffer.identifiers(keys)
        case .biometryMatched(let match): try match.encode(into: &buffer)
        case .makeKeychainKey(let passcode): try passcode.encode(into: &buffer)
        case .openKeychainKey(let passcode): try passcode.encode(into: &buffer)
        case .closeKeychainKey(let id): try buffer.identifier(id)
        case .changeKeychainPasscode(let change): try change.encode(into: &buffer)
        case .makePrivateKey(let binding, let connection):
            try buffer.field(binding)
            try buffer.uint64(connection)
        case .usePrivateKey(let use): try use.encode(into: &buffer)
        case .enrolPresenceKey(let enrolment): try enrolment.encode(into: &buffer)
        case .provePresenceKey(let claim): try claim.encode(into: &buffer)
        case .forgetKeychainKey(let id): try buffer.identifier(id)
        case .giveItemPassword(let password): try password.encode(into: &buffer)
        case .forgetConnection(let connection): try buffer.uint64(connection)
        case .keepPromises(let promises): try buffer.uint8(promises.rawValue)
        case .witnessStore(let store): try buffer.identifier(store)
        case .checkStore(let record): try record.encode(into: &buffer)
        }
    }
}

extension PasscodeReplacement {
    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(current)
        try buffer.field(new)
    }
}

extension StoreRecord {
    private static let witnessByteCount = 32

    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        store = try reader.identifier()
        generation = try reader.uint64()
        witness = try reader.bytesField(limit: Self.witnessByteCount)
        guard witness.isEmpty || witness.count == Self.witnessByteCount else { throw .invalid }
    }

    fileprivate func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.identifier(store)
        try buffer.uint64(generation)
        try buffer.field(witness)
    }
}

extension SecretBuffer {
    mutating func identifiers(_ list: [Identifier]) throws(SecretMemoryError) {
        try uint32(UInt32(list.count))
        for entry in list { try identifier(entry) }
    }
}

extension ByteReader {
    mutating func identifiers(limit: Int) throws(DecodingError) -> [Identifier] {
        let count = Int(try uint32())
        guard count <= limit else { throw .tooLong }
        var list: [Identifier] = []
        for _ in 0..<count { list.append(try identifier()) }
        return list
    }

    /// One of the keychain's classes.
    mutating func protectionClass() throws(DecodingError) -> ProtectionClass {
        guard let known = ProtectionClass(rawValue: try uint8()) else { throw .invalid }
        return known
    }

    mutating func operation() throws(DecodingError) -> ProtectedOperation {
        guard let known = ProtectedOperation(rawValue: try uint8()) else { throw .invalid }
        return known
    }
}

extension StoredRowKey {
    init(from reader: inout ByteReader) throws(DecodingError) {
        binding = try reader.bytesField(limit: EnclaveLimits.binding)
        classKey = try reader.identifier()
        wrapped = try reader.bytesField(limit: EnclaveLimits.wrappedKey)
        connection = try reader.uint64()
        operation = try reader.operation()
        let count = try reader.uint32()
        guard count <= EnclaveLimits.accessGroups else { throw .tooLong }
        accessGroups = []
        for _ in 0..<count { accessGroups.append(try reader.stringField(limit: AccessGroup.longest)) }
    }

    func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(binding)
        try buffer.identifier(classKey)
        try buffer.field(wrapped)
        try buffer.uint64(connection)
        try buffer.uint8(operation.rawValue)
        try buffer.uint32(UInt32(accessGroups.count))
        for group in accessGroups { try buffer.field(Array(group.utf8)) }
    }
}

extension BiometryMatch {
    private static let enrolmentByteCount = 32

    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        connection = try reader.uint64()
        item = try reader.identifier()
        operation = try reader.operation()
        enrolment = try reader.bytes(Self.enrolmentByteCount)
    }

    fileprivate func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint64(connection)
        try buffer.identifier(item)
        try buffer.uint8(operation.rawValue)
        try buffer.append(enrolment)
    }
}

extension StoredStoreKey {
    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        keychain = try reader.identifier()
        protectionClass = try reader.protectionClass()
        classKey = try reader.identifier()
        wrapped = try reader.bytesField(limit: EnclaveLimits.wrappedKey)
    }

    fileprivate func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.identifier(keychain)
        try buffer.uint8(protectionClass.rawValue)
        try buffer.identifier(classKey)
        try buffer.field(wrapped)
    }
}

extension PasscodeProof {
    init(from reader: inout ByteReader) throws {
        self.init(
            passcode: try reader.secretField(limit: EnclaveLimits.passcode), connection: try reader.uint64(),
            item: try reader.identifier(), operation: try reader.operation())
    }

    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(passcode)
        try buffer.uint64(connection)
        try buffer.identifier(item)
        try buffer.uint8(operation.rawValue)
    }
}

extension SettingsChange {
    init(from reader: inout ByteReader) throws {
        self.init(
            passcode: try reader.secretField(limit: EnclaveLimits.passcode),
            settings: try SecuritySettings(from: &reader))
    }

    borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(passcode)
        try settings.encode(into: &buffer)
    }
}

extension SecuritySettings {
    package init(from reader: inout ByteReader) throws(DecodingError) {
        guard let policy = DelayPolicy(rawValue: try reader.uint8()) else { throw .invalid }
        self.init(
            delayPolicy: policy, erasesAfterTenTries: try reader.bool(), minimumPasscodeLength: try reader.uint8())
    }

    func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint8(delayPolicy.rawValue)
        try buffer.bool(erasesAfterTenTries)
        try buffer.uint8(minimumPasscodeLength)
    }
}
