import TresorCoreFoundation
import Foundation
import TresorLocalAuthentication
import TresorSecurity
import Testing

// Such keys as items: what is kept, removed, and joined with certificates.
extension AppleAPI.EnclaveKeys {
    @Test func `a key that was made elsewhere cannot be put there`() throws {
        let control = try #require(
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .privateKeyUsage, nil))
        let key = try Keys.make()
        for value in [[kSecValueRef: key], [kSecClass: kSecClassKey, kSecValueData: Data(count: 97)]] {
            let item = (value as [CFString: Any]).merging([kSecAttrAccessControl: control]) { $1 }
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecParam)
        }
        #expect(keychain.find([kSecClass: kSecClassKey]) == errSecItemNotFound)
        #expect(SecItemAdd([kSecValueRef: key] as CFDictionary, nil) == errSecSuccess)
        #expect(keychain.update([kSecClass: kSecClassKey], to: [kSecAttrAccessControl: control]) == errSecParam)
    }

    @Test func `what a key is bound to stays, its names do not`() throws {
        let key = try make()
        let other = try #require(
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil))
        let plain = try #require(
            SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [], nil))
        let changes: [[CFString: Any]] = [
            [kSecAttrAccessControl: other], [kSecAttrAccessControl: plain], [kSecAttrApplicationLabel: Data([1])],
            [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly], [kSecValueData: Data([1])],
            [kSecAttrKeyClass: kSecAttrKeyClassPublic],
        ]
        for change in changes { #expect(keychain.update(Self.query, to: change) == errSecParam) }
        let tag = Data("org.example.renamed".utf8)
        #expect(keychain.update(Self.query, to: [kSecAttrApplicationTag: tag]) == errSecSuccess)
        #expect(keychain.find(Self.query) == errSecItemNotFound)
        #expect(try find(nil, [kSecAttrApplicationTag: tag]) == key)
        #expect(signing(key).0 != nil)
    }

    @Test func `the public half is kept beside it where that is wanted, or neither is`() throws {
        let group: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrAccessGroup: "TEAM.other"]
        var parameters = try parameters(.privateKeyUsage)
        parameters[kSecPublicKeyAttrs] = group
        #expect(SecKeyGeneratePair(parameters as CFDictionary, nil, nil) == errSecMissingEntitlement)
        #expect(keychain.find([kSecClass: kSecClassKey]) == errSecItemNotFound)
        // The access control of both is that of the private half.
        var shared = parameters.merging([kSecAttrIsPermanent: true, kSecAttrLabel: "pair"]) { $1 }
        shared[kSecPublicKeyAttrs] = nil
        shared[kSecPrivateKeyAttrs] = nil
        shared[kSecAttrAccessControl] = try #require(
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .privateKeyUsage, nil))
        var keys: (SecKey?, SecKey?)
        #expect(SecKeyGeneratePair(shared as CFDictionary, &keys.0, &keys.1) == errSecSuccess)
        let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrLabel: "pair", kSecReturnRef: true]
        let found = keychain.copy(query.merging([kSecAttrKeyClass: kSecAttrKeyClassPublic]) { $1 })
        #expect(found as? SecKey == keys.0 && keys.0 != nil)
        #expect(try Keys.exported(keys.0).count == 65)
        #expect((keychain.copy(query.merging([kSecMatchLimit: kSecMatchLimitAll]) { $1 }) as? [SecKey])?.count == 2)
        #expect(try publicHalf(try #require(keys.1)) == keys.0)
    }

    @Test func `a removed key signs no more, and is not added again`() throws {
        let (key, other) = (try make(), try make())
        let add: [CFString: Any] = [kSecValueRef: key]
        #expect(SecItemAdd(add as CFDictionary, nil) == errSecDuplicateItem)
        #expect(SecItemDelete([kSecValueRef: key] as CFDictionary) == errSecSuccess)
        #expect(signing(key).1 == Int(errSecItemNotFound))
        #expect(exchanging(key, try publicHalf(other)).1 == Int(errSecItemNotFound))
        #expect(SecItemAdd(add as CFDictionary, nil) == errSecItemNotFound)
        #expect(signing(other).0 != nil)
    }

    @Test func `a list removes what it names, and nothing else`() throws {
        let keys = [try make(), try make(), try make()]
        func remove(_ list: Any) -> OSStatus {
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecMatchItemList: list]
            return SecItemDelete(query as CFDictionary)
        }
        #expect(remove([keys[0]]) == errSecSuccess)
        #expect(remove([keys[0]]) == errSecItemNotFound)
        #expect(signing(keys[0]).1 == Int(errSecItemNotFound) && signing(keys[1]).0 != nil)
        let named = try #require(
            keychain.copy([kSecClass: kSecClassKey, kSecValueRef: keys[1], kSecReturnPersistentRef: true]) as? Data)
        #expect(remove([named, "key"]) == errSecParam)
        #expect(remove("key") == errSecParam)
        #expect(remove([keys[0], named] as [Any]) == errSecSuccess)
        #expect(signing(keys[1]).1 == Int(errSecItemNotFound) && signing(keys[2]).0 != nil)
        #expect(remove([] as [Any]) == errSecItemNotFound)
        let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecMatchItemList: [keys[2]]]
        #expect(keychain.update(query, to: [kSecAttrLabel: "l"]) == errSecParam)
        #expect(keychain.find(query) == errSecParam)
    }

    /// A certificate for this key: p256-certificate.der with its point put in.
    ///
    /// Its signature does not hold, and nobody here looks at it.
    func certificate(of key: SecKey) throws -> SecCertificate {
        var der = try Vector.data("p256-certificate.der")
        let model = try #require(SecCertificateCreateWithData(nil, der as CFData))
        let point = try Keys.exported(SecCertificateCopyKey(model))
        der.replaceSubrange(try #require(der.range(of: point)), with: try Keys.exported(try publicHalf(key)))
        return try #require(SecCertificateCreateWithData(nil, der as CFData))
    }

    @Test func `a certificate makes an identity of the key`() throws {
        try keychain.device.setPasscode("1234")
        let key = try make([.privateKeyUsage, .userPresence])
        let query: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecReturnRef: true]
        #expect(keychain.find(query) == errSecItemNotFound)
        let certificate = try certificate(of: key)
        #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecSuccess)
        let context = LAContext()
        context.passcodePrompter = passcode("1234")
        let asking = query.merging([kSecUseAuthenticationContext: context]) { $1 }
        let identity = try #require(keychain.copy(asking) as? SecIdentity)
        let byToken = asking.merging([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) { $1 }
        #expect(keychain.copy(byToken) as? SecIdentity == identity)
        var found: (SecCertificate?, SecKey?)
        #expect(SecIdentityCopyCertificate(identity, &found.0) == errSecSuccess && found.0 == certificate)
        #expect(SecIdentityCopyPrivateKey(identity, &found.1) == errSecSuccess && found.1 == key)
        let signature = try #require(found.1.flatMap { signing($0).0 })
        let publicKey = try #require(SecCertificateCopyKey(certificate))
        #expect(Keys.verifying(publicKey, .ecdsaSignatureMessageX962SHA256, Self.message, signature).0)
        // The certificate comes back beside the key that stayed.
        #expect(SecItemAdd([kSecValueRef: identity] as CFDictionary, nil) == errSecDuplicateItem)
        #expect(SecItemDelete([kSecValueRef: certificate] as CFDictionary) == errSecSuccess)
        #expect(SecItemAdd([kSecValueRef: identity] as CFDictionary, nil) == errSecSuccess)
        #expect(SecItemDelete([kSecValueRef: identity] as CFDictionary) == errSecSuccess)
        #expect(signing(key).1 == Int(errSecItemNotFound))
        // What is gone for good brings no certificate back.
        #expect(SecItemAdd([kSecValueRef: identity] as CFDictionary, nil) == errSecItemNotFound)
        #expect(keychain.find([kSecClass: kSecClassCertificate]) == errSecItemNotFound)
    }
}
