import Localization
package import Secrets

/// A private key under a passphrase: an EncryptedPrivateKeyInfo (RFC 5958, 3) that nobody has opened yet.
package struct EncryptedPrivateKey: Sendable {
    private let seal: PassphraseSeal
    private let sealed: [UInt8]

    /// - Parameter encoded: an EncryptedPrivateKeyInfo in DER.
    /// - Throws: ``CertificateReadError``: `damaged`, `legacyKey` and `unsupported` for other encryptions than PBES2
    ///   with AES.
    package init(_ encoded: RawSpan) throws(CertificateReadError) {
        var outer = DERReader(encoded, "encrypted private key")
        var info = try outer.sequence("EncryptedPrivateKeyInfo")
        try outer.end()
        seal = try PassphraseSeal(&info, "encryption")
        sealed = try info.content(.octetString, "key").copyToArray()
        try info.end()
    }

    /// - Throws: `wrongPassphrase`, which may also mean damage: nothing in this format tells the two apart.
    package func open(with passphrase: borrowing SecretBytes) throws(CertificateReadError) -> PrivateKey {
        var budget = WorkBudget()
        let opened = try sealed.withSpan { (sealed) throws(CertificateReadError) in
            try seal.open(sealed, with: passphrase, &budget)
        }
        do {
            return try opened.withBytes { (bytes) throws(CertificateReadError) in try PrivateKey(pkcs8: bytes) }
        } catch {
            // One wrong passphrase in 256 leaves bytes that look padded.
            guard error.code == .damaged else { throw error }
            throw CertificateReadError(.wrongPassphrase, localized("the passphrase is wrong, or the file is damaged"))
        }
    }

    /// The same for a key inside of a file whose MAC has shown that the passphrase is right.
    func open(
        with passphrase: borrowing SecretBytes, _ budget: inout WorkBudget
    ) throws(CertificateReadError) -> PrivateKey {
        let opened = try sealed.withSpan { (sealed) throws(CertificateReadError) in
            try seal.open(sealed, with: passphrase, &budget)
        }
        return try opened.withBytes { (bytes) throws(CertificateReadError) in try PrivateKey(pkcs8: bytes) }
    }
}
