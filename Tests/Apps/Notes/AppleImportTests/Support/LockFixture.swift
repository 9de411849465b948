import Envelopes
import SQLite
import Secrets

@testable import AppleImport

/// Locks things as Apple does.
struct LockFixture {
    /// A chain that apple_cloud_notes_parser publishes (spec/utilities/apple_decrypter.rb, MIT): passphrase `password`,
    /// text "Encrypted title\n\nEncrypted body".
    enum Published {
        static let salt = hex("1165106b6b288bda1e6ecb18e65c7876")
        static let wrappedKey = hex("98c0e56b43b507e60c5465ec5e1bb0c74b756f7d4f4a9bff")
        static let iv = hex("151f64de7be34d15dacdaea9b33471f9")
        static let tag = hex("806bf2bbd3bf83cf1240b03e7c4d6ab1")
        static let ciphertext = hex(
            "131b03571fc9ec47ef58e58e21fce5c10aa73a62b9e58a743bcdcc3aff1ea8ab9964f4535b8597735f3da5f6ae63b937"
                + "0625a20d633e9cf2986d4d118989124f0ddfee956e47cb5cbc3617c520b075620b37ae4056f3a1af83351fda634dfb44"
                + "6055c75f7143a5600149db333893c0ecb0ef3944e2a64542e9a4375bf152689858fed8b21aded0eab0afb11190")
    }

    static func hex(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var digits = text[...]
        while !digits.isEmpty {
            bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
            digits = digits.dropFirst(2)
        }
        return bytes
    }

    static func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8).span.bytes) }

    /// What a row of format V1 holds besides its ciphertext.
    struct Sealed {
        var wrappedKey: [UInt8]
        var iv: [UInt8]
        var tag: [UInt8]
        var ciphertext: [UInt8]
    }

    let salt: [UInt8]
    let rounds: UInt32
    private let keyCount: Int
    private let passphrase: String

    init(_ passphrase: String, format: LockGroup.Format, salt: [UInt8]? = nil, rounds: UInt32 = 1000) {
        self.passphrase = passphrase
        self.rounds = rounds
        keyCount = format == .v1 ? 16 : 32
        self.salt = salt ?? (0..<UInt8(keyCount)).map { $0 ^ 0x5A }
    }

    /// Seals under a key of its own, wrapped under the passphrase's.
    func seal(_ plaintext: [UInt8], binding: [UInt8] = []) throws -> Sealed {
        let kek = try AppleNoteEnvelope.deriveKey(
            from: Self.secret(passphrase), salt: salt, rounds: rounds, byteCount: keyCount)
        let key = try SecretBytes.makeRandom(count: keyCount)
        let iv = (0..<UInt8(keyCount)).map { $0 &+ 100 }
        let sealed = try AppleNoteEnvelope.seal(plaintext.span.bytes, iv: iv, under: key, binding: binding)
        return Sealed(
            wrappedKey: try NoteLockEnvelope.wrap(key, under: kek), iv: iv, tag: sealed.tag,
            ciphertext: sealed.ciphertext)
    }

    /// The columns of an attachment or a medium whose values are `sealed`, and more.
    func columns(
        _ sealed: Sealed, _ more: [String: (any DatabaseValueConvertible)?]
    ) -> [String: (any DatabaseValueConvertible)?] {
        let own: [String: (any DatabaseValueConvertible)?] = [
            "ZCRYPTOITERATIONCOUNT": Int(rounds), "ZCRYPTOSALT": salt, "ZCRYPTOWRAPPEDKEY": sealed.wrappedKey,
            "ZCRYPTOINITIALIZATIONVECTOR": sealed.iv, "ZCRYPTOTAG": sealed.tag,
            "ZENCRYPTEDVALUESJSON": sealed.ciphertext,
        ]
        return own.merging(more) { $1 }
    }

    /// An archive as macOS 14 and later write it.
    func archive(_ plaintext: [UInt8], identifier: String, hint: String = "") throws -> [UInt8] {
        let metadata = PropertyListWriter.dictionary([
            ("cipherVersion", .integer(2)), ("objectIdentifier", .string(identifier)),
        ]).bytes
        let open = PropertyListWriter.dictionary([
            ("passphraseSalt", .data(salt)), ("passphraseIterationCount", .integer(Int(rounds))),
            ("passphraseHint", .string(hint)),
        ]).bytes
        let sealed = try seal(plaintext, binding: metadata)
        return PropertyListWriter.archive([
            ("unauthenticatedMetadata", .data(open)), ("metadata", .data(metadata)),
            ("wrappedEncryptionKey", .data(sealed.wrappedKey)),
            ("encryptedData", .data(sealed.ciphertext + sealed.iv + sealed.tag)),
        ])
    }

    /// An archive under a key that only devices have.
    static var deviceArchive: [UInt8] {
        let metadata = PropertyListWriter.dictionary([
            ("cipherVersion", .integer(1)), ("accountKeyIdentifier", .string("9F250D2D")),
        ]).bytes
        return PropertyListWriter.archive([
            ("metadata", .data(metadata)), ("wrappedEncryptionKey", .data(Array(repeating: 1, count: 40))),
            ("encryptedData", .data(Array(repeating: 2, count: 80))),
        ])
    }
}

extension StoreFixture {
    /// Adds a locked note of format V1.
    func addLocked(_ key: Int64, _ sealed: LockFixture.Sealed, salt: [UInt8], rounds: UInt32, hint: String? = nil)
        throws
    {
        try addNote(
            key, body: sealed.ciphertext, iv: sealed.iv, tag: sealed.tag,
            [
                "ZISPASSWORDPROTECTED": 1, "ZTITLE1": "Locked", "ZCRYPTOITERATIONCOUNT": Int(rounds),
                "ZCRYPTOSALT": salt, "ZCRYPTOWRAPPEDKEY": sealed.wrappedKey,
                "ZCRYPTOINITIALIZATIONVECTOR": sealed.iv, "ZCRYPTOTAG": sealed.tag, "ZPASSWORDHINT": hint,
            ])
    }
}
