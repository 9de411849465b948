import Envelopes
import Protection
import Secrets
import Wire

/// The calls that change items: each opens and seals all that it needs, and then writes in one transaction.
struct ItemWriter {
    let table: ItemTable
    let rules: ItemRules
    let storage: ItemDatabase
    let classes: ClassAccess
    let keys: StoreKeys
    let seal: RowSeal
    let copies: SecondCopies
    private let privateKeys: PrivateKeyItems
    /// Microseconds since 1970.
    let clock: () -> Int64

    init(table: ItemTable, rules: ItemRules, privateKeys: PrivateKeyItems, clock: @escaping () -> Int64) {
        self.table = table
        self.rules = rules
        self.privateKeys = privateKeys
        self.clock = clock
        storage = table.storage
        classes = table.classes
        keys = table.keys
        seal = table.seal
        copies = table.copies
    }

    /// Adds an item.
    ///
    /// - Returns: its persistent reference.
    /// - Throws: `KeychainError`: −25299 when its primary key is taken, −25308 while its class is locked, −25293 for
    ///   `akpu` without a passcode, −34018 for a foreign access group, −50 and its kin for bad parameters.
    func add(_ item: borrowing ItemAddition, caller: Caller) throws -> PersistentReference {
        guard let code = item.kind, item.attributes[.clip] == nil else { throw KeychainError(.parameter) }
        guard let kind = ItemKind(code: code) else { throw KeychainError(.noSuchClass) }
        var attributes = try QueryPlan.convert(item.attributes, kind)
        let isAnywhere = attributes[.keychain] == nil
        try rules.directory.place(&attributes, for: caller)
        try rules.complete(&attributes, kind, caller)
        let now = clock()
        attributes[.creationDate] = .date(now)
        attributes[.modificationDate] = .date(now)
        if PrivateKeyItems.isOfPrivateKey(attributes) {
            return try privateKeys.add(attributes, kind, hasSecret: Self.isPresent(item.secret), caller)
        }

        if isAnywhere { try rules.refuseElsewhere(attributes, kind) }
        let index = try keys.addIndex()
        let existing = try table.row(primaryTag: index.primaryTag(kind, attributes))
        if let existing { try table.refuseUnlessTombstone(existing) }
        let identity = existing?.identity.item ?? seal.newItem(attributes, kind, hasSecret: Self.isPresent(item.secret))
        let row = try seal.makeRow(
            attributes, kind, item: identity, secret: item.secret, isTombstone: false, connection: caller.connection)
        try storage.transaction { database in
            if let existing { try row.replace(existing.id, in: database) } else { try row.insert(in: database) }
        }
        if row.isKeystone {
            // Its second copy is written behind the commit.
            try keys.commitBatch()
            copies.copyItem(identity)
        }
        if existing != nil { storage.noteReplacement() }
        return PersistentReference(kind: kind, item: identity)
    }

    /// What is left of a deleted synchronizable item: its primary key and its dates, no data.
    func tombstone(of old: Attributes, _ kind: ItemKind, item: Identifier) throws -> NewRow {
        var attributes = Attributes()
        for entry in ItemSchema.primaryKey(of: kind) { attributes[entry.code] = old[entry.code] }
        attributes[.creationDate] = old[.creationDate]
        attributes[.modificationDate] = .date(max(clock(), (old.date(.modificationDate) ?? 0) + 1))
        attributes[.protectionClass] = old[.protectionClass]
        attributes[.keychain] = old[.keychain]
        return try seal.makeRow(attributes, kind, item: item, secret: nil, isTombstone: true)
    }

    /// Not `== nil`, which the optimiser of Swift 6.3.1 does not survive in a longer function.
    static func isPresent(_ secret: borrowing SecretBytes?) -> Bool { !isAbsent(secret) }

    static func isAbsent(_ secret: borrowing SecretBytes?) -> Bool {
        switch secret {
        case .some: false
        case .none: true
        }
    }
}
