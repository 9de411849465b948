import TresorCoreFoundation
import Foundation
import TresorSecurity
import Testing
import TresorTesting

extension AppleAPI {
    /// §1.4: the four calls and the shapes of their results.
    @Suite struct Calls {
        let keychain: Fixture

        init() throws { keychain = try Fixture() }

        @Test func `one item alone, data alone`() {
            keychain.add([kSecAttrAccount: "a"])
            #expect(keychain.copy([kSecReturnData: true]) as? Data == Data("secret".utf8))
        }

        @Test func `any limit but one gives an array`() {
            for account in ["a", "b", "c"] { keychain.add([kSecAttrAccount: account]) }
            let all = keychain.copy([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll])
            #expect(
                (all as? [[String: Any]])?.compactMap { $0[kSecAttrAccount as String] as? String } == ["a", "b", "c"])
            let two = keychain.copy([kSecReturnData: true, kSecMatchLimit: 2])
            #expect((two as? [Data])?.count == 2)
            let one = keychain.copy([kSecReturnData: true, kSecMatchLimit: 1])
            #expect(one is NSData)
        }

        @Test func `without anything to return, the status alone answers`() {
            #expect(keychain.find() == errSecItemNotFound)
            keychain.add()
            #expect(keychain.find() == errSecSuccess)
            #expect(keychain.copy([:]) == nil)
            #expect(keychain.copy([kSecReturnRef: true]) == nil)
        }

