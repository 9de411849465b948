package import Secrets

/// What a private key does.
extension PrivateKey {
    /// In bits: of the modulus, or of the curve's field.
    package var bitCount: Int { algorithm.bitCount(publicKey) }

    /// Signs a message, or its hash where the scheme says that it is one.
    ///
    /// - Throws: `unsuitable` for a scheme of other keys, and for a hash of another length.
    package func sign(_ message: [UInt8], _ scheme: SignatureScheme) throws(KeyUseError) -> [UInt8] {
        guard scheme.fits(algorithm) else { throw .unsuitable }
        return try withLoaded { (key) throws(KeyUseError) in
            guard let signature = key.sign(message, scheme) else { throw .unsuitable }
            return signature
        }
    }

    /// The secret that both sides of an ECDH exchange reach (NIST SP 800-56A, 5.7.1.2).
    ///
    /// On these curves, whose cofactor is 1, the standard and the cofactor exchange give the same.
    ///
    /// - Parameter derivation: makes a key of it; nil gives the shared secret as it is, which is no uniform key.
    package func agree(
        with other: PublicKey, _ derivation: AgreementDerivation? = nil
    ) throws(KeyUseError) -> SecretBytes {
        guard algorithm == other.algorithm, algorithm != .rsa, algorithm != .ed25519 else { throw .unsuitable }
        if let derivation, !(1...AgreementDerivation.mostBytes).contains(derivation.byteCount) { throw .unsuitable }
        return try pkcs8.withBytes { (bytes) throws(KeyUseError) in
            guard let material = try? KeyMaterial(pkcs8: bytes) else { throw .unsuitable }
            return try KeyAgreement.agree(material, other.bytes, derivation)
        }
    }

    private func withLoaded<Result>(
        _ body: (LoadedPrivateKey) throws(KeyUseError) -> Result
    ) throws(KeyUseError) -> Result {
        try pkcs8.withBytes { (bytes) throws(KeyUseError) in
            guard let material = try? KeyMaterial(pkcs8: bytes), let key = LoadedPrivateKey(material) else {
                throw .unsuitable
            }
            return try body(key)
        }
    }
}

/// How a shared secret becomes a key: the derivation of X9.63 (SEC 1, 3.6.1).
package struct AgreementDerivation: Sendable {
    /// By which the derivation stretches the secret.
    package let hash: KeyHash
    /// What both sides mix in, so that one secret gives several keys; may be empty.
    package let sharedInfo: [UInt8]
    /// How many bytes of key are made.
    package let byteCount: Int

    /// Far above any key; the standard allows more than memory has.
    package static let mostBytes = 64 * 1024

    /// - Parameter byteCount: 1 to ``mostBytes``; others are refused at their use.
    package init(_ hash: KeyHash, sharedInfo: [UInt8], byteCount: Int) {
        self.hash = hash
        self.sharedInfo = sharedInfo
        self.byteCount = byteCount
    }
}
