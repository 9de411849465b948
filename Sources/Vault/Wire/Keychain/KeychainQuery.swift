package import Secrets

/// Which items, and what of them.
///
/// See specs/wire.md.
package struct KeychainQuery: Equatable, Sendable {
    package struct Returns: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let attributes = Returns(rawValue: 1)
        package static let data = Returns(rawValue: 2)
        package static let persistentReference = Returns(rawValue: 4)
    }

    /// How strictly parameters that a call does not take are treated: refused (iOS), or pruned (macOS), our default.
    package enum Profile: UInt8, Sendable { case tolerant = 0, strict = 1 }

    /// The class code (`genp` …); nil only beside a persistent reference.
    package var kind: AttributeCode?
    package var persistentReference: PersistentReference?
    package var attributes = Attributes()
    /// Whether `sync` is "any".
    package var matchesAnySynchronizable = false
    /// nil is "all"; what is not said is one.
    package var limit: UInt32? = 1
    /// Whether the caller said a limit: only then do the strict rules on Update and Delete look at it.
    package var hasLimit = false
    package var returns: Returns = []
    /// Ours: leave out rows that the lock state shuts, instead of failing.
    package var skipsLocked = false
    /// Documented (`kSecUseAuthenticationUISkip`): leave out items with access control.
    package var skipsAccessControlled = false
    /// Documented: whether tombstones are looked at, and left by Delete; nil follows the item.
    package var usesTombstones: Bool?
    package var profile = Profile.tolerant
    /// Where the page before ended.
    package var cursor: UInt64 = 0

    package init() {}
    package init(kind: ItemKind) { self.kind = kind.code }
}

/// Names one item for good: its kind and 16 random bytes.
///
/// As bytes: four letters and those 16.
public struct PersistentReference: Hashable, Sendable {
    package let kind: ItemKind
    package let item: Identifier

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
    package let kind: AttributeCode?
    package let attributes: Attributes
    /// Nil for an item without data.
    package let secret: SecretBytes?
    package let returns: KeychainQuery.Returns

    package init(
        kind: AttributeCode?, attributes: Attributes, secret: consuming SecretBytes?,
        returns: KeychainQuery.Returns = []
    ) {
        self.kind = kind
        self.attributes = attributes
        self.secret = secret
        self.returns = returns
    }

    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint32(kind?.rawValue ?? 0)
        try attributes.encode(into: &buffer)
        try buffer.optionalField(secret)
        try buffer.uint8(returns.rawValue)
    }

    package init(from reader: inout ByteReader) throws {
        let kind = try reader.uint32()
        let attributes = try Attributes(from: &reader)
        let secret = try reader.optionalSecretField(limit: Frame.keychainLimit)
        let returns = KeychainQuery.Returns(rawValue: try reader.uint8())
        guard returns.isSubset(of: [.attributes, .data, .persistentReference]) else { throw DecodingError.invalid }
        self.init(
            kind: kind == 0 ? nil : AttributeCode(rawValue: kind), attributes: attributes, secret: secret,
            returns: returns)
    }
}

/// Items to change, and how.
package struct ItemUpdate: ~Copyable, Sendable {
    package let query: KeychainQuery
    package let changes: Attributes
    /// Nil leaves the secrets as they are.
    package let secret: SecretBytes?

    package init(query: KeychainQuery, changes: Attributes, secret: consuming SecretBytes?) {
        self.query = query
        self.changes = changes
        self.secret = secret
    }

    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try query.encode(into: &buffer)
        try changes.encode(into: &buffer)
        try buffer.optionalField(secret)
    }

    package init(from reader: inout ByteReader) throws {
        let query = try KeychainQuery(from: &reader)
        let changes = try Attributes(from: &reader)
        self.init(query: query, changes: changes, secret: try reader.optionalSecretField(limit: Frame.keychainLimit))
    }
}

extension SecretBuffer {
    mutating func optionalField(_ secret: borrowing SecretBytes?) throws(SecretMemoryError) {
        switch secret {
        case .some(let secret):
            try uint8(1)
            try field(secret)
        case .none: try uint8(0)
        }
    }
}

extension ByteReader {
    mutating func optionalSecretField(limit: Int) throws -> SecretBytes? {
        try bool() ? try secretField(limit: limit) : nil
    }
}
