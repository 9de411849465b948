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
/// - Parameters:
///   - parameters: ``kSecAttrKeyType``; ``kSecAttrKeySizeInBits``, which is 256, 384 or 521 for curves and 2048 to 8192
///     for RSA; attributes of both keys, and in ``kSecPrivateKeyAttrs`` and ``kSecPublicKeyAttrs`` of one alone. A key
///     with ``kSecAttrIsPermanent`` is added to the keychain.
///   - error: gets an `NSError` with a status as its code: `errSecParam`; `errSecUnimplemented` for
///     ``kSecAttrTokenIDSecureEnclave`` and for access controls that can't be enforced; else as ``SecItemAdd(_:_:)``.
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

/// The parameters of a key pair that shall be made.
private struct NewKeyPair {
    private let profile = SharedTransport.process.profile
    private let parameters: KeyParameters
    private let shared: NSMutableDictionary
    private let own: (privateKey: NSDictionary, publicKey: NSDictionary)

    init(_ parameters: NSDictionary) throws {
        self.parameters = KeyParameters(parameters)
        shared = NSMutableDictionary(dictionary: parameters as? [AnyHashable: Any] ?? [:])
        own = (
            privateKey: try Self.dictionary(parameters[kSecPrivateKeyAttrs]),
            publicKey: try Self.dictionary(parameters[kSecPublicKeyAttrs])
        )
        // What is about making, and not about either key.
        shared.removeObjects(forKeys: [
            kSecPrivateKeyAttrs, kSecPublicKeyAttrs, kSecAttrKeyType, kSecAttrKeySizeInBits, kSecAttrTokenID,
        ])
        let token = parameters[kSecAttrTokenID] ?? own.privateKey[kSecAttrTokenID]
        if let token {
            throw StatusError(
                (token as? String) == String(kSecAttrTokenIDSecureEnclave) ? errSecUnimplemented : errSecParam)
        }
    }

    private static func dictionary(_ value: Any?) throws -> NSDictionary {
        guard let value else { return NSDictionary() }
        guard let dictionary = value as? NSDictionary else { throw StatusError(errSecParam) }
        return dictionary
    }

    /// Both keys are kept that shall be, or neither is.
    func make() throws -> (privateKey: SecKey, publicKey: SecKey) {
        let fresh = try makeKey()
        let plain = (
            privateKey: try SecKey(.privateKey(fresh)), publicKey: try SecKey(.publicKey(PublicKey(fresh)))
        )
        let privateKey = try attributed(plain.privateKey, own.privateKey)
        let publicKey = try attributed(plain.publicKey, own.publicKey)
        let calls = ItemCalls(link: SharedTransport.process)
        if privateKey.isPermanent { _ = try calls.add(privateKey.item) }
        do {
            if publicKey.isPermanent { _ = try calls.add(publicKey.item) }
        } catch {
            if privateKey.isPermanent {
                let query: [CFString: Any] = [kSecValueRef: privateKey.key]
                try? calls.remove(ItemDictionary(query as NSDictionary, for: .remove, profile))
            }
            throw error
        }
        return (privateKey: privateKey.key, publicKey: publicKey.key)
    }

    private func makeKey() throws -> PrivateKey {
        guard let size = parameters.number(kSecAttrKeySizeInBits) else { throw StatusError(errSecParam) }
        switch (parameters.number(kSecAttrKeyType), size) {
        case (73, 256): return try .makeRandom(.p256)
        case (73, 384): return try .makeRandom(.p384)
        case (73, 521): return try .makeRandom(.p521)
        case (42, 2048...8192) where size % 8 == 0: return try .makeRandomRSA(bitCount: Int(size))
        default: throw StatusError(errSecParam)
        }
    }

    /// The item that the key is or would be; its dictionary is checked even where it is not kept.
    private func attributed(
        _ key: SecKey, _ own: NSDictionary
    ) throws -> (key: SecKey, item: ItemDictionary, isPermanent: Bool) {
        let dictionary = NSMutableDictionary(dictionary: shared as? [AnyHashable: Any] ?? [:])
        for (name, value) in own { dictionary.setObject(value, forKey: name as AnyObject as? NSString ?? "") }
        let isPermanent = (dictionary[kSecAttrIsPermanent] as? NSNumber)?.boolValue ?? false
        dictionary[kSecValueRef] = key
        let item = try ItemDictionary(dictionary, for: .add, profile)
        return (try SecKey(key.holding, chosen: item.attributes), item, isPermanent)
    }
}
