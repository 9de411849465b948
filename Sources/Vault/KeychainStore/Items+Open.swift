import EnclaveWire
import Envelopes
import FoundationEssentials
import GRDB
import KeyEnvelopes
import Protection
import Secrets
import Wire

// Opening what a row holds.
extension KeychainStore {
    /// The row's attributes, still encoded, in locked memory.
    ///
    /// - Throws: −25308 where the lock state shuts the row's class; −26275 where it does not decode, after noting it.
    func openMetadata(_ row: ItemRow) throws -> SecretBytes {
        do { return try readMetadata(row) } catch let error as KeychainError where error.reason == .damagedItem {
            guard let copy = spareRow(of: row), let metadata = try? readMetadata(copy) else { throw error }
            putBack(copy.identity.item)
            return metadata
        }
    }

    /// The same, of this row and no spare.
    func readMetadata(_ row: ItemRow) throws -> SecretBytes {
        guard row.kind != nil, let protectionClass = row.protectionClass else { throw quarantine(row) }
        let table = try tableKey(of: row, protectionClass)
        guard row.classKey == table.classKey, let wrapped = WrappedKey(row.metadataKey) else {
            throw quarantine(row)
        }
        let purpose = KeyPurpose.metadataKey(
            classKey: table.classKey, keychain: keychain, item: row.identity.item)
        do {
            let key = try KeyEnvelope.unwrap(wrapped, under: table.bytes, as: purpose)
            let metadata = try KeychainItemEnvelope.openMetadata(row.metadata, under: key, of: row.identity)
            if row.isQuarantined { try mark(row, quarantined: false) }
            return metadata
        } catch EnvelopeError.memory { throw KeychainError(.allocation) } catch is EnvelopeError {
            throw quarantine(row)
        }
    }

    /// Where the key over a row's class is lost, the row is damaged, and the rows of other classes are not.
    private func tableKey(of row: ItemRow, _ protectionClass: ProtectionClass) throws -> CachedKey {
        do { return try tableKey(protectionClass) } catch let error as KeychainError
            where error.reason == .damagedStore || error.reason == .damagedItem
        {
            throw quarantine(row)
        }
    }

    func attributes(_ row: ItemRow) throws -> Attributes {
        let metadata = try openMetadata(row)
        do {
            return try metadata.withBytes { (span) throws(DecodingError) in
                var reader = ByteReader(span)
                let attributes = try Attributes(from: &reader)
                try reader.end()
                return attributes
            }
        } catch { throw quarantine(row) }
    }

    /// The row's secret; nil for an item without data.
    ///
    /// The row key makes its round trip through the enclave.
    func openSecret(
        _ row: ItemRow, attributes metadata: borrowing SecretBytes, for operation: ProtectedOperation, caller: Caller
    ) throws -> SecretBytes? {
        do { return try readSecret(row, attributes: metadata, for: operation, caller: caller) } catch let error
            as KeychainError where error.reason == .damagedItem
        {
            guard let copy = spareRow(of: row), let own = try? readMetadata(copy) else { throw error }
            let secret: SecretBytes?
            do { secret = try readSecret(copy, attributes: own, for: operation, caller: caller) } catch { throw error }
            putBack(copy.identity.item)
            return secret
        }
    }

    func readSecret(
        _ row: ItemRow, attributes metadata: borrowing SecretBytes, for operation: ProtectedOperation, caller: Caller
    ) throws -> SecretBytes? {
        if row.isLost { throw quarantine(row) }
        guard let sealed = row.secret else { return nil }
        do {
            let binding = try binding(row, metadata)
            // It stays in the enclave: there is nothing to give out.
            if binding.isOfPrivateKey { return nil }
            let key = try keystore.openRowKey(
                StoredRowKey(
                    binding: Self.encode(binding), classKey: row.classKey, wrapped: sealed.rowKey,
                    connection: caller.connection,
                    operation: operation, accessGroups: caller.accessGroups))
            return try KeychainItemEnvelope.openSecret(sealed.sealed, under: key, of: row.identity)
        } catch let refusal as EnclaveRefusal {
            let meaning = error(refusal, row.protectionClass)
            throw meaning.status == .decode ? quarantine(row) : meaning
        } catch EnvelopeError.memory { throw KeychainError(.allocation) } catch is EnvelopeError {
            throw quarantine(row)
        } catch is DecodingError { throw quarantine(row) }
    }

    func binding(_ row: ItemRow, _ metadata: borrowing SecretBytes) throws -> RowKeyBinding {
        guard let protectionClass = row.protectionClass else { throw DecodingError.invalid }
        let attributes = try metadata.withBytes { span in
            var reader = ByteReader(span)
            return try Attributes(from: &reader)
        }
        return binding(row.identity, protectionClass, attributes)
    }

    /// What the enclave shall trust of an item.
    func binding(
        _ identity: ItemIdentity, _ protectionClass: ProtectionClass, _ attributes: Attributes
    ) -> RowKeyBinding {
        RowKeyBinding(
            keychain: keychain, item: identity.item, kind: identity.kind,
            protectionClass: protectionClass, accessGroup: attributes.string(.accessGroup) ?? "",
            accessControl: UInt32(truncatingIfNeeded: attributes.number(.accessControl) ?? 0),
            enrolment: attributes.data(.enrolment) ?? [], password: attributes.data(.password) ?? [],
            keychainKey: attributes.data(.keychainKey).flatMap(Identifier.init))
    }

    static func encode(_ binding: RowKeyBinding) -> [UInt8] {
        var writer = ByteWriter()
        binding.encode(into: &writer)
        return writer.bytes
    }

    /// Notes a row that does not decode.
    ///
    /// It is kept, listed by status, and never replaced.
    func quarantine(_ row: ItemRow) -> KeychainError {
        // A disk that cannot be written must not turn this error into another.
        try? mark(row, quarantined: true)
        return KeychainError(.decode, .damagedItem, protectionClass: row.protectionClass)
    }

    /// The same for an item that can be read, and says what it must not.
    func quarantine(_ item: Identifier) throws {
        try storage { database in
            try database.execute(
                sql: "UPDATE item SET quarantined = 1 WHERE uuid = ?", arguments: [Data(item.bytes)])
        }
    }

    private func mark(_ row: ItemRow, quarantined: Bool) throws {
        guard row.isQuarantined != quarantined else { return }
        try storage { database in
            try database.execute(
                sql: "UPDATE item SET quarantined = ? WHERE id = ?", arguments: [quarantined, row.id])
        }
    }
}
