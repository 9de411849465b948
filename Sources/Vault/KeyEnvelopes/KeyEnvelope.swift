package import Protection
package import Secrets

/// A 256-bit key under another key: 12 bytes of nonce, 32 of ciphertext, 16 of tag.
///
/// See specs/key-wrap.md.
package struct WrappedKey: Equatable, Sendable {
    /// Nonce, 32 bytes of key, and tag.
    package static let byteCount = 60
    /// The 60 bytes, as they are stored.
    package let bytes: [UInt8]

    /// Nil unless there are exactly 60 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}

/// What the enclave reads, and trusts, when it is asked for the key of an item's secret.
package struct RowKeyBinding: Equatable, Sendable {
    /// The store that the item lies in, by its identifier.
    package var keychain: Identifier
    /// Names the item.
    package var item: Identifier
    /// An `ItemKind`.
    package var kind: UInt8
    /// Under whose key the row key lies.
    package var protectionClass: ProtectionClass
    /// Which programs may have the key; at most ``longestGroup`` bytes of UTF-8.
    package var accessGroup: String
    /// The bits of an `AccessControl`: what the owner has to prove before the key is given out.
    package var accessControl: UInt32
    /// The enrolment state that the access control binds the item to, 32 bytes; empty where it binds to none.
    package var enrolment: [UInt8]
    /// How the key follows from the item's own password: scrypt's salt and cost, 33 bytes; empty where it has none.
    package var password: [UInt8]
    /// The key of the item's keychain, where that has a passcode of its own.
    package var keychainKey: Identifier?

    /// - Parameters:
    ///   - enrolment: 32 bytes, or none.
    ///   - password: 33 bytes, or none.
    ///   - keychainKey: of a keychain with a passcode of its own; nil for others.
    package init(
        keychain: Identifier, item: Identifier, kind: UInt8, protectionClass: ProtectionClass, accessGroup: String,
        accessControl: UInt32, enrolment: [UInt8] = [], password: [UInt8] = [],
        keychainKey: Identifier? = nil
    ) {
        self.password = password
        self.keychainKey = keychainKey
        self.enrolment = enrolment
        self.keychain = keychain
        self.item = item
        self.kind = kind
        self.protectionClass = protectionClass
        self.accessGroup = accessGroup
        self.accessControl = accessControl
    }

    /// The longest access group, in bytes of UTF-8.
    package static let longestGroup = 256
    /// Of the digest that says which fingers are enrolled.
    package static let enrolmentByteCount = 32
    /// scrypt's salt and one byte of cost.
    package static let passwordByteCount = DeviceKeys.saltByteCount + 1

    /// Writes the bytes to which the wrap of a row key is bound; what is empty is left out, as before there was such a
    /// thing.
    package func encode(into writer: inout ByteWriter) {
        writer.identifier(keychain)
        writer.identifier(item)
        writer.uint8(kind)
        writer.uint8(protectionClass.rawValue)
        writer.uint32(accessControl)
        writer.field(accessGroup)
        if isBoundToEnrolment { writer.raw(enrolment) }
        if hasPassword { writer.raw(password) }
        if let keychainKey { writer.identifier(keychainKey) }
    }

    /// As the enclave gets it, and as a row key's wrap is bound to it.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.bytes
    }

    private var isBoundToEnrolment: Bool { AccessControl(rawValue: accessControl).isBoundToEnrolment }

    /// Whether the item's own password is needed for its key.
    package var hasPassword: Bool { AccessControl(rawValue: accessControl).contains(.applicationPassword) }

    /// Whether the item stands for a key that never leaves the enclave.
    package var isOfPrivateKey: Bool { AccessControl(rawValue: accessControl).contains(.privateKeyUsage) }

    /// Reads to the end: what stands behind the other fields is the keychain's key.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        keychain = try reader.identifier()
        item = try reader.identifier()
        kind = try reader.uint8()
        guard let known = ProtectionClass(rawValue: try reader.uint8()) else { throw .invalid }
        protectionClass = known
        accessControl = try reader.uint32()
        accessGroup = try reader.stringField(limit: Self.longestGroup)
        enrolment = []
        password = []
        keychainKey = nil
        if isBoundToEnrolment { enrolment = try reader.bytes(Self.enrolmentByteCount) }
        if AccessControl(rawValue: accessControl).contains(.applicationPassword) {
            password = try reader.bytes(Self.passwordByteCount)
        }
        keychainKey = reader.remaining > 0 ? try reader.identifier() : nil
        try reader.end()
    }
}

