// Pointers as in CryptoBridge.swift, and for the same reason: docs/decisions/0003.
import Crypto
import KeyEnvelopes
import Secrets

/// HMAC (RFC 2104) of a counter, as RFC 4226 wants it.
enum CounterHash {
    /// - Parameter counter: goes in as 8 bytes, big-endian.
    /// - Returns: 20, 32 or 64 bytes, from which the code follows: a secret as well.
    static func authenticate(
        _ counter: UInt64, under key: borrowing SecretBytes, by algorithm: OneTimeCodeParameters.Algorithm
    ) throws(EnvelopeError) -> SecretBytes {
        switch algorithm {
        case .sha1: try authenticate(counter, key, Insecure.SHA1.self)
        case .sha256: try authenticate(counter, key, SHA256.self)
        case .sha512: try authenticate(counter, key, SHA512.self)
        }
    }

    private static func authenticate<Hash: HashFunction>(
        _ counter: UInt64, _ key: borrowing SecretBytes, _: Hash.Type
    ) throws(EnvelopeError) -> SecretBytes {
        var message = ByteWriter(capacity: 8)
        message.uint64(counter)
        let bytes = message.bytes
        let code = key.withBytes { span in
            unsafe span.withUnsafeBytes { raw in
                HMAC<Hash>.authenticationCode(for: bytes, using: unsafe SymmetricKey(data: raw))
            }
        }
        return try SecretBytes(copyingContents: code)
    }
}
