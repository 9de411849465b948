import EnclaveWire
import Envelopes
import FoundationEssentials
import GRDB
import KeyEnvelopes
import Protection
import Secrets
package import Wire

extension KeychainStore {
    /// What one item may hold; a page with it must fit a frame.
    enum ItemLimit {
        static let secret = Frame.nativeLimit - 128 * 1024
        static let attributes = 64 * 1024
    }

    /// Adds an item.
    ///
    /// - Returns: its persistent reference.
    /// - Throws: `KeychainError`: −25299 when its primary key is taken, −25308 while its class is locked, −25293 for
    ///   `akpu` without a passcode, −34018 for a foreign access group, −50 and its kin for bad parameters.
    package func add(_ item: borrowing ItemAddition, caller: Caller) throws -> PersistentReference {
        guard let code = item.kind, item.attributes[.clip] == nil else { throw KeychainError(.parameter) }
        guard let kind = ItemKind(code: code) else { throw KeychainError(.noSuchClass) }
        var attributes = try QueryPlan.convert(item.attributes, kind)
        let isAnywhere = attributes[.keychain] == nil
        try place(&attributes, for: caller)
        try complete(&attributes, kind, caller)
        let now = clock()
        attributes[.creationDate] = .date(now)
        attributes[.modificationDate] = .date(now)
        if Self.isOfPrivateKey(attributes) {
            return try addPrivateKey(attributes, kind, hasSecret: Self.isPresent(item.secret), caller)
        }

        if isAnywhere { try refuseElsewhere(attributes, kind) }
        let index = try addIndex()
        let existing = try row(primaryTag: index.primaryTag(kind, attributes))
        if let existing { try refuseUnlessTombstone(existing) }
        let identity = existing?.identity.item ?? newItem(attributes, kind, hasSecret: Self.isPresent(item.secret))
        let row = try seal(
            attributes, kind, item: identity, secret: item.secret, isTombstone: false, connection: caller.connection)
        try transaction { database in
            if let existing { try row.replace(existing.id, in: database) } else { try row.insert(in: database) }
        }
        if row.isKeystone {
            // Its second copy is written behind the commit.
            try commitGroup()
            copyItem(identity)
        }
        if existing != nil { needsScrub = true }
        return PersistentReference(kind: kind, item: identity)
    }

    /// Fills in group, class and the rest that every item has, and checks that they may stand together.
    func complete(_ attributes: inout Attributes, _ kind: ItemKind, _ caller: Caller) throws {
        guard let defaultGroup = caller.accessGroups.first else { throw KeychainError(.missingEntitlement) }
        let group = attributes.string(.accessGroup) ?? defaultGroup
        guard caller.accessGroups.contains(group) else { throw KeychainError(.missingEntitlement) }
        guard group.utf8.count <= RowKeyBinding.longestGroup else { throw KeychainError(.parameter, .tooLarge) }
        attributes[.accessGroup] = .string(group)
        for code in [AttributeCode.synchronizable, .accessControl] {
            guard attributes[code] == nil || attributes.number(code) != nil else { throw KeychainError(.parameter) }
        }
        attributes[.synchronizable] = .number(attributes.number(.synchronizable) == 1 ? 1 : 0)
        let defaultClass: ProtectionClass = kind == .certificate ? .always : .whenUnlocked
        let code = attributes.string(.protectionClass) ?? defaultClass.code
        guard let protectionClass = ProtectionClass(code: code) else { throw KeychainError(.parameter) }
        attributes[.protectionClass] = .string(code)
        try checkCombination(attributes, protectionClass)
        // Of this item nothing is known, and the answer must not say that there is one.
        try refuseLocked(protectionClass, isForNew: true)
        try bindToEnrolment(&attributes)
        bindToPassword(&attributes)
    }

    /// scrypt's cost for items' own passwords, as the power of two of N.
    #if DEBUG
        /// Without optimisation scrypt takes five times as long.
        private static let passwordLogRounds = DeviceKeys.logRoundsRange.lowerBound
    #else
        private static let passwordLogRounds = DeviceKeys.leastNewLogRounds
    #endif