/// What a class key is wrapped under.
package enum ClassKeyWrap: UInt8, Sendable {
    /// What follows from the root key alone.
    case device = 1
    /// What follows from the passcode and the root key.
    case passcode = 2
}

/// What a wrapped key is and where it belongs: the authenticated data of its envelope.
///
/// The purpose strings are unique over all specs, so that a key never opens as one of another kind. The identifier
/// `keychain` is the store's, in which all keychains of the owner lie.
package enum KeyPurpose: Sendable {
    /// A class key in the keybag.
    ///
    /// `publicKey` is empty but for class B; `version` is 2 for what the passcode wraps in a keybag that has a seal.
    case classKey(
        keybag: Identifier, id: Identifier, keyClass: KeyClass, wrap: ClassKeyWrap, publicKey: [UInt8],
        version: UInt8 = 1)
    /// The key of one item's secret.
    case rowKey(classKey: Identifier, binding: RowKeyBinding)
    /// A P-256 private key that stays in the enclave, as the 32 bytes of its scalar.
    case privateKey(classKey: Identifier, binding: RowKeyBinding)
    /// The key of a keychain with a passcode of its own.
    case keychainKey(id: Identifier, keychain: Identifier)
    /// What only an enrolled security key opens; see specs/security-key.md.
    case presenceKey(id: Identifier)
    /// The key over the metadata keys of one store and class.
    case tableKey(classKey: Identifier, keychain: Identifier, protectionClass: ProtectionClass)
    /// The key of a store's blind index.
    case indexKey(classKey: Identifier, keychain: Identifier)
    /// The key of one item's attributes, under the table key.
    case metadataKey(classKey: Identifier, keychain: Identifier, item: Identifier)

    var authenticatedData: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .classKey(let keybag, let id, let keyClass, let wrap, let publicKey, let version):
            writer.field(version == 1 ? "tresor keybag class key v1" : "tresor keybag class key v2")
            writer.identifier(keybag)
            writer.identifier(id)
            writer.uint8(keyClass.rawValue)
            writer.uint8(wrap.rawValue)
            writer.field(publicKey)
        case .rowKey(let classKey, let binding):
            writer.field("tresor keychain row key v1")
            writer.identifier(classKey)
            binding.encode(into: &writer)
        case .privateKey(let classKey, let binding):
            writer.field("tresor keychain private key v1")
            writer.identifier(classKey)
            binding.encode(into: &writer)
        case .keychainKey(let id, let keychain):
            writer.field("tresor keychain own key v1")
            writer.identifier(id)
            writer.identifier(keychain)
        case .presenceKey(let id):
            writer.field("tresor presence key v1")
            writer.identifier(id)
        case .tableKey(let classKey, let keychain, let protectionClass):
            writer.field("tresor keychain table key v1")
            writer.identifier(classKey)
            writer.identifier(keychain)
            writer.uint8(protectionClass.rawValue)
        case .indexKey(let classKey, let keychain):
            writer.field("tresor keychain index key v1")
            writer.identifier(classKey)
            writer.identifier(keychain)
        case .metadataKey(let classKey, let keychain, let item):
            writer.field("tresor keychain metadata key v1")
            writer.identifier(classKey)
            writer.identifier(keychain)
            writer.identifier(item)
        }
        return writer.bytes
    }
}

/// Keys under keys.
package enum KeyEnvelope {
    /// How many bytes every key has.
    package static let keyByteCount = 32

    /// - Parameter key: 32 bytes.
    package static func wrap(
        _ key: borrowing SecretBytes, under wrapping: borrowing SecretBytes, as purpose: KeyPurpose
    ) throws(EnvelopeError) -> WrappedKey {
        guard key.count == keyByteCount else { throw .malformed }
        let sealed = try key.withBytes { (bytes) throws(EnvelopeError) in
            try AEAD.seal(bytes, under: wrapping, binding: purpose.authenticatedData)
        }
        guard let wrapped = WrappedKey(sealed) else { throw .malformed }
        return wrapped
    }

    /// - Throws: `EnvelopeError.notAuthentic` when the key, the bytes or the purpose is another than at ``wrap``.
    package static func unwrap(
        _ wrapped: WrappedKey, under wrapping: borrowing SecretBytes, as purpose: KeyPurpose
    ) throws(EnvelopeError) -> SecretBytes {
        try AEAD.open(wrapped.bytes, under: wrapping, binding: purpose.authenticatedData)
    }

    /// A random key of 32 bytes, in locked memory.
    package static func makeKey() throws(EnvelopeError) -> SecretBytes {
        do { return try SecretBytes.makeRandom(count: keyByteCount) } catch { throw .memory }
    }
}
