import TresorCoreFoundation
import Certificates
import Foundation
import Protection
import Tresor
import Wire

/// The parameters of a key pair that shall be made.
struct NewKeyPair {
    private let profile = SharedTransport.process.profile
    private let parameters: KeyParameters
    private let shared: NSMutableDictionary
    private let own: (privateKey: NSDictionary, publicKey: NSDictionary)
    /// Whether the enclave shall make the private key.
    private let isOfEnclave: Bool

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
        guard token == nil || (token as? String) == String(kSecAttrTokenIDSecureEnclave) else {
            throw StatusError(errSecParam)
        }
        let control = own.privateKey[kSecAttrAccessControl] ?? parameters[kSecAttrAccessControl]
        isOfEnclave = token != nil || (control as? SecAccessControl)?.flags.contains(.privateKeyUsage) == true
    }

    private static func dictionary(_ value: Any?) throws -> NSDictionary {
        guard let value else { return NSDictionary() }
        guard let dictionary = value as? NSDictionary else { throw StatusError(errSecParam) }
        return dictionary
    }

    /// Both keys are kept that shall be, or neither is.
    func make() throws -> (privateKey: SecKey, publicKey: SecKey) {
        if isOfEnclave { return try makeInEnclave() }
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

    private func merged(_ own: NSDictionary) -> NSMutableDictionary {
        let dictionary = NSMutableDictionary(dictionary: shared as? [AnyHashable: Any] ?? [:])
        for (name, value) in own { dictionary.setObject(value, forKey: name as AnyObject as? NSString ?? "") }
        return dictionary
    }

    private static func isPermanent(_ dictionary: NSDictionary) -> Bool {
        (dictionary[kSecAttrIsPermanent] as? NSNumber)?.boolValue ?? false
    }

    /// The item that the key is or would be; its dictionary is checked even where it is not kept.
    private func attributed(
        _ key: SecKey, _ own: NSDictionary
    ) throws -> (key: SecKey, item: ItemDictionary, isPermanent: Bool) {
        let dictionary = merged(own)
        dictionary[kSecValueRef] = key
        let item = try ItemDictionary(dictionary, for: .add, profile)
        return (try SecKey(key.holding, chosen: item.attributes), item, Self.isPermanent(dictionary))
    }

    // MARK: In the enclave

    private func makeInEnclave() throws -> (privateKey: SecKey, publicKey: SecKey) {
        guard parameters.number(kSecAttrKeyType) == 73, parameters.number(kSecAttrKeySizeInBits) == 256 else {
            throw StatusError(errSecParam)
        }
        let calls = ItemCalls(link: SharedTransport.process)
        let added = try calls.add(enclaveItem())
        do {
            guard case .key(let privateKey)? = try ItemObject(added) else { throw StatusError(errSecDecode) }
            // What is demanded for the use of the private half is nothing that its public half could demand.
            if own.publicKey[kSecAttrAccessControl] == nil { shared.removeObject(forKey: kSecAttrAccessControl) }
            let publicKey = try attributed(SecKey(.publicKey(privateKey.publicHalf)), own.publicKey)
            if publicKey.isPermanent { _ = try calls.add(publicKey.item) }
            return (privateKey: privateKey, publicKey: publicKey.key)
        } catch {
            try? calls.remove(added.reference)
            throw error
        }
    }

    /// What the enclave's key is kept as: an item without data, which the keychain fills in.
    private func enclaveItem() throws -> ItemDictionary {
        let dictionary = merged(own.privateKey)
        guard Self.isPermanent(dictionary) else { throw StatusError(errSecParam) }
        dictionary[kSecAttrAccessControl] = try Self.control(dictionary)
        dictionary[kSecAttrTokenID] = kSecAttrTokenIDSecureEnclave
        dictionary[kSecClass] = kSecClassKey
        dictionary[kSecReturnRef] = true
        let item = try ItemDictionary(dictionary, for: .add, profile)
        let facts: [AttributeCode: Int64] = [.keyClass: 1, .type: 73, .keySize: 256, .effectiveKeySize: 256]
        for (code, fact) in facts {
            guard let said = item.attributes[code] else { continue }
            guard said.converted(to: .number) == .number(fact) else { throw StatusError(errSecParam) }
        }
        return item
    }

    /// What was given, with the flag that it may lack; a protection that was given alone is taken out.
    private static func control(_ dictionary: NSMutableDictionary) throws -> SecAccessControl {
        if let given = dictionary[kSecAttrAccessControl] {
            guard let control = given as? SecAccessControl else { throw StatusError(errSecParam) }
            return SecAccessControl(control.protectionClass, control.flags.union(.privateKeyUsage))
        }
        guard let named = dictionary[kSecAttrAccessible] else {
            return SecAccessControl(.whenUnlockedThisDeviceOnly, .privateKeyUsage)
        }
        guard let protectionClass = (named as? String).flatMap(ProtectionClass.init(code:)) else {
            throw StatusError(errSecParam)
        }
        dictionary.removeObject(forKey: kSecAttrAccessible)
        return SecAccessControl(protectionClass, .privateKeyUsage)
    }
}
