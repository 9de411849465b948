import TresorCoreFoundation
import Foundation
import TresorLocalAuthentication
import TresorSecurity
import Synchronization
import Testing
import Tresor
import TresorTesting

extension AppleAPI {
    /// Private keys that the enclave makes, uses, and never gives out.
    @Suite struct EnclaveKeys {
        let keychain: Fixture
        private static let tag = Data("org.example.login".utf8)
        static var query: [CFString: Any] { [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag] }
        static let message = Data("a message".utf8)

        init() throws { keychain = try Fixture() }

        func parameters(
            _ flags: SecAccessControlCreateFlags?, _ own: [CFString: Any] = [:],
            _ protection: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        ) throws -> [CFString: Any] {
            var privateKey: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: Self.tag]
            if let flags {
                privateKey[kSecAttrAccessControl] = try #require(
                    SecAccessControlCreateWithFlags(nil, protection, flags, nil))
            }
            return [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs: privateKey.merging(own) { $1 },
            ]
        }

        func create(_ parameters: [CFString: Any]) -> (key: SecKey?, status: Int?) {
            var error: Unmanaged<CFError>?
            let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
            return (key: key, status: error?.takeRetainedValue().code)
        }

        func make(
            _ flags: SecAccessControlCreateFlags? = .privateKeyUsage, _ own: [CFString: Any] = [:]
        ) throws -> SecKey {
            let made = create(try parameters(flags, own))
            return try #require(made.key, "\(String(describing: made.status))")
        }

        func exchanging(
            _ key: SecKey, _ other: SecKey, _ algorithm: SecKeyAlgorithm = .ecdhKeyExchangeStandard, size: Int = 77
        ) -> (Data?, Int?) {
            let parameters: [String: Any] = [
                SecKeyKeyExchangeParameter.requestedSize.rawValue: size,
                SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
            ]
            var error: Unmanaged<CFError>?
            let made = SecKeyCopyKeyExchangeResult(key, algorithm, other, parameters as CFDictionary, &error)
            return (made.map { Data(referencing: $0) }, error?.takeRetainedValue().code)
        }

        func publicHalf(_ key: SecKey) throws -> SecKey { try #require(SecKeyCopyPublicKey(key)) }

        func signing(_ key: SecKey) -> (Data?, Int?) {
            Keys.signing(key, .ecdsaSignatureMessageX962SHA256, Self.message)
        }

        func find(_ context: LAContext? = nil, _ more: [CFString: Any] = [:]) throws -> SecKey {
            var query = Self.query.merging([kSecReturnRef: true]) { $1 }.merging(more) { $1 }
            if let context { query[kSecUseAuthenticationContext] = context }
            return try #require(keychain.copy(query) as? SecKey)
        }

        @Test func `a key signs, its public half verifies, and nobody gets it`() throws {
            let key = try make()
            let publicKey = try publicHalf(key)
            let hashes: [(SecKeyAlgorithm, SecKeyAlgorithm, Int)] = [
                (.ecdsaSignatureMessageX962SHA1, .ecdsaSignatureDigestX962SHA1, 20),
                (.ecdsaSignatureMessageX962SHA256, .ecdsaSignatureDigestX962SHA256, 32),
                (.ecdsaSignatureMessageX962SHA384, .ecdsaSignatureDigestX962SHA384, 48),
                (.ecdsaSignatureMessageX962SHA512, .ecdsaSignatureDigestX962SHA512, 64),
            ]
            for (overMessage, overDigest, count) in hashes {
                let signature = try #require(Keys.signing(key, overMessage, Self.message).0)
                #expect(Keys.verifying(publicKey, overMessage, Self.message, signature).0)
                #expect(!Keys.verifying(publicKey, overMessage, Self.message + [0], signature).0)
                let digest = Data(repeating: 7, count: count)
                let other = try #require(Keys.signing(key, overDigest, digest).0)
                #expect(Keys.verifying(publicKey, overDigest, digest, other).0)
                for algorithm in [overMessage, overDigest] {
                    #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
                    #expect(SecKeyIsAlgorithmSupported(publicKey, .verify, algorithm))
                }
            }
            var error: Unmanaged<CFError>?
            #expect(SecKeyCopyExternalRepresentation(key, &error) == nil)
            #expect(error?.takeRetainedValue().code == Int(errSecUnimplemented))
            let data = keychain.copy(Self.query.merging([kSecReturnData: true]) { $1 })
            #expect(data as? Data == Data())
        }

        @Test func `what such a key does not do is refused`() throws {
            let key = try make()
            let publicKey = try publicHalf(key)
            for count in [0, 20, 31, 33, 48, 64] {
                let refused = Keys.signing(key, .ecdsaSignatureDigestX962SHA256, Data(count: count))
                #expect(refused == (nil, Int(errSecParam)))
            }
            for text in [
                "algid:sign:ECDSA:message-X962:SHA224", "algid:sign:ECDSA:digest-X962:SHA224",
                "algid:sign:RSA:message-PKCS1v15:SHA1", "algid:sign:RSA:message-PKCS1v15:SHA256",
            ] {
                let algorithm = SecKeyAlgorithm(rawValue: text)
                #expect(!SecKeyIsAlgorithmSupported(key, .sign, algorithm))
                #expect(Keys.signing(key, algorithm, Self.message) == (nil, Int(errSecParam)))
            }
            #expect(!SecKeyIsAlgorithmSupported(key, .verify, .ecdsaSignatureMessageX962SHA256))
            #expect(!SecKeyIsAlgorithmSupported(key, .decrypt, .ecdsaSignatureMessageX962SHA256))
            #expect(Keys.verifying(key, .ecdsaSignatureMessageX962SHA256, Self.message, Data()).1 == Int(errSecParam))
            #expect(exchanging(key, try publicHalf(try Keys.make(bits: 384))).1 == Int(errSecParam))
            #expect(exchanging(key, key).1 == Int(errSecParam))
            #expect(exchanging(key, publicKey, .ecdhKeyExchangeStandardX963SHA256, size: 0).1 == Int(errSecParam))
        }

        @Test func `both sides of an exchange reach the same, wherever their keys are`() throws {
            let (inEnclave, alsoThere, here) = (try make(), try make(.privateKeyUsage, [:]), try Keys.make())
            for algorithm in [
                SecKeyAlgorithm.ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactor, .ecdhKeyExchangeStandardX963SHA256,
                .ecdhKeyExchangeStandardX963SHA384, .ecdhKeyExchangeCofactorX963SHA512,
            ] {
                for other in [alsoThere, here] {
                    let mine = try #require(exchanging(inEnclave, try publicHalf(other), algorithm).0)
                    #expect(mine == exchanging(other, try publicHalf(inEnclave), algorithm).0)
                    #expect(mine.count == (algorithm.rawValue.contains("KDF") ? 77 : 32))
                }
                #expect(SecKeyIsAlgorithmSupported(inEnclave, .keyExchange, algorithm))
            }
        }

        @Test func `a key is found by its tag and its token, and says what it is`() throws {
            let made = try make()
            #expect(try find() == made)
            let byToken = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
            #expect(try find(nil, byToken) == made)
            #expect(try find(nil, [kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeySizeInBits: 256]) == made)
            let signature = try #require(signing(try find()).0)
            let publicKey = try publicHalf(made)
            #expect(Keys.verifying(publicKey, .ecdsaSignatureMessageX962SHA256, Self.message, signature).0)
            let known = try #require(SecKeyCopyAttributes(made) as? [CFString: Any])
            #expect(known[kSecAttrTokenID] as? String == kSecAttrTokenIDSecureEnclave as String)
            #expect(known[kSecAttrKeyType] as? String == kSecAttrKeyTypeECSECPrimeRandom as String)
            #expect(known[kSecAttrKeyClass] as? String == kSecAttrKeyClassPrivate as String)
            #expect(known[kSecAttrKeySizeInBits] as? Int == 256 && known[kSecAttrIsPermanent] as? Bool == true)
            #expect(known[kSecAttrCanSign] as? Bool == true && known[kSecAttrCanDerive] as? Bool == true)
            #expect(known["pubk" as CFString] == nil)
            let label = try #require(SecKeyCopyAttributes(publicKey)?[kSecAttrApplicationLabel] as? Data)
            #expect(known[kSecAttrApplicationLabel] as? Data == label)
            #expect(SecKeyGetBlockSize(made) == 32)
        }

        @Test func `a result's attributes find the key again`() throws {
            _ = try make()
            var query = try #require(
                keychain.copy(Self.query.merging([kSecReturnAttributes: true]) { $1 }) as? [CFString: Any])
            let control = try #require(query[kSecAttrAccessControl])
            let expected = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .privateKeyUsage, nil)
            #expect(control as? SecAccessControl == expected)
            query[kSecAttrAccessible] = nil
            #expect(keychain.find(query) == errSecSuccess)
        }

        @Test func `either the token or the flag is enough, and the protection never leaves the device`() throws {
            var parameters = try parameters(.privateKeyUsage)
            parameters[kSecAttrTokenID] = nil
            let key = try #require(create(parameters).key)
            #expect(SecKeyCopyAttributes(key)?[kSecAttrTokenID] as? String == kSecAttrTokenIDSecureEnclave as String)
            let bare = try make(nil)
            #expect(bare != key)
            let known = SecKeyCopyAttributes(bare)
            #expect(
                known?[kSecAttrAccessible] as? String == kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String)
            let always = try make(nil, [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly])
            try keychain.device.setPasscode("1234")
            try keychain.device.lock()
            #expect(signing(bare).1 == Int(errSecInteractionNotAllowed))
            #expect(signing(always).0 != nil)
            try keychain.device.unlock("1234")
            #expect(signing(bare).0 != nil)
        }

        @Test func `parameters that make no such key leave nothing behind`() throws {
            func status(_ change: (inout [CFString: Any]) -> Void) throws -> Int? {
                var parameters = try parameters(.privateKeyUsage)
                change(&parameters)
                return create(parameters).status
            }
            func status(_ own: [CFString: Any]) throws -> Int? {
                create(try parameters(.privateKeyUsage, own)).status
            }
            let refused = Int(errSecParam)
            #expect(try status { $0[kSecAttrKeySizeInBits] = 384 } == refused)
            #expect(try status { $0[kSecAttrKeySizeInBits] = nil } == refused)
            #expect(try status { $0[kSecAttrKeyType] = kSecAttrKeyTypeRSA } == refused)
            #expect(try status { $0[kSecAttrTokenID] = "com.example.card" } == refused)
            #expect(try status([kSecAttrIsPermanent: false]) == refused)
            #expect(try status([kSecAttrAccessControl: "control"]) == refused)
            #expect(try status([kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly]) == refused)
            #expect(try status([kSecAttrKeyType: kSecAttrKeyTypeRSA]) == refused)
            #expect(try status([kSecAttrKeyClass: kSecAttrKeyClassPublic]) == refused)
            #expect(try status([kSecAttrSynchronizable: true]) == refused)
            #expect(try status([kSecValueData: Data(count: 97)]) == refused)
            #expect(try status([kSecAttrAccessGroup: "TEAM.other"]) == Int(errSecMissingEntitlement))
            #expect(create(try parameters(nil, [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked])).status == refused)
            #expect(create(try parameters(.privateKeyUsage, [:], kSecAttrAccessibleAlways)).status == refused)
            #expect(create(try parameters(.watch)).status == Int(errSecUnimplemented))
            #expect(create(try parameters(.applicationPassword)).status == Int(errSecAuthFailed), "none was given")
            #expect(create(try parameters(.userPresence)).status == Int(errSecAuthFailed), "no passcode is set")
            #expect(keychain.find([kSecClass: kSecClassKey]) == errSecItemNotFound)
        }

        @Test func `presence is demanded for each use, and for nothing else`() throws {
            try keychain.device.setPasscode("1234")
            let made = try make([.privateKeyUsage, .userPresence])
            let count = Mutex(0)
            let context = LAContext()
            let right = passcode("1234")
            context.passcodePrompter = { reason in
                count.withLock { $0 += 1 }
                #expect(reason == "sign the order")
                return try right(reason)
            }
            // Finding, listing and renaming need nobody.
            let prompt: [CFString: Any] = [kSecUseOperationPrompt: "sign the order"]
            let key = try find(context, prompt)
            #expect(keychain.find(Self.query.merging([kSecReturnData: true]) { $1 }) == errSecSuccess)
            #expect(keychain.update(Self.query, to: [kSecAttrLabel: "l"]) == errSecSuccess)
            #expect(count.withLock { $0 } == 0)
            let signature = try #require(signing(key).0)
            let publicKey = try publicHalf(made)
            #expect(Keys.verifying(publicKey, .ecdsaSignatureMessageX962SHA256, Self.message, signature).0)
            #expect(signing(key).0 != nil)
            #expect(exchanging(key, publicKey).0?.count == 32)
            #expect(count.withLock { $0 } == 1, "a context asks once")
            context.invalidate()
            #expect(signing(key).1 == Int(errSecAuthFailed))
        }

        @Test func `an owner who is not there, declines or errs lets no key be used`() throws {
            try keychain.device.setPasscode("1234")
            _ = try make([.privateKeyUsage, .devicePasscode])
            let silent = try find(nil, [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
            #expect(signing(silent).1 == Int(errSecInteractionNotAllowed))
            let context = LAContext()
            let key = try find(context)
            context.passcodePrompter = { _ in throw CancellationError() }
            #expect(signing(key).1 == Int(errSecUserCanceled))
            context.passcodePrompter = passcode("4321")
            #expect(signing(key).1 == Int(errSecAuthFailed))
            #expect(exchanging(key, try publicHalf(key)).1 == Int(errSecAuthFailed))
            // Nobody is asked for what can't be.
            context.passcodePrompter = { _ in
                Issue.record("asked")
                throw CancellationError()
            }
            #expect(Keys.signing(key, .ecdsaSignatureDigestX962SHA256, Data(count: 20)).1 == Int(errSecParam))
            context.passcodePrompter = passcode("1234")
            #expect(signing(key).0 != nil)
            // What was proved for one key serves no other call without the context.
            #expect(signing(silent).1 == Int(errSecInteractionNotAllowed))
        }

        @Test func `a key that the SDK made is found here, and verified`() async throws {
            try keychain.device.setPasscode("1234")
            let own = try keychain.device.makeKeychain()
            var attributes = ItemAttributes()
            attributes.accessControl = .userPresence
            let key = try await own.makePrivateKey(attributes)
            let context = AuthenticationContext { reason in
                #expect(reason == .use)
                return try passcode("1234")("")
            }
            let digest = [UInt8](repeating: 7, count: 32)
            let signature = try await own.sign(digest, with: key.reference, context: context)
            // The SDK's key is one of this interface's, too.
            let query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecReturnRef: true,
            ]
            let found = try #require(keychain.copy(query) as? SecKey)
            let publicKey = try publicHalf(found)
            #expect(try Keys.exported(publicKey) == Data(key.publicKey))
            #expect(Keys.verifying(publicKey, .ecdsaSignatureDigestX962SHA256, Data(digest), Data(signature)).0)
        }
    }
}
