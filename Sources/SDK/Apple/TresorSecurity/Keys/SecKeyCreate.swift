public import TresorCoreFoundation
import Certificates
public import Foundation
import Secrets
import Tresor
import Wire

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes a key pair, and keeps it where that is wanted.
///
///     let parameters: [CFString: Any] = [
///         kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
///         kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag],
///     ]
///     let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
///
/// A key of the enclave's is always kept, since only the keychain knows it again; Apple's may also be thrown away. Its
/// protection is `kSecAttrAccessibleWhenUnlockedThisDeviceOnly` where none is given, its ``kSecAttrApplicationLabel``
/// always the hash of its public half.
///
/// - Parameters:
///   - parameters: ``kSecAttrKeyType``; ``kSecAttrKeySizeInBits``, which is 256, 384 or 521 for curves and 2048 to 8192
///     for RSA; attributes of both keys, and in ``kSecPrivateKeyAttrs`` and ``kSecPublicKeyAttrs`` of one alone. A key
///     with ``kSecAttrIsPermanent`` is added to the keychain. With ``kSecAttrTokenID`` as
///     ``kSecAttrTokenIDSecureEnclave``, or an access control with ``SecAccessControlCreateFlags/privateKeyUsage``, the
///     enclave makes the private key, on P-256.
///   - error: gets an `NSError` with a status as its code: `errSecParam`; `errSecUnimplemented` for access controls
///     that can't be enforced; else as ``SecItemAdd(_:_:)``. For a key of the enclave's, `errSecParam` also where the
///     private key's attributes do not say ``kSecAttrIsPermanent``, and for a protection that is not one of
///     `…ThisDeviceOnly`.
/// - Returns: the private key; nil where it was not made, or could not be kept.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    object(orErrorAt: error) { try NewKeyPair(parameters).make().privateKey }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes a key pair, as ``SecKeyCreateRandomKey(_:_:)`` does, and gives both halves.
///
/// - Parameters:
///   - parameters: as there.
///   - publicKey: gets the public key.
///   - privateKey: gets the private key.
/// - Returns: `errSecSuccess`, or what would be the error's code there.
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    status {
        let pair = try NewKeyPair(parameters).make()
        store(pair.publicKey, at: publicKey)
        store(pair.privateKey, at: privateKey)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Reads a key.
///
/// The key is not kept; ``SecItemAdd(_:_:)`` with ``kSecValueRef`` does that.
///
/// - Parameters:
///   - keyData: for curves the point `04 || X || Y`, followed by the number where the key is private (X9.63); for RSA
///     an RSAPublicKey or RSAPrivateKey (RFC 8017, A.1).
///   - attributes: ``kSecAttrKeyType`` and ``kSecAttrKeyClass``; ``kSecAttrKeySizeInBits`` where it shall be checked.
///   - error: gets an `NSError` with a status as its code: `errSecParam`; `errSecDecode` for what is no such key, also
///     where point and number do not belong together; `errSecUnsupportedFormat` for RSA below 2048 bits.
/// - Returns: nil where there is an error.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    object(orErrorAt: error) {
        let parameters = KeyParameters(attributes)
        guard let type = parameters.number(kSecAttrKeyType), let keyClass = parameters.number(kSecAttrKeyClass),
            type == 42 || type == 73, keyClass == 0 || keyClass == 1
        else { throw StatusError(errSecParam) }
        let bytes = Data(referencing: keyData)
        guard bytes.count <= CertificateFile.byteLimit else { throw StatusError(errSecParam) }
        let holding = try SecKey.read(bytes.bytes, isPrivate: keyClass == 1, type: type)
        var chosen = Attributes()
        for code in [AttributeCode.applicationTag, .label] {
            chosen[code] = parameters.value(code.description as CFString).flatMap { AttributeValue($0) }
        }
        let key = try SecKey(holding, chosen: chosen)
        guard key.filed.number(.type) == type else { throw StatusError(errSecParam) }
        if let size = parameters.number(kSecAttrKeySizeInBits), size != key.publicHalf.bitCount {
            throw StatusError(errSecParam)
        }
        return key
    }
}

/// A dictionary whose numbers may be written as text, as Apple's constants are.
struct KeyParameters {
    private let dictionary: NSDictionary

    init(_ dictionary: NSDictionary) { self.dictionary = dictionary }

    func value(_ key: CFString) -> AnyObject? { dictionary[key].map { $0 as AnyObject } }

    /// Nil where there is none, and where it is no number.
    func number(_ key: CFString) -> Int64? {
        value(key).flatMap { AttributeValue($0) }?.converted(to: .number).flatMap {
            if case .number(let number) = $0 { number } else { nil }
        }
    }
}
