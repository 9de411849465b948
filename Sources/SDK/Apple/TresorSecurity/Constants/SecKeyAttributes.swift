public import TresorCoreFoundation
public import Foundation

// Attributes of certificates and keys.

// Certificates

/// The subject's name, DER.
@safe nonisolated(unsafe) public let kSecAttrSubject: CFString = "subj" as CFString

/// The issuer's name, DER.
@safe nonisolated(unsafe) public let kSecAttrIssuer: CFString = "issr" as CFString

/// The serial number.
@safe nonisolated(unsafe) public let kSecAttrSerialNumber: CFString = "slnr" as CFString

/// The subject key identifier.
@safe nonisolated(unsafe) public let kSecAttrSubjectKeyID: CFString = "skid" as CFString

/// A hash of the public key.
@safe nonisolated(unsafe) public let kSecAttrPublicKeyHash: CFString = "pkhh" as CFString

/// The certificate's type: a number.
@safe nonisolated(unsafe) public let kSecAttrCertificateType: CFString = "ctyp" as CFString

/// The certificate's encoding: a number.
@safe nonisolated(unsafe) public let kSecAttrCertificateEncoding: CFString = "cenc" as CFString

// Keys

/// Whether a key is public, private or symmetric.
@safe nonisolated(unsafe) public let kSecAttrKeyClass: CFString = "kcls" as CFString

/// A public key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0" as CFString

/// A private key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1" as CFString

/// A symmetric key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = "2" as CFString

/// A key's label for programs; for key pairs a hash of the public key.
@safe nonisolated(unsafe) public let kSecAttrApplicationLabel: CFString = "klbl" as CFString

/// A key's name within its program.
@safe nonisolated(unsafe) public let kSecAttrApplicationTag: CFString = "atag" as CFString

/// The algorithm: one of the `kSecAttrKeyType…` values.
@safe nonisolated(unsafe) public let kSecAttrKeyType: CFString = "type" as CFString

/// RSA.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42" as CFString

/// Elliptic curves over prime fields.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73" as CFString

/// The older name of ``kSecAttrKeyTypeECSECPrimeRandom``.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = "73" as CFString

/// A key's size in bits.
@safe nonisolated(unsafe) public let kSecAttrKeySizeInBits: CFString = "bsiz" as CFString

/// The bits of a key that count.
@safe nonisolated(unsafe) public let kSecAttrEffectiveKeySize: CFString = "esiz" as CFString

/// Whether a key is kept in the keychain.
@safe nonisolated(unsafe) public let kSecAttrIsPermanent: CFString = "perm" as CFString

/// Whether a key leaves the keychain only encrypted.
@safe nonisolated(unsafe) public let kSecAttrIsSensitive: CFString = "sens" as CFString

/// Whether a key leaves the keychain at all.
@safe nonisolated(unsafe) public let kSecAttrIsExtractable: CFString = "extr" as CFString

/// Whether a key encrypts.
@safe nonisolated(unsafe) public let kSecAttrCanEncrypt: CFString = "encr" as CFString

/// Whether a key decrypts.
@safe nonisolated(unsafe) public let kSecAttrCanDecrypt: CFString = "decr" as CFString

/// Whether keys are derived from it.
@safe nonisolated(unsafe) public let kSecAttrCanDerive: CFString = "drve" as CFString

/// Whether a key signs.
@safe nonisolated(unsafe) public let kSecAttrCanSign: CFString = "sign" as CFString

/// Whether a key verifies signatures.
@safe nonisolated(unsafe) public let kSecAttrCanVerify: CFString = "vrfy" as CFString

/// Whether a key wraps others.
@safe nonisolated(unsafe) public let kSecAttrCanWrap: CFString = "wrap" as CFString

/// Whether a key unwraps others.
@safe nonisolated(unsafe) public let kSecAttrCanUnwrap: CFString = "unwp" as CFString
