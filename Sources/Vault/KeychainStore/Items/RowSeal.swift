import EnclaveWire
import Envelopes
import KeyEnvelopes
import Protection
import SQLite
import Secrets
import Wire

/// Seals items into rows and opens rows again, of one place: nothing is looked up elsewhere where a row is damaged.
struct RowSeal {
    /// What one item may hold; a page with it must fit a frame.
    private enum ItemLimit {
        static let secret = StreamFrame.keychainLimit - 128 * 1024
        static let attributes = 64 * 1024
        /// What the day takes on which it was put into the trash: nothing is too large for that.
        static let trashed = 13
    }

    private let storage: ItemDatabase
    private let classes: ClassAccess
    private let keys: StoreKeys

    init(storage: ItemDatabase, classes: ClassAccess, keys: StoreKeys) {
        self.storage = storage
        self.classes = classes
        self.keys = keys
    }

    // MARK: sealing

    /// A name for a new item.
    func newItem(_ attributes: Attributes, _ kind: ItemKind, hasSecret: Bool) -> Identifier {
        guard storage.isInBatch, hasSecret,
            let protectionClass = attributes.string(.protectionClass).flatMap(ProtectionClass.init(code:))
        else { return .makeRandom() }
        let model = ItemIdentity(
            keychain: storage.storeID, item: .makeRandom(), kind: kind.rawValue,
            protectionClass: protectionClass.rawValue, isSynchronizable: false, isTombstone: false,
            tamperCheck: .makeRandom())
        return keys.nextItem(like: binding(model, protectionClass, attributes)) ?? model.item
    }

    /// Seals a whole item anew: fresh metadata key, fresh row key, fresh tamper check.
    func makeRow(
        _ attributes: Attributes, _ kind: ItemKind, item: Identifier, secret: borrowing SecretBytes?,
        isTombstone: Bool, connection: UInt64 = 0
    ) throws -> NewRow {
        guard let protectionClass = attributes.string(.protectionClass).flatMap(ProtectionClass.init(code:)) else {
            throw KeychainError(.parameter)
        }
        let identity = ItemIdentity(
            keychain: storage.storeID, item: item, kind: kind.rawValue, protectionClass: protectionClass.rawValue,
            isSynchronizable: attributes.number(.synchronizable) == 1, isTombstone: isTombstone,
            tamperCheck: .makeRandom())
        var sealedSecret: ItemRow.SealedSecret?
        switch secret {
        case .some(let secret): sealedSecret = try seal(secret, attributes, identity, protectionClass, connection)
        case .none: break
        }
        return try makeRow(attributes, identity, secret: sealedSecret)
    }

    /// Seals the attributes under `identity`, beside a secret that is already sealed under the same.
    func makeRow(
        _ attributes: Attributes, _ identity: ItemIdentity, secret: ItemRow.SealedSecret?
    ) throws -> NewRow {
        guard let kind = ItemKind(rawValue: identity.kind),
            let protectionClass = ProtectionClass(rawValue: identity.protectionClass)
        else { throw KeychainError(.parameter) }
        let tableKey = try keys.tableKey(protectionClass)
        let tags = try tags(attributes, kind, protectionClass, isTrashed: identity.isTrashed)
        do {
            var encoded = try SecretBuffer(capacity: 512)
            try attributes.encode(into: &encoded)
            let most = ItemLimit.attributes + (identity.isTrashed ? ItemLimit.trashed : 0)
            guard encoded.count <= most else { throw KeychainError(.parameter, .tooLarge) }
            let key = try KeyEnvelope.makeKey()
            let purpose = KeyPurpose.metadataKey(
                classKey: tableKey.classKey, keychain: storage.storeID, item: identity.item)
            return NewRow(
                identity: identity, classKey: tableKey.classKey,
                metadataKey: try KeyEnvelope.wrap(key, under: tableKey.bytes, as: purpose).bytes,
                metadata: try KeychainItemEnvelope.sealMetadata(encoded.bytes, under: key, of: identity),
                secret: secret, tags: tags, isKeystone: SecondCopies.isKeystone(attributes))
        } catch let error as KeychainError { throw error } catch { throw KeychainError(.allocation) }
    }

    private func seal(
        _ secret: borrowing SecretBytes, _ attributes: Attributes, _ identity: ItemIdentity,
        _ protectionClass: ProtectionClass, _ connection: UInt64
    ) throws -> ItemRow.SealedSecret {
        guard secret.count <= ItemLimit.secret else { throw KeychainError(.parameter, .tooLarge) }
        do {
            let binding = binding(identity, protectionClass, attributes).encoded
            let rowKey = try keys.rowKey(for: identity.item, binding: binding, connection: connection)
            let sealed = try KeychainItemEnvelope.sealSecret(secret, under: rowKey.key, of: identity)
            return ItemRow.SealedSecret(rowKey: rowKey.wrapped, sealed: sealed)
        } catch let refusal as EnclaveRefusal {
            throw classes.meaning(of: refusal, protectionClass)
        } catch is EnvelopeError {
            throw KeychainError(.allocation)
        }
    }

