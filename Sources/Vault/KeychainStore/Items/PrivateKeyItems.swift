import EnclaveWire
import Envelopes
import KeyEnvelopes
import Protection
import Secrets
import Wire

/// P-256 keys that the enclave makes, uses, and never gives out.
struct PrivateKeyItems {
    /// As Apple's keychain calls its Secure Enclave (`kSecAttrTokenIDSecureEnclave`).
    private static let token = "com.apple.setoken"

    private let table: ItemTable
    private let storage: ItemDatabase
    private let classes: ClassAccess
    private let seal: RowSeal

    init(table: ItemTable) {
        self.table = table
        storage = table.storage
        classes = table.classes
        seal = table.seal
    }

    static func isOfPrivateKey(_ attributes: Attributes) -> Bool {
        let bits = UInt32(truncatingIfNeeded: attributes.number(.accessControl) ?? 0)
        return AccessControl(rawValue: bits).contains(.privateKeyUsage)
    }

    /// Makes the key that an item stands for.
    ///
    /// What the item says of the key follows from the key: its public half, its label (SHA-1 of that half, as Apple's
    /// keychain has it), type and size.
    func add(_ given: Attributes, _ kind: ItemKind, hasSecret: Bool, _ caller: Caller) throws
        -> PersistentReference
    {
        guard kind == .key, !hasSecret, let code = given.string(.protectionClass),
            let protectionClass = ProtectionClass(code: code), protectionClass.isBoundToDevice
        else { throw KeychainError(.parameter) }
        _ = try table.keys.addIndex()
        var attributes = given
        attributes[.token] = .string(Self.token)
        let identity = ItemIdentity(
            keychain: storage.storeID, item: .makeRandom(), kind: kind.rawValue,
            protectionClass: protectionClass.rawValue, isSynchronizable: false, isTombstone: false,
            tamperCheck: .makeRandom())
        let key: NewPrivateKey
        do throws(EnclaveRefusal) {
            key = try classes.keystore.makePrivateKey(
                binding: seal.binding(identity, protectionClass, attributes).encoded, connection: caller.connection)
        } catch { throw classes.meaning(of: error, protectionClass) }
        attributes[.publicKey] = .data(key.publicKey)
        attributes[.applicationLabel] = .data(ResidentKey.label(of: key.publicKey))
        attributes[.keyClass] = .number(1)
        attributes[.type] = .number(73)
        attributes[.keySize] = .number(256)
        attributes[.effectiveKeySize] = .number(256)
        let row = try seal.makeRow(
            attributes, identity, secret: ItemRow.SealedSecret(rowKey: key.wrapped, sealed: []))
        try storage.transaction { try row.insert(in: $0) }
        return PersistentReference(kind: kind, item: identity.item)
    }

    /// What such a key is bound to stays as it was; the rest of its attributes may change.
    static func refuseChange(_ old: Attributes, _ new: Attributes, keepsRules: Bool) throws {
        let facts: [AttributeCode] = [.token, .applicationLabel, .keyClass, .type, .keySize, .effectiveKeySize]
        guard keepsRules, facts.allSatisfy({ old[$0] == new[$0] }) else { throw KeychainError(.parameter) }
    }

    /// Signs with a key of the enclave's, or agrees on a secret.
    ///
    /// - Returns: ECDSA's two numbers in DER, or the X coordinate of the shared point.
    /// - Throws: `KeychainError`: −25300 where no such key can be reached, −25293 where it demands the owner's
    ///   presence, −25308 while it is locked, −50 for an item that is no such key and for a hash or point that is none.
    func use(_ use: KeyUse, caller: Caller) throws -> SecretBytes {
        var query = KeychainQuery()
        query.persistentReference = use.reference
        let plan = try QueryPlan(query, for: .find, caller: caller)
        guard let row = try table.candidates(plan, after: 0, count: 1, withSecret: true).first,
            let metadata = try table.openMatch(row, plan)
        else { throw KeychainError(.itemNotFound) }
        let binding: RowKeyBinding
        do { binding = try seal.binding(row, metadata) } catch { throw seal.quarantine(row) }
        guard binding.isOfPrivateKey, let sealed = row.secret else { throw KeychainError(.parameter) }
        let stored = StoredRowKey(
            binding: binding.encoded, classKey: row.classKey, wrapped: sealed.rowKey,
            connection: caller.connection, operation: .use, accessGroups: caller.accessGroups)
        do throws(EnclaveRefusal) {
            return try classes.keystore.usePrivateKey(PrivateKeyUse(stored: stored, work: use.work, input: use.input))
        } catch {
            guard error != .badRequest else { throw KeychainError(.parameter) }
            let meaning = classes.meaning(of: error, row.protectionClass)
            throw meaning.status == .decode ? seal.quarantine(row) : meaning
        }
    }
}