    /// An item with a password of its own keeps the salt that it was made with.
    private func bindToPassword(_ attributes: inout Attributes) {
        let control = AccessControl(rawValue: UInt32(truncatingIfNeeded: attributes.number(.accessControl) ?? 0))
        guard control.contains(.applicationPassword) else { return attributes[.password] = nil }
        guard attributes[.password] == nil else { return }
        let salt = Identifier.makeRandom().bytes + Identifier.makeRandom().bytes
        attributes[.password] = .data(salt + [Self.passwordLogRounds])
    }

    /// An item for the present fingers keeps which they were when it was first said so.
    private func bindToEnrolment(_ attributes: inout Attributes) throws {
        let control = AccessControl(rawValue: UInt32(truncatingIfNeeded: attributes.number(.accessControl) ?? 0))
        guard control.isBoundToEnrolment else { return attributes[.enrolment] = nil }
        if attributes[.enrolment] == nil { attributes[.enrolment] = .data(try enrolment()) }
    }

    private func checkCombination(_ attributes: Attributes, _ protectionClass: ProtectionClass) throws {
        let raw = attributes.number(.accessControl) ?? 0
        guard let bits = UInt32(exactly: raw), AccessControl(rawValue: bits).isValid else {
            throw KeychainError(.parameter)
        }
        // What leaves the device can't demand its owner's presence here, nor be bound to it.
        if attributes.number(.synchronizable) == 1 {
            guard bits == 0, attributes[.keychain] == nil,
                protectionClass.rawValue < ProtectionClass.whenUnlockedThisDeviceOnly.rawValue
            else {
                throw KeychainError(.parameter)
            }
        }
        guard AccessControl(rawValue: bits).presence == [] || keystore.hasPasscode else {
            throw KeychainError(.authenticationFailed, .noPasscodeSet, protectionClass: protectionClass)
        }
    }

    /// Writing needs the index of every row, and so a first unlock.
    func addIndex() throws -> IndexKey {
        guard keystore.lockState != .beforeFirstUnlock else { throw lockedError(nil) }
        return try indexKey(.afterFirstUnlock)
    }

    func row(primaryTag: [UInt8]) throws -> ItemRow? {
        try storage { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(ItemRow.secretColumns) FROM item WHERE primary_tag = ?")
            return try Row.fetchOne(statement, arguments: [Data(primaryTag)]).map { ItemRow($0, keychain: keychain) }
        }
    }

    func rows(primaryTags: [[UInt8]]) throws -> [ItemRow] {
        let marks = primaryTags.map { _ in "?" }.joined(separator: ",")
        return try storage { database in
            try Row.fetchAll(
                database, sql: "SELECT \(ItemRow.secretColumns) FROM item WHERE primary_tag IN (\(marks))",
                arguments: StatementArguments(primaryTags.map { Data($0) })
            ).map { ItemRow($0, keychain: keychain) }
        }
    }

    /// A taken key is a duplicate, whether or not its row can be read; a damaged row is never replaced.
    func refuseUnlessTombstone(_ row: ItemRow) throws {
        if row.identity.isTombstone {
            // Opening it proves the mark: a tampered row must not be replaced.
            _ = try openMetadata(row)
            return
        }
        if let protectionClass = row.protectionClass, keystore.lockState.permits(protectionClass) {
            _ = try openMetadata(row)
        }
        throw KeychainError(.duplicateItem, protectionClass: row.protectionClass, lockState: keystore.lockState)
    }

    /// Seals a whole item anew: fresh metadata key, fresh row key, fresh tamper check.
    func seal(
        _ attributes: Attributes, _ kind: ItemKind, item: Identifier, secret: borrowing SecretBytes?,
        isTombstone: Bool, connection: UInt64 = 0
    ) throws -> NewRow {
        guard let protectionClass = attributes.string(.protectionClass).flatMap(ProtectionClass.init(code:)) else {
            throw KeychainError(.parameter)
        }
        let identity = ItemIdentity(
            keychain: keychain, item: item, kind: kind.rawValue, protectionClass: protectionClass.rawValue,
            isSynchronizable: attributes.number(.synchronizable) == 1, isTombstone: isTombstone,
            tamperCheck: .makeRandom())
        var sealedSecret: ItemRow.SealedSecret?
        switch secret {
        case .some(let secret): sealedSecret = try seal(secret, attributes, identity, protectionClass, connection)
        case .none: break
        }
        return try seal(attributes, identity, secret: sealedSecret)
    }

