package import Secrets

/// Which items, and what of them.
///
/// See specs/wire.md.
package struct KeychainQuery: Equatable, Sendable {
    /// What of each match the caller wants; with nothing, whether there is one.
    package struct Returns: OptionSet, Sendable {
        /// The bits as they go over the wire.
        package let rawValue: UInt8
        /// - Parameter rawValue: bits beyond those of the three members are refused by whoever decodes them.
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Everything that is said of the item, but its secret.
        package static let attributes = Returns(rawValue: 1)
        /// The secret.
        package static let data = Returns(rawValue: 2)
        /// The name by which the item is found for good.
        package static let persistentReference = Returns(rawValue: 4)
    }

    /// How strictly parameters that a call does not take are treated: refused (iOS), or pruned (macOS), our default.
    package enum Profile: UInt8, Sendable { case tolerant = 0, strict = 1 }

    /// The class code (`genp` …); nil only beside a persistent reference.
    package var kind: AttributeCode?
    /// Names one item; beside it stand no attributes.
    package var persistentReference: PersistentReference?
    /// What each match must have, by code; the access group and the keychain among them.
    package var attributes = Attributes()
    /// Whether `sync` is "any".
    package var matchesAnySynchronizable = false
    /// nil is "all"; what is not said is one.
    package var limit: UInt32? = 1
    /// Whether the caller said a limit: only then do the strict rules on Update and Delete look at it.
    package var hasLimit = false
    /// What of each match is wanted; with nothing, whether there is one.
    package var returns: Returns = []
    /// Ours: leave out rows that the lock state shuts, instead of failing.
    package var skipsLocked = false
    /// Documented (`kSecUseAuthenticationUISkip`): leave out items with access control.
    package var skipsAccessControlled = false
    /// Documented: whether tombstones are looked at, and left by Delete; nil follows the item.
    package var usesTombstones: Bool?
    /// How parameters are treated that the call does not take.
    package var profile = Profile.tolerant
    /// Where the page before ended.
    package var cursor: UInt64 = 0

    /// A query for one item, to which kind or reference are still to be given.
    package init() {}
    /// A query for one item of a kind.
    package init(kind: ItemKind) { self.kind = kind.code }
}

/// Names one item for good: its kind and 16 random bytes.
///
/// As bytes: four letters and those 16.
public struct PersistentReference: Hashable, Sendable {
    /// What the item is, which its bytes begin with.
    package let kind: ItemKind
    /// 16 random bytes, the same as long as the item is there.
    package let item: Identifier

    /// - Parameter item: 16 random bytes.
    package init(kind: ItemKind, item: Identifier) {
        self.kind = kind
        self.item = item
    }

    /// 20 bytes.
    public var bytes: [UInt8] { Array(kind.code.description.utf8) + item.bytes }

    /// Nil for anything but the 20 bytes of a reference.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 20, let code = AttributeCode(String(decoding: bytes[..<4], as: UTF8.self)),
            let kind = ItemKind(code: code), let item = Identifier(Array(bytes[4...]))
        else { return nil }
        self.init(kind: kind, item: item)
    }

    init(from reader: inout ByteReader) throws(DecodingError) {
        guard let reference = PersistentReference(bytes: try reader.bytes(20)) else { throw .invalid }
        self = reference
    }
}

