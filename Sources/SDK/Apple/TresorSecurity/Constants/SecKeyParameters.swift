public import TresorCoreFoundation
public import Foundation

// What a new key's parameters hold besides attributes, and what a PKCS#12 file's items do.

/// Attributes of the private key alone: a dictionary.
@safe nonisolated(unsafe) public let kSecPrivateKeyAttrs: CFString = "private" as CFString

/// Attributes of the public key alone: a dictionary.
@safe nonisolated(unsafe) public let kSecPublicKeyAttrs: CFString = "public" as CFString

/// A key that the enclave makes, uses, and never gives out: on P-256, and kept in the keychain.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken" as CFString

// PKCS#12

/// The passphrase of the file: a string.
@safe nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = "passphrase" as CFString

/// What the file calls an identity: a string.
@safe nonisolated(unsafe) public let kSecImportItemLabel: CFString = "label" as CFString

/// By what the file links key and certificate, or else the hash of the public key: data.
@safe nonisolated(unsafe) public let kSecImportItemKeyID: CFString = "keyid" as CFString

/// A ``SecTrust`` for the certificate with the file's others, under the basic policy.
@safe nonisolated(unsafe) public let kSecImportItemTrust: CFString = "trust" as CFString

/// The certificate and those of the file that issued it, upward: an array of ``SecCertificate``.
@safe nonisolated(unsafe) public let kSecImportItemCertChain: CFString = "chain" as CFString

/// The ``SecIdentity``.
@safe nonisolated(unsafe) public let kSecImportItemIdentity: CFString = "identity" as CFString
