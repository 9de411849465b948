/// How a signature is made: which algorithm, over which hash, and whether the caller has hashed already.
package struct SignatureScheme: Sendable, Equatable {
    /// The algorithm, and with RSA what is put around the hash.
    package enum Padding: Sendable, Equatable {
        /// ECDSA (FIPS 186-5, 6) in the form of X9.62: two integers in DER (RFC 3279, 2.2.3).
        case ecdsa
        /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2).
        case pkcs1
        /// RSASSA-PSS (RFC 8017, 8.1) with MGF1 over the same hash and a salt as long as the hash.
        case pss
    }

    /// The algorithm, and with RSA what is put around the hash.
    package let padding: Padding
    /// Over what is signed.
    package let hash: KeyHash
    /// Whether what is signed is a hash, and not the message itself.
    package let isOverDigest: Bool

    /// - Parameter isOverDigest: whether the caller has hashed already.
    package init(_ padding: Padding, _ hash: KeyHash, isOverDigest: Bool) {
        self.padding = padding
        self.hash = hash
        self.isOverDigest = isOverDigest
    }
}

/// The hash functions that keys are used with.
package enum KeyHash: Sendable, Equatable {
    /// With ECDSA alone: devices and protocols from before 2010 know no other.
    case sha1
    case sha256, sha384, sha512

    /// Of a hash, in bytes.
    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }
}

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
        case (.ecdsa, .p256), (.ecdsa, .p384), (.ecdsa, .p521): true
        case (.pkcs1, .rsa), (.pss, .rsa): hash != .sha1
        default: false
        }
    }

    /// The hash that is signed, for a key that is held elsewhere.
    ///
    /// - Parameter message: the message, or its hash where the scheme says that it is one.
    /// - Throws: `unsuitable` for a hash of another length.
    package func digest(of message: [UInt8]) throws(KeyUseError) -> [UInt8] {
        guard isOverDigest else { return hash.digest(of: message) }
        guard message.count == hash.byteCount else { throw .unsuitable }
        return message
    }
}
