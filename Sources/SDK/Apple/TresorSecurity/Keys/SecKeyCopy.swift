public import TresorCoreFoundation
import Certificates
public import Foundation
import Secrets
import Wire

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key as bytes, in the form that ``SecKeyCreateWithData(_:_:_:)`` reads.
///
/// What holds a private key then is ordinary memory, and the caller's.
///
/// - Parameters:
///   - key: a private or a public key.
///   - error: gets an `NSError` with a status as its code: `errSecUnimplemented` for a private key of the enclave's,
///     which nobody gets; `errSecAllocate` where no locked memory is left.
/// - Returns: nil where there is an error.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    object(orErrorAt: error) { try key.externalForm().withBytes { Data(copying: $0) as NSData } }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The public half of a key, which for a public key is itself.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    guard key.isPrivate else { return key }
    return try? SecKey(.publicKey(key.publicHalf))
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What is known of a key: type, class, sizes, hash, what it does, and the attributes that it has in the keychain.
///
/// Type and class are given in the text of their constants, as on Apple's platforms.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    let dictionary = NSMutableDictionary()
    for (code, value) in key.filed.sorted where !SecKey.hidden.contains(code) {
        dictionary[code.description as NSString] = value.object
    }
    let isRSA = key.publicHalf.algorithm == .rsa
    dictionary[kSecAttrKeyType] = isRSA ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom
    dictionary[kSecAttrKeyClass] = key.isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic
    dictionary[kSecAttrCanSign] = NSNumber(value: key.isPrivate)
    dictionary[kSecAttrCanVerify] = NSNumber(value: !key.isPrivate)
    dictionary[kSecAttrCanDerive] = NSNumber(value: key.isPrivate && !isRSA)
    dictionary[kSecAttrIsPermanent] = NSNumber(value: key.filed.number(.permanent) == 1)
    return dictionary
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How many bytes a key works on at once: those of the modulus, or of a coordinate.
///
///     let longest = SecKeyGetBlockSize(rsaKey)  // of a signature
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { (key.publicHalf.bitCount + 7) / 8 }

extension SecKey {
    /// The keychain's own business.
    fileprivate static let hidden: Set<AttributeCode> = [
        .multiUser, .accessControl, .publicKey, .enrolment, .keychainKey,
    ]
}

extension AttributeCode {
    /// Whether a key is kept (`perm`).
    static let permanent = AttributeCode(rawValue: 0x7065_726d)
}
