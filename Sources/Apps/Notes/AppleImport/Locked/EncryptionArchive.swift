import Codecs

/// An archived ICCryptoEncryptionObject, in which Apple seals from macOS 14 on.
///
/// Source: the samples of three versions of macOS, and 6over3/NotesKit, docs/encryption-research.md (facts only).
enum EncryptionArchive {
    /// Under a passphrase.
    case passphrase(SealedObject)
    /// Under a key that only the owner's devices have ("V2").
    case device

    private static let ivCount = 32
    private static let tagCount = 16

    /// Whether `bytes` is such an archive, and not what V1 writes.
    static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: BinaryPropertyList.magic) }

    init(_ bytes: [UInt8]) throws(ArchiveError) {
        guard let root = try KeyedArchive(bytes).root, let metadata = root["metadata"]?.bytes,
            let wrappedKey = root["wrappedEncryptionKey"]?.bytes, let sealed = root["encryptedData"]?.bytes,
            sealed.count > Self.ivCount + Self.tagCount
        else { throw ArchiveError() }
        let values = try ArchivedObjects(metadata)
        // In Apple's numbering, 1 is "V2" and 2 is "V1 Neo".
        guard values["accountKeyIdentifier"] == nil, values["cipherVersion"] != .integer(1) else {
            self = .device
            return
        }
        let open = try root["unauthenticatedMetadata"]?.bytes.map { (bytes) throws(ArchiveError) in
            try ArchivedObjects(bytes)
        }
        let content = sealed.dropLast(Self.ivCount + Self.tagCount)
        self = .passphrase(
            SealedObject(
                parameters: open?.lockParameters, wrappedKey: wrappedKey, ciphertext: Array(content),
                iv: Array(sealed[content.endIndex..<content.endIndex + Self.ivCount]),
                tag: Array(sealed.suffix(Self.tagCount)), binding: metadata, hint: open?.passphraseHint))
    }
}

extension ArchivedObjects {
    fileprivate var lockParameters: LockParameters? {
        guard case .data(let salt)? = self["passphraseSalt"],
            case .integer(let rounds)? = self["passphraseIterationCount"]
        else { return nil }
        return LockParameters(format: .v1Neo, salt: salt, rounds: rounds)
    }

    fileprivate var passphraseHint: String? {
        guard case .string(let hint)? = self["passphraseHint"], !hint.isEmpty else { return nil }
        return hint
    }
}
