/// What a private key that stays in the enclave does.
package enum PrivateKeyWork: UInt8, Sendable {
    /// ECDSA over a hash.
    case sign = 1
    /// ECDH with another's public key.
    case agree = 2
}
