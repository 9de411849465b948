import Localization
import Secrets

/// How bytes are sealed under a passphrase: PBES2 (RFC 8018, 6.2) with PBKDF2 and AES in CBC mode, and nothing else.
struct PassphraseSeal: Sendable {
    let key: PassphraseKey
    let keyByteCount: Int
    let iv: [UInt8]

    /// Reads an AlgorithmIdentifier.
    init(_ reader: inout DERReader, _ field: String) throws(CertificateReadError) {
        var algorithm = try reader.sequence(field)
        let name = try algorithm.objectIdentifier("name")
        guard name == .pbes2 else { throw Self.refusal(of: name, algorithm) }
        var parameters = try algorithm.sequence("PBES2")
        try algorithm.end()
        key = try PassphraseKey(&parameters, "derivation")
        var cipher = try parameters.sequence("cipher")
        try parameters.end()
        keyByteCount = try Self.keyByteCount(&cipher)
        iv = try cipher.content(.octetString, "IV").copyToArray()
        guard iv.count == CBC.blockCount else {
            throw cipher.failure(.damaged, "IV", localized("has \(iv.count) bytes, not \(CBC.blockCount)"))
        }
        try cipher.end()
        guard key.byteCount == nil || key.byteCount == keyByteCount else {
            throw parameters.failure(
                .damaged, "derivation", localized("is for a key of another length than the cipher's"))
        }
    }

    /// - Throws: `wrongPassphrase` where the padding tells; a wrong passphrase may also give bytes that mean nothing.
    func open(
        _ sealed: RawSpan, with passphrase: borrowing SecretBytes, _ budget: inout WorkBudget
    ) throws(CertificateReadError) -> SecretBytes {
        guard sealed.byteCount > 0, sealed.byteCount % CBC.blockCount == 0 else {
            throw CertificateReadError(.damaged, localized("\(sealed.byteCount) sealed bytes are no whole blocks"))
        }
        let key = try key.derive(from: passphrase, byteCount: keyByteCount, &budget)
        guard let opened = try CBC.open(sealed, under: key, iv: iv) else {
            throw CertificateReadError(.wrongPassphrase, localized("the passphrase is wrong, or the file is damaged"))
        }
        return opened
    }

    private static func keyByteCount(_ cipher: inout DERReader) throws(CertificateReadError) -> Int {
        let name = try cipher.objectIdentifier("name")
        switch name {
        case .aes128CBC: return 16
        case .aes192CBC: return 24
        case .aes256CBC: return 32
        default:
            let known = ObjectIdentifier.refusedSchemes[name] ?? name.description
            throw cipher.failure(.unsupported, "name", localized("is \(known), not AES in CBC mode"))
        }
    }

    private static func refusal(of name: ObjectIdentifier, _ reader: borrowing DERReader) -> CertificateReadError {
        guard let legacy = ObjectIdentifier.legacySchemes[name] else {
            return reader.failure(.unsupported, "name", localized("is \(name), not PBES2"))
        }
        return reader.failure(
            .legacyKey, "name", localized("is \(legacy), which is too weak to be read here; PBES2 is"))
    }
}