    /// Everything that a row with these attributes is found by.
    ///
    /// - Parameter isTrashed: whether it lies in the trash. Then its primary key is free, and no search finds it; whose
    ///   it is, and in which keychain it lay, is told all the same.
    func tags(
        _ attributes: Attributes, _ kind: ItemKind, _ protectionClass: ProtectionClass, isTrashed: Bool = false
    ) throws -> RowTags {
        if isTrashed { return try tagsInTrash(attributes, kind, protectionClass) }
        let index = try keys.addIndex()
        let own = index.tags(kind, attributes)
        var tags = RowTags(primary: own[0], alwaysPrimary: nil, attributes: Array(own.dropFirst()))
        if protectionClass.availability == .always {
            let always = try keys.indexKey(.always).tags(kind, attributes)
            tags.alwaysPrimary = always[0]
            tags.attributes += always.dropFirst()
        }
        return tags
    }

    private func tagsInTrash(
        _ attributes: Attributes, _ kind: ItemKind, _ protectionClass: ProtectionClass
    ) throws -> RowTags {
        var tags = RowTags(primary: Identifier.makeRandom().bytes, alwaysPrimary: nil, attributes: [])
        var indexes = [try keys.addIndex()]
        if protectionClass.availability == .always {
            tags.alwaysPrimary = Identifier.makeRandom().bytes
            indexes.append(try keys.indexKey(.always))
        }
        for index in indexes {
            tags.attributes.append(index.groupTag(kind, attributes.string(.accessGroup) ?? ""))
            if let name = attributes[.keychain], let entry = ItemSchema.entries(of: kind)[.keychain] {
                tags.attributes.append(index.attributeTag(kind, entry, name))
            }
        }
        return tags
    }

    // MARK: opening

    /// The attributes of this row alone, still encoded, in locked memory.
    ///
    /// - Throws: −25308 where the lock state shuts the row's class; −26275 where it does not decode, after noting it.
    func readMetadata(_ row: ItemRow) throws -> SecretBytes {
        guard row.kind != nil, let protectionClass = row.protectionClass else { throw quarantine(row) }
        let tableKey = try tableKey(of: row, protectionClass)
        guard row.classKey == tableKey.classKey, let wrapped = WrappedKey(row.metadataKey) else {
            throw quarantine(row)
        }
        let purpose = KeyPurpose.metadataKey(
            classKey: tableKey.classKey, keychain: storage.storeID, item: row.identity.item)
        do {
            let key = try KeyEnvelope.unwrap(wrapped, under: tableKey.bytes, as: purpose)
            let metadata = try KeychainItemEnvelope.openMetadata(row.metadata, under: key, of: row.identity)
            if row.isQuarantined { try mark(row, quarantined: false) }
            return metadata
        } catch EnvelopeError.memory { throw KeychainError(.allocation) } catch is EnvelopeError {
            throw quarantine(row)
        }
    }

    /// Where the key over a row's class is lost, the row is damaged, and the rows of other classes are not.
    private func tableKey(of row: ItemRow, _ protectionClass: ProtectionClass) throws -> CachedKey {
        do { return try keys.tableKey(protectionClass) } catch let error as KeychainError
            where error.reason == .damagedStore || error.reason == .damagedItem
        {
            throw quarantine(row)
        }
    }

    /// The secret of this row alone; nil for an item without data.
    ///
    /// The row key makes its round trip through the enclave, by `ClassAccess.keystore`: in `tresord` `EnclaveClient`.
    func readSecret(
        _ row: ItemRow, attributes metadata: borrowing SecretBytes, for operation: ProtectedOperation, caller: Caller
    ) throws -> SecretBytes? {
        if row.isLost { throw quarantine(row) }
        guard let sealed = row.secret else { return nil }
        do {
            let binding = try binding(row, metadata)
            // It stays in the enclave: there is nothing to give out.
            if binding.isOfPrivateKey { return nil }
            let key = try classes.keystore.openRowKey(
                StoredRowKey(
                    binding: binding.encoded, classKey: row.classKey, wrapped: sealed.rowKey,
                    connection: caller.connection,
                    operation: operation, accessGroups: caller.accessGroups))
            return try KeychainItemEnvelope.openSecret(sealed.sealed, under: key, of: row.identity)
        } catch let refusal as EnclaveRefusal {
            let meaning = classes.meaning(of: refusal, row.protectionClass)
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
            keychain: storage.storeID, item: identity.item, kind: identity.kind,
            protectionClass: protectionClass, accessGroup: attributes.string(.accessGroup) ?? "",
            accessControl: UInt32(truncatingIfNeeded: attributes.number(.accessControl) ?? 0),
            enrolment: attributes.data(.enrolment) ?? [], password: attributes.data(.password) ?? [],
            keychainKey: attributes.data(.keychainKey).flatMap(Identifier.init))
    }

    // MARK: damage

    /// Notes a row that does not decode.
    ///
    /// It is kept, listed by status, and never replaced.
    func quarantine(_ row: ItemRow) -> KeychainError {
        // A disk that cannot be written must not turn this error into another.
        try? mark(row, quarantined: true)
        return KeychainError(.decode, .damagedItem, protectionClass: row.protectionClass)
    }

    private func mark(_ row: ItemRow, quarantined: Bool) throws {
        guard row.isQuarantined != quarantined else { return }
        try storage.perform { database in
            try database.execute("UPDATE item SET quarantined = ? WHERE id = ?", [quarantined, row.id])
        }
    }
}