        @Test func `several things to return come in a dictionary`() throws {
            keychain.add([kSecAttrAccount: "a"])
            let found = try #require(
                keychain.copy([
                    kSecReturnData: true, kSecReturnAttributes: true, kSecReturnPersistentRef: true,
                ]) as? [String: Any])
            #expect(found[kSecValueData as String] as? Data == Data("secret".utf8))
            #expect((found[kSecValuePersistentRef as String] as? Data)?.count == 20)
            #expect(found[kSecAttrAccount as String] as? String == "a")
        }

        @Test func `attributes alone never hold the secret`() throws {
            keychain.add()
            let found = try #require(keychain.copy([kSecReturnAttributes: true]) as? [String: Any])
            #expect(found[kSecValueData as String] == nil)
            #expect(found[kSecAttrAccessible as String] as? String == kSecAttrAccessibleWhenUnlocked as String)
            #expect(found[kSecClass as String] as? String == kSecClassGenericPassword as String)
        }

        @Test func `an item without data has empty data alone, and none beside attributes`() throws {
            keychain.add(data: nil)
            #expect(keychain.copy([kSecReturnData: true]) as? Data == Data())
            let both = try #require(
                keychain.copy([kSecReturnData: true, kSecReturnAttributes: true]) as? [String: Any])
            #expect(both[kSecValueData as String] == nil)
        }

        @Test func `an addition gives back what was asked for`() throws {
            var result: CFTypeRef?
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecValueData: Data("x".utf8),
                kSecReturnAttributes: true, kSecReturnData: true, kSecReturnPersistentRef: true,
            ]
            #expect(SecItemAdd(item as CFDictionary, &result) == errSecSuccess)
            let added = try #require(result as? [String: Any])
            #expect(added[kSecValueData as String] as? Data == Data("x".utf8))
            #expect(added[kSecAttrAccessGroup as String] as? String == "user")
            #expect((added[kSecValuePersistentRef as String] as? Data)?.count == 20)
        }

        @Test func `an addition without a wish gives nothing back`() {
            var result: CFTypeRef? = "before" as NSString
            let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: Data()]
            #expect(SecItemAdd(item as CFDictionary, &result) == errSecSuccess)
            #expect(result == nil)
        }

        @Test func `a failed call leaves the result alone`() {
            var result: CFTypeRef? = "before" as NSString
            let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecReturnData: true]
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecItemNotFound)
            #expect(result as? String == "before")
        }

        @Test func `the attributes of a result are the next query`() throws {
            keychain.add([kSecAttrAccount: "a", kSecAttrLabel: "A", kSecAttrGeneric: Data([0, 255])])
            keychain.add([kSecAttrAccount: "b", kSecAttrLabel: "B"], data: Data("other".utf8))
            var query = try #require(
                keychain.copy([kSecAttrAccount: "b", kSecReturnAttributes: true]) as? [String: Any])
            query[kSecReturnData as String] = true
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            #expect(result as? Data == Data("other".utf8))
            #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
            #expect(keychain.find([kSecAttrAccount: "a"]) == errSecSuccess)
        }

        @Test func `add or update, as programs do it`() throws {
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "Foo Services Ltd.",
                kSecAttrLabel: "PhotoDiary", kSecAttrAccount: "PhotoDiaryUser",
            ]
            for secret in ["first", "second"] {
                let item = query.merging([kSecValueData: Data(secret.utf8)]) { $1 }
                var status = SecItemAdd(item as CFDictionary, nil)
                if status == errSecDuplicateItem {
                    status = SecItemUpdate(query as CFDictionary, [kSecValueData: Data(secret.utf8)] as CFDictionary)
                }
                #expect(status == errSecSuccess)
            }
            #expect(keychain.copy(query.merging([kSecReturnData: true]) { $1 }) as? Data == Data("second".utf8))
            let all = keychain.copy(query.merging([kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true]) { $1 })
            #expect((all as? [Data])?.count == 1)
        }

        @Test func `an update changes every match, or none`() {
            for account in ["a", "b"] { keychain.add([kSecAttrService: "s", kSecAttrAccount: account]) }
            #expect(keychain.update([kSecAttrService: "s"], to: [kSecAttrLabel: "l"]) == errSecSuccess)
            let labelled = keychain.copy([
                kSecAttrLabel: "l", kSecMatchLimit: kSecMatchLimitAll, kSecReturnPersistentRef: true,
            ])
            #expect((labelled as? [Data])?.count == 2)
            #expect(keychain.update([kSecAttrService: "s"], to: [kSecAttrAccount: "c"]) == errSecDuplicateItem)
            #expect(keychain.find([kSecAttrAccount: "a"]) == errSecSuccess)
            #expect(keychain.update([kSecAttrService: "t"], to: [kSecAttrLabel: "l"]) == errSecItemNotFound)
        }

        @Test func `a removal takes every match`() {
            for account in ["a", "b"] { keychain.add([kSecAttrAccount: account]) }
            #expect(keychain.remove() == errSecSuccess)
            #expect(keychain.remove() == errSecItemNotFound)
        }

        @Test func `a persistent reference names its item through changes, and until it goes`() throws {
            keychain.add([kSecAttrAccount: "a"])
            keychain.add([kSecAttrAccount: "b"])
            let reference = try #require(keychain.copy([kSecAttrAccount: "a", kSecReturnPersistentRef: true]))
            let query: [CFString: Any] = [kSecValuePersistentRef: reference]
            #expect(keychain.update(query, to: [kSecAttrAccount: "c"]) == errSecSuccess)
            #expect(keychain.find([kSecAttrAccount: "b"]) == errSecSuccess)
            let found = keychain.copy(query.merging([kSecReturnAttributes: true]) { $1 }) as? [String: Any]
            #expect(found?[kSecAttrAccount as String] as? String == "c")
            #expect(keychain.remove(query) == errSecSuccess)
            #expect(keychain.find(query) == errSecItemNotFound)
        }

        @Test func `more items than a page holds are all found`() {
            for number in 0..<600 { keychain.add([kSecAttrAccount: "\(number)"]) }
            let all = keychain.copy([kSecMatchLimit: kSecMatchLimitAll, kSecReturnPersistentRef: true])
            #expect((all as? [Data])?.count == 600)
            let most = keychain.copy([kSecMatchLimit: 550, kSecReturnPersistentRef: true])
            #expect((most as? [Data])?.count == 550)
        }

        @Test func `a limit holds over pages of every length`() {
            for number in 0..<9 { keychain.add([kSecAttrAccount: "\(number)"], data: Data(count: 100_000)) }
            let found = keychain.copy([kSecMatchLimit: 7, kSecReturnData: true])
            #expect((found as? [Data])?.count == 7)
        }

        @Test func `a secret may have 896 KiB and no more`() {
            #expect(keychain.add([kSecAttrAccount: "a"], data: Data(count: 917_504)) == errSecSuccess)
            #expect((keychain.copy([kSecReturnData: true]) as? Data)?.count == 917_504)
            #expect(keychain.add([kSecAttrAccount: "b"], data: Data(count: 917_505)) == errSecParam)
            #expect(keychain.add([kSecAttrAccount: "b"], data: Data(count: 2_000_000)) == errSecParam)
            #expect(keychain.find([kSecAttrAccount: "a"]) == errSecSuccess)
        }

        @Test func `a foreign access group is refused by all four calls`() {
            let foreign: [CFString: Any] = [kSecAttrAccessGroup: "TEAM.other"]
            #expect(keychain.add(foreign) == errSecMissingEntitlement)
            #expect(keychain.find(foreign) == errSecMissingEntitlement)
            #expect(keychain.update(foreign, to: [kSecAttrLabel: "l"]) == errSecMissingEntitlement)
            #expect(keychain.remove(foreign) == errSecMissingEntitlement)
        }

        @Test func `a locked item is neither read nor taken for missing`() throws {
            keychain.add()
            try keychain.device.setPasscode("1234")
            try keychain.device.lock()
            #expect(keychain.find() == errSecInteractionNotAllowed)
            #expect(keychain.add([kSecAttrAccount: "b"]) == errSecInteractionNotAllowed)
            try keychain.device.unlock("1234")
            #expect(keychain.find() == errSecSuccess)
        }

        @Test
        func `certificates and keys are kept by attributes and data, and what is none is given out as nothing else`() {
            let key: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: "tag", kSecAttrKeyType: kSecAttrKeyTypeRSA,
                kSecAttrKeyClass: kSecAttrKeyClassPrivate,
            ]
            #expect(keychain.add(key) == errSecSuccess)
            #expect(keychain.copy(key.merging([kSecReturnData: true]) { $1 }) as? Data == Data("secret".utf8))
            #expect(keychain.find(key.merging([kSecReturnRef: true]) { $1 }) == errSecDecode)
            let certificate: [CFString: Any] = [kSecClass: kSecClassCertificate, kSecMatchTrustedOnly: true]
            #expect(keychain.find(certificate) == errSecUnimplemented)
        }
    }

    @Suite struct Threads {
        @Test func `eight threads add, read, change and remove at the same time`() async throws {
            let keychain = try Fixture()
            let complaints = await withTaskGroup(of: [String].self) { group in
                for number in 0..<8 { group.addTask { await Self.work(number) } }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(complaints == [])
            #expect(keychain.find() == errSecItemNotFound)
        }

        /// On a thread of its own: a task might share one.
        private static func work(_ number: Int) async -> [String] {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: rounds(number)) }
            }
        }

        private static func rounds(_ number: Int) -> [String] {
            var complaints: [String] = []
            for round in 0..<25 {
                let query: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "thread \(number)",
                    kSecAttrAccount: "\(round)",
                ]
                let secret = Data("\(number) \(round)".utf8)
                var result: CFTypeRef?
                let statuses = [
                    SecItemAdd(query.merging([kSecValueData: Data()]) { $1 } as CFDictionary, nil),
                    SecItemUpdate(query as CFDictionary, [kSecValueData: secret] as CFDictionary),
                    SecItemCopyMatching(query.merging([kSecReturnData: true]) { $1 } as CFDictionary, &result),
                    SecItemDelete(query as CFDictionary),
                ]
                if statuses != [0, 0, 0, 0] || result as? Data != secret {
                    complaints.append("\(number): \(statuses)")
                }
            }
            return complaints
        }
    }
}