    /// Seals the attributes under `identity`, beside a secret that is already sealed under the same.
    func seal(
        _ attributes: Attributes, _ identity: ItemIdentity, secret: ItemRow.SealedSecret?
    ) throws -> NewRow {
        guard let kind = ItemKind(rawValue: identity.kind),
            let protectionClass = ProtectionClass(rawValue: identity.protectionClass)
        else { throw KeychainError(.parameter) }
        let table = try tableKey(protectionClass)
        let tags = try tags(attributes, kind, protectionClass)
        do {
            var encoded = try SecretBuffer(capacity: 512)
            try attributes.encode(into: &encoded)
            guard encoded.count <= ItemLimit.attributes else { throw KeychainError(.parameter, .tooLarge) }
            let key = try KeyEnvelope.makeKey()
            let purpose = KeyPurpose.metadataKey(
                classKey: table.classKey, keychain: keychain, item: identity.item)
            return NewRow(
                identity: identity, classKey: table.classKey,
                metadataKey: try KeyEnvelope.wrap(key, under: table.bytes, as: purpose).bytes,
                metadata: try KeychainItemEnvelope.sealMetadata(encoded.bytes, under: key, of: identity),
                secret: secret, tags: tags, isKeystone: Self.isKeystone(attributes))
        } catch let error as KeychainError { throw error } catch { throw KeychainError(.allocation) }
    }

    private func seal(
        _ secret: borrowing SecretBytes, _ attributes: Attributes, _ identity: ItemIdentity,
        _ protectionClass: ProtectionClass, _ connection: UInt64
    ) throws -> ItemRow.SealedSecret {
        guard secret.count <= ItemLimit.secret else { throw KeychainError(.parameter, .tooLarge) }
        do {
            let binding = Self.encode(binding(identity, protectionClass, attributes))
            let rowKey =
                try keysAhead.take(identity.item, binding)
                ?? keystore.makeRowKey(binding: binding, connection: connection)
            let sealed = try KeychainItemEnvelope.sealSecret(secret, under: rowKey.key, of: identity)
            return ItemRow.SealedSecret(rowKey: rowKey.wrapped, sealed: sealed)
        } catch let refusal as EnclaveRefusal { throw error(refusal, protectionClass) } catch is EnvelopeError {
            throw KeychainError(.allocation)
        }
    }

    /// A name for a new item.
    private func newItem(_ attributes: Attributes, _ kind: ItemKind, hasSecret: Bool) -> Identifier {
        guard isInGroup, hasSecret,
            let protectionClass = attributes.string(.protectionClass).flatMap(ProtectionClass.init(code:))
        else { return .makeRandom() }
        let model = ItemIdentity(
            keychain: keychain, item: .makeRandom(), kind: kind.rawValue, protectionClass: protectionClass.rawValue,
            isSynchronizable: false, isTombstone: false, tamperCheck: .makeRandom())
        return keysAhead.nextItem(like: binding(model, protectionClass, attributes), keystore) ?? model.item
    }

    func tags(_ attributes: Attributes, _ kind: ItemKind, _ protectionClass: ProtectionClass) throws -> RowTags {
        let index = try addIndex()
        let own = index.tags(kind, attributes)
        var tags = RowTags(primary: own[0], alwaysPrimary: nil, attributes: Array(own.dropFirst()))
        if protectionClass.availability == .always {
            let always = try indexKey(.always).tags(kind, attributes)
            tags.alwaysPrimary = always[0]
            tags.attributes += always.dropFirst()
        }
        return tags
    }
}
