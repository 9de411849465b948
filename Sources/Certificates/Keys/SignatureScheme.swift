/// How a signature is made: which algorithm, over which hash, and whether the caller has hashed already.
package struct SignatureScheme: Sendable, Equatable {
    package enum Padding: Sendable, Equatable {
        /// ECDSA (FIPS 186-5, 6) in the form of X9.62: two integers in DER (RFC 3279, 2.2.3).
        case ecdsa
        /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2).
        case pkcs1
        /// RSASSA-PSS (RFC 8017, 8.1) with MGF1 over the same hash and a salt as long as the hash.
        case pss
    }

    package let padding: Padding
    package let hash: KeyHash
    /// Whether what is signed is a hash, and not the message itself.
    package let isOverDigest: Bool

    package init(_ padding: Padding, _ hash: KeyHash, isOverDigest: Bool) {
        self.padding = padding
        self.hash = hash
        self.isOverDigest = isOverDigest
    }
}

/// The hash functions that keys are used with.
package enum KeyHash: Sendable, Equatable { case sha256, sha384, sha512 }

/// Why a key was not used.
package enum KeyUseError: Error, Sendable, Equatable {
    /// This key does not do that: another algorithm, another curve, a hash of another length.
    case unsuitable
    /// No locked memory is left.
    case outOfMemory
}

extension SignatureScheme {
    /// Whether keys of this algorithm sign like this.
    package func fits(_ algorithm: PrivateKey.Algorithm) -> Bool {
        switch (padding, algorithm) {
        case (.ecdsa, .p256), (.ecdsa, .p384), (.ecdsa, .p521), (.pkcs1, .rsa), (.pss, .rsa): true
        default: false
        }
    }
}
