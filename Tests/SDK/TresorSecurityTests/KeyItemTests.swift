import TresorCoreFoundation
import Foundation
import TresorLocalAuthentication
import TresorSecurity
import Testing
import TresorTesting

extension AppleAPI {
    /// Keys, certificates and identities as items.
    @Suite struct ObjectItems {
        let keychain: Fixture

        init() throws { keychain = try Fixture() }

        private func item(_ object: AnyObject, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
            more.merging([kSecValueRef: object]) { $1 }
        }

        private func add(_ object: AnyObject, _ more: [CFString: Any] = [:]) -> OSStatus {
            SecItemAdd(item(object, more) as CFDictionary, nil)
        }

        private func identity(_ name: String = "p384.p12") throws -> SecIdentity {
            var items: CFArray?
            let options = [kSecImportExportPassphrase: "correct horse"] as CFDictionary
            try #require(SecPKCS12Import(try Vector.data(name) as CFData, options, &items) == errSecSuccess)
            let first = try #require((items as? [[CFString: Any]])?.first)
            return try #require(first[kSecImportItemIdentity] as? SecIdentity)
        }

        private func certificate(_ identity: SecIdentity) throws -> SecCertificate {
            var certificate: SecCertificate?
            try #require(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
            return try #require(certificate)
        }

        private func key(_ identity: SecIdentity) throws -> SecKey {
            var key: SecKey?
            try #require(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
            return try #require(key)
        }