extension KeychainQuery {
    /// Writes the fields in their order; a limit of 0 stands for all, a class code of 0 for none.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint32(kind?.rawValue ?? 0)
        try buffer.bool(persistentReference != nil)
        if let persistentReference { try buffer.append(persistentReference.bytes) }
        try attributes.encode(into: &buffer)
        try buffer.bool(matchesAnySynchronizable)
        try buffer.uint32(limit ?? 0)
        try buffer.bool(hasLimit)
        try buffer.uint8(returns.rawValue)
        try buffer.bool(skipsLocked)
        try buffer.bool(skipsAccessControlled)
        try buffer.uint8(usesTombstones.map { $0 ? 2 : 1 } ?? 0)
        try buffer.uint8(profile.rawValue)
        try buffer.uint64(cursor)
    }

    /// - Throws: `DecodingError` for a profile, bits or a choice of tombstones that there is not, and for attributes
    ///   that are not canonical.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        let kind = try reader.uint32()
        self.kind = kind == 0 ? nil : AttributeCode(rawValue: kind)
        persistentReference = try reader.bool() ? try PersistentReference(from: &reader) : nil
        attributes = try Attributes(from: &reader)
        matchesAnySynchronizable = try reader.bool()
        let limit = try reader.uint32()
        self.limit = limit == 0 ? nil : limit
        hasLimit = try reader.bool()
        returns = Returns(rawValue: try reader.uint8())
        guard returns.isSubset(of: [.attributes, .data, .persistentReference]) else { throw .invalid }
        skipsLocked = try reader.bool()
        skipsAccessControlled = try reader.bool()
        switch try reader.uint8() {
        case 0: usesTombstones = nil
        case 1: usesTombstones = false
        case 2: usesTombstones = true
        default: throw .invalid
        }
        guard let profile = Profile(rawValue: try reader.uint8()) else { throw .invalid }
        self.profile = profile
        cursor = try reader.uint64()
    }
}

/// An item to add.
package struct ItemAddition: ~Copyable, Sendable {
    /// The class code (`genp` …); nil where the caller gave none, which is refused with −50.
    package let kind: AttributeCode?
    /// As the caller gave them; what is missing is filled in by the store.
    package let attributes: Attributes
    /// Nil for an item without data.
    package let secret: SecretBytes?
    /// What of the new item is told; its reference always is.
    package let returns: KeychainQuery.Returns

    /// - Parameters:
    ///   - kind: a class code.
    ///   - secret: nil for an item without data.
    package init(
        kind: AttributeCode?, attributes: Attributes, secret: consuming SecretBytes?,
        returns: KeychainQuery.Returns = []
    ) {
        self.kind = kind
        self.attributes = attributes
        self.secret = secret
        self.returns = returns
    }

    /// Writes the class code, the attributes, whether there is a secret, the secret, and what is wanted.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint32(kind?.rawValue ?? 0)
        try attributes.encode(into: &buffer)
        try buffer.optionalField(secret)
        try buffer.uint8(returns.rawValue)
    }

    /// - Throws: `DecodingError` for bits that there are not and for attributes that are not canonical;
    ///   `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let kind = try reader.uint32()
        let attributes = try Attributes(from: &reader)
        let secret = try reader.optionalSecretField(limit: StreamFrame.keychainLimit)
        let returns = KeychainQuery.Returns(rawValue: try reader.uint8())
        guard returns.isSubset(of: [.attributes, .data, .persistentReference]) else { throw DecodingError.invalid }
        self.init(
            kind: kind == 0 ? nil : AttributeCode(rawValue: kind), attributes: attributes, secret: secret,
            returns: returns)
    }
}

/// Items to change, and how.
package struct ItemUpdate: ~Copyable, Sendable {
    /// Which items; all that match are changed, or none.
    package let query: KeychainQuery
    /// The attributes that shall be different; an update takes none away.
    package let changes: Attributes
    /// Nil leaves the secrets as they are.
    package let secret: SecretBytes?

    /// - Parameter secret: nil leaves the secrets as they are.
    package init(query: KeychainQuery, changes: Attributes, secret: consuming SecretBytes?) {
        self.query = query
        self.changes = changes
        self.secret = secret
    }

    /// Writes query, changes, whether there is a secret, and the secret.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try query.encode(into: &buffer)
        try changes.encode(into: &buffer)
        try buffer.optionalField(secret)
    }

    /// - Throws: `DecodingError` for a query or changes that are not canonical; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let query = try KeychainQuery(from: &reader)
        let changes = try Attributes(from: &reader)
        self.init(
            query: query, changes: changes, secret: try reader.optionalSecretField(limit: StreamFrame.keychainLimit))
    }
}