        @Test func `a permanent key is found by its tag, and signs`() throws {
            let tag = Data("org.example.key".utf8)
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecPrivateKeyAttrs: [
                    kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
                    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                ] as [CFString: Any],
            ]
            let made = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
            let query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
            ]
            let found = try #require(keychain.copy(query.merging([kSecReturnRef: true]) { $1 }) as? SecKey)
            #expect(found == made)
            let signature = try #require(Keys.signing(found, .ecdsaSignatureMessageX962SHA256, tag).0)
            let publicKey = try #require(SecKeyCopyPublicKey(made))
            #expect(Keys.verifying(publicKey, .ecdsaSignatureMessageX962SHA256, tag, signature).0)
            let all = try #require(
                keychain.copy(query.merging([kSecReturnRef: true, kSecReturnAttributes: true]) { $1 })
                    as? [CFString: Any])
            #expect(all[kSecValueRef] as? SecKey == made)
            #expect(all[kSecAttrKeyClass] as? Int == 1 && all[kSecAttrKeySizeInBits] as? Int == 256)
            #expect(all[kSecAttrAccessible] as? String == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String)
            #expect(all[kSecValueData] == nil)
            #expect(SecKeyCopyAttributes(found)?[kSecAttrApplicationTag] as? Data == tag)
            #expect(SecItemDelete([kSecValueRef: found] as CFDictionary) == errSecSuccess)
            #expect(keychain.find(query) == errSecItemNotFound)
        }

        @Test func `a pair is kept whole or not at all`() throws {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrIsPermanent: true,
                kSecAttrLabel: "pair",
            ]
            var keys: (SecKey?, SecKey?)
            #expect(SecKeyGeneratePair(parameters as CFDictionary, &keys.0, &keys.1) == errSecSuccess)
            #expect(SecKeyCopyPublicKey(try #require(keys.1)) == keys.0)
            let query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrLabel: "pair", kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
            ]
            #expect((keychain.copy(query) as? [SecKey])?.count == 2)
            let foreign = parameters.merging([
                kSecAttrLabel: "half", kSecPublicKeyAttrs: [kSecAttrAccessGroup: "TEAM.other"],
            ]) { $1 }
            #expect(SecKeyGeneratePair(foreign as CFDictionary, nil, nil) == errSecMissingEntitlement)
            #expect(keychain.find([kSecClass: kSecClassKey, kSecAttrLabel: "half"]) == errSecItemNotFound)
        }

        @Test func `a certificate is added by itself and found by its attributes`() throws {
            let certificate = try certificate(try identity())
            #expect(add(certificate) == errSecSuccess)
            #expect(add(certificate) == errSecDuplicateItem)
            let issuer = try #require(SecCertificateCopyNormalizedIssuerSequence(certificate))
            let serial = try #require(SecCertificateCopySerialNumberData(certificate, nil))
            let found = keychain.copy([
                kSecClass: kSecClassCertificate, kSecAttrIssuer: issuer, kSecAttrSerialNumber: serial,
                kSecReturnRef: true,
            ])
            #expect(found as? SecCertificate == certificate)
            let summary = try #require(SecCertificateCopySubjectSummary(certificate))
            let attributes = try #require(
                keychain.copy([
                    kSecClass: kSecClassCertificate, kSecAttrLabel: summary, kSecReturnAttributes: true,
                    kSecReturnData: true,
                ]) as? [CFString: Any])
            #expect(attributes[kSecValueData] as? Data == Data(referencing: SecCertificateCopyData(certificate)))
            #expect(attributes[kSecAttrCertificateType] as? Int == 3)
            #expect(attributes[kSecAttrCertificateEncoding] as? Int == 3)
            #expect(SecItemDelete([kSecValueRef: certificate] as CFDictionary) == errSecSuccess)
            #expect(keychain.find([kSecClass: kSecClassCertificate]) == errSecItemNotFound)
        }

        @Test func `an identity is two items, found where both are`() throws {
            let identity = try identity()
            var result: CFTypeRef?
            let addition = item(identity, [kSecAttrLabel: "mine", kSecReturnPersistentRef: true])
            #expect(SecItemAdd(addition as CFDictionary, &result) == errSecSuccess)
            #expect(add(identity) == errSecDuplicateItem)
            let query: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecAttrLabel: "mine", kSecReturnRef: true]
            #expect(keychain.copy(query) as? SecIdentity == identity)
            #expect(
                keychain.copy([kSecValuePersistentRef: result as Any, kSecReturnRef: true]) as? SecIdentity == identity)
            #expect(keychain.copy([kSecClass: kSecClassKey, kSecReturnRef: true]) as? SecKey == (try key(identity)))
            let all = try #require(
                keychain.copy(query.merging([kSecReturnAttributes: true, kSecReturnData: true]) { $1 })
                    as? [CFString: Any])
            #expect(all[kSecClass] as? String == kSecClassIdentity as String)
            #expect(all[kSecAttrApplicationLabel] as? Data == all[kSecAttrPublicKeyHash] as? Data)
            #expect(
                all[kSecValueData] as? Data == Data(referencing: SecCertificateCopyData(try certificate(identity))))
            #expect(SecItemUpdate(query as CFDictionary, [kSecAttrLabel: "l"] as CFDictionary) == errSecUnimplemented)
            #expect(SecItemDelete([kSecValueRef: try key(identity)] as CFDictionary) == errSecSuccess)
            #expect(keychain.find(query) == errSecItemNotFound)
            #expect(keychain.find([kSecClass: kSecClassCertificate]) == errSecSuccess)
            #expect(add(identity) == errSecSuccess)
            #expect(keychain.find([kSecClass: kSecClassIdentity]) == errSecSuccess)
        }

        @Test func `a removed identity leaves the key that another certificate needs`() throws {
            let identity = try identity()
            #expect(add(identity) == errSecSuccess)
            let hash = try #require(SecKeyCopyAttributes(try key(identity))?[kSecAttrApplicationLabel] as? Data)
            let other: [CFString: Any] = [
                kSecClass: kSecClassCertificate, kSecAttrSerialNumber: Data([7]), kSecAttrPublicKeyHash: hash,
                kSecValueData: Data("another certificate".utf8),
            ]
            #expect(SecItemAdd(other as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemDelete([kSecValueRef: identity] as CFDictionary) == errSecSuccess)
            #expect(keychain.find([kSecClass: kSecClassKey]) == errSecSuccess)
            #expect(keychain.find([kSecClass: kSecClassCertificate, kSecReturnRef: true]) == errSecDecode)
            #expect(SecItemDelete([kSecClass: kSecClassIdentity] as CFDictionary) == errSecSuccess)
            #expect(keychain.find([kSecClass: kSecClassKey]) == errSecItemNotFound)
            #expect(SecItemDelete([kSecClass: kSecClassIdentity] as CFDictionary) == errSecItemNotFound)
        }

        @Test func `an identity whose key cannot be added leaves no certificate`() throws {
            let identity = try identity()
            let passcode: [CFString: Any] = [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]
            #expect(add(identity, passcode) == errSecAuthFailed)
            #expect(keychain.find([kSecClass: kSecClassCertificate]) == errSecItemNotFound)
            // The certificate has no tag, and so is added before the key is refused for its.
            #expect(add(identity, [kSecAttrApplicationTag: Date()]) == errSecParam)
            #expect(keychain.find([kSecClass: kSecClassCertificate]) == errSecItemNotFound)
            #expect(add(identity, [kSecAttrService: "s"]) == errSecNoSuchAttr)
            #expect(keychain.find([kSecClass: kSecClassCertificate]) == errSecItemNotFound)
        }

        @Test func `an object stands alone for class and data, and is not contradicted`() throws {
            let key = try Keys.make()
            #expect(add(key, [kSecClass: kSecClassCertificate]) == errSecParam)
            #expect(add(key, [kSecValueData: Data()]) == errSecParam)
            #expect(add(key, [kSecAttrKeyType: kSecAttrKeyTypeRSA]) == errSecParam)
            #expect(add(key, [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecClass: kSecClassKey]) == errSecSuccess)
            #expect(add("key" as NSString) == errSecParam)
            #expect(keychain.update([kSecClass: kSecClassKey], to: [kSecValueRef: key]) == errSecParam)
            #expect(
                keychain.update([kSecValueRef: key, kSecClass: kSecClassKey], to: [kSecAttrLabel: "l"]) == errSecSuccess
            )
            #expect(keychain.find([kSecClass: kSecClassIdentity, kSecAttrService: "s"]) == errSecNoSuchAttr)
            #expect(keychain.find([kSecClass: kSecClassIdentity]) == errSecItemNotFound)
            #expect(SecItemAdd([kSecClass: kSecClassIdentity] as CFDictionary, nil) == errSecParam)
        }

        @Test func `a key behind the owner's presence is asked for once it is read`() throws {
            try keychain.device.setPasscode("1234")
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, nil)
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrAccessControl: try #require(control)]
                    as [CFString: Any],
            ]
            let made = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecReturnRef: true]
            #expect(
                keychain.find(query.merging([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) { $1 })
                    == errSecInteractionNotAllowed)
            let context = LAContext()
            context.passcodePrompter = passcode("1234")
            let asked = query.merging([kSecUseAuthenticationContext: context]) { $1 }
            #expect(keychain.copy(asked) as? SecKey == made)
        }

        @Test func `presence is demanded for the key of an identity, not for its certificate`() throws {
            let identity = try identity()
            let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
            try keychain.device.setPasscode("1234")
            #expect(add(identity, [kSecAttrAccessControl: try #require(control)]) == errSecSuccess)
            let silent: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail, kSecReturnRef: true]
            #expect(keychain.find(silent.merging([kSecClass: kSecClassCertificate]) { $1 }) == errSecSuccess)
            #expect(keychain.find(silent.merging([kSecClass: kSecClassIdentity]) { $1 }) == errSecInteractionNotAllowed)
            let context = LAContext()
            context.passcodePrompter = passcode("1234")
            let asked: [CFString: Any] = [
                kSecClass: kSecClassIdentity, kSecUseAuthenticationContext: context, kSecReturnRef: true,
                kSecMatchLimit: kSecMatchLimitAll,
            ]
            #expect(keychain.copy(asked) as? [SecIdentity] == [identity])
        }

        @Test func `certificates do not narrow a search by what they say`() throws {
            #expect(add(try identity()) == errSecSuccess)
            for kind in [kSecClassIdentity, kSecClassCertificate, kSecClassKey] {
                #expect(keychain.find([kSecClass: kind, kSecMatchTrustedOnly: true]) == errSecUnimplemented)
            }
        }

        @Test func `a locked device gives out no key and no identity`() throws {
            #expect(add(try identity()) == errSecSuccess)
            try keychain.device.setPasscode("1234")
            try keychain.device.lock()
            #expect(keychain.find([kSecClass: kSecClassKey, kSecReturnRef: true]) == errSecInteractionNotAllowed)
            #expect(keychain.find([kSecClass: kSecClassIdentity, kSecReturnRef: true]) == errSecInteractionNotAllowed)
            #expect(keychain.find([kSecClass: kSecClassCertificate, kSecReturnRef: true]) == errSecSuccess)
        }
    }
}
