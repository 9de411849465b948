import TresorCoreFoundation
import Foundation
import TresorSecurity
import Testing
import TresorTesting

extension AppleAPI {
    /// §1.1 of the keychain's semantics, row by row.
    @Suite struct Grammar {
        let keychain: Fixture

        init() throws { keychain = try Fixture() }

        @Test func `a key of another letter is refused`() {
            #expect(keychain.find(["account" as CFString: "a"]) == errSecParam)
            #expect(keychain.find(["" as CFString: "a"]) == errSecParam)
            #expect(SecItemCopyMatching([1: 2] as NSDictionary, nil) == errSecParam)
        }

        @Test func `a callback's key is ignored`() {
            keychain.add()
            #expect(keychain.find(["f_callback" as CFString: "x"]) == errSecSuccess)
        }

        @Test func `a dictionary without class and reference is refused`() {
            let nameless: [CFString: Any] = [kSecAttrService: "s"]
            #expect(SecItemAdd(nameless as CFDictionary, nil) == errSecParam)
            #expect(SecItemCopyMatching(nameless as CFDictionary, nil) == errSecParam)
            #expect(SecItemUpdate(nameless as CFDictionary, [kSecAttrLabel: "l"] as CFDictionary) == errSecParam)
            #expect(SecItemDelete(nameless as CFDictionary) == errSecParam)
        }

        @Test(arguments: ["genq", "idns", "", "password"])
        func `an unknown class is no such class`(name: String) {
            #expect(keychain.find([kSecClass: name]) == errSecNoSuchClass)
            #expect(keychain.add([kSecClass: name]) == errSecNoSuchClass)
        }

        @Test func `a class that is no string is no such class`() {
            #expect(keychain.find([kSecClass: 7]) == errSecNoSuchClass)
        }

        @Test func `an attribute that the class lacks is no such attribute`() {
            let internet: [CFString: Any] = [kSecClass: kSecClassInternetPassword, kSecAttrService: "s"]
            #expect(keychain.find(internet) == errSecNoSuchAttr)
            #expect(keychain.add(internet) == errSecNoSuchAttr)
            #expect(keychain.find(["abcd" as CFString: "s"]) == errSecNoSuchAttr)
        }

        @Test func `the choice of the data protection keychain is ignored, also beside a reference`() throws {
            #expect(keychain.add([kSecUseDataProtectionKeychain: true]) == errSecSuccess)
            #expect(keychain.find([kSecUseDataProtectionKeychain: kCFBooleanTrue!]) == errSecSuccess)
            let reference = try #require(keychain.copy([kSecReturnPersistentRef: true]))
            let query: [CFString: Any] = [kSecValuePersistentRef: reference, kSecUseDataProtectionKeychain: true]
            #expect(keychain.find(query) == errSecSuccess)
        }

        @Test func `a value that no attribute takes is refused`() {
            #expect(keychain.add([kSecAttrAccount: ["a"]]) == errSecParam)
            #expect(keychain.add([kSecAttrAccount: NSNull()]) == errSecParam)
            #expect(keychain.add([kSecAttrCreator: 1.5]) == errSecParam)
            #expect(keychain.add([kSecAttrAccount: Date()]) == errSecParam)
            #expect(keychain.find([kSecAttrCreationDate: "yesterday"]) == errSecParam)
        }

        @Test(
            arguments: [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef].map { "\($0)" })
        func `what is returned is said with a boolean`(key: String) {
            keychain.add()
            #expect(keychain.find([key as CFString: 1]) == errSecParam)
            #expect(keychain.find([key as CFString: "true"]) == errSecParam)
            #expect(keychain.find([key as CFString: kCFBooleanTrue!]) == errSecSuccess)
            #expect(keychain.find([key as CFString: false]) == errSecSuccess)
        }

        @Test func `data is Data`() {
            #expect(keychain.add(data: "secret") == errSecParam)
            keychain.add()
            #expect(keychain.update(to: [kSecValueData: "secret"]) == errSecParam)
            #expect(keychain.update(to: [kSecValueData: NSNull()]) == errSecParam)
        }

        @Test func `a limit is a positive number or one of two words`() {
            keychain.add()
            for limit in [kSecMatchLimitOne, kSecMatchLimitAll, 1, 7, Int64.max] as [Any] {
                #expect(keychain.find([kSecMatchLimit: limit]) == errSecSuccess)
            }
            for limit in [0, -1, "1", true, "m_LimitSome", Data()] as [Any] {
                #expect(keychain.find([kSecMatchLimit: limit]) == errSecParam)
            }
        }

        @Test func `a dictionary of more than 128 keys is refused`() {
            var query: [CFString: Any] = [:]
            for number in 0..<128 { query["u_x\(number)" as CFString] = number }
            #expect(keychain.find(query) == errSecParam)
        }

        @Test func `the internal attribute clip is refused everywhere`() {
            keychain.add()
            #expect(keychain.add(["clip" as CFString: 1]) == errSecParam)
            #expect(keychain.find(["clip" as CFString: 1]) == errSecParam)
            #expect(keychain.update(to: ["clip" as CFString: 1]) == errSecParam)
            #expect(keychain.remove(["clip" as CFString: 1]) == errSecParam)
        }

        @Test func `a reference stands alone, and never in an addition`() throws {
            keychain.add([kSecAttrService: "s"])
            let reference = try #require(keychain.copy([kSecReturnPersistentRef: true]))
            let both: [CFString: Any] = [kSecValuePersistentRef: reference, kSecAttrService: "s"]
            #expect(keychain.find(both) == errSecParam)
            #expect(keychain.update(both, to: [kSecAttrLabel: "l"]) == errSecParam)
            #expect(keychain.remove(both) == errSecParam)
            #expect(
                keychain.add([kSecClass: kSecClassGenericPassword, kSecValuePersistentRef: reference]) == errSecParam)
            #expect(keychain.find([kSecValuePersistentRef: Data([1, 2])]) == errSecParam)
            #expect(keychain.find([kSecValuePersistentRef: "reference"]) == errSecParam)
        }

        @Test func `leaving protected items out is for searches alone`() {
            keychain.add()
            let skip: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
            #expect(keychain.find(skip) == errSecSuccess)
            #expect(keychain.add(skip) == errSecParam)
            #expect(keychain.update(skip, to: [kSecAttrLabel: "l"]) == errSecParam)
            #expect(keychain.remove(skip) == errSecParam)
            #expect(keychain.find([kSecUseAuthenticationUI: "u_AuthUIX"]) == errSecParam)
        }

        @Test func `synchronizable items are seen where the query says so`() {
            #expect(keychain.add([kSecAttrSynchronizable: true]) == errSecSuccess)
            #expect(keychain.find() == errSecItemNotFound)
            #expect(keychain.find([kSecAttrSynchronizable: kCFBooleanTrue!]) == errSecSuccess)
            #expect(keychain.find([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == errSecSuccess)
        }

        @Test func `an item added as any is a local one`() {
            #expect(keychain.add([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == errSecSuccess)
            #expect(keychain.find([kSecAttrSynchronizable: false]) == errSecSuccess)
        }

        @Test func `changes hold attributes and data alone`() {
            keychain.add()
            let refused: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecValuePersistentRef: Data(), kSecUseTombstones: true,
            ]
            for (key, value) in refused {
                #expect(keychain.update(to: [kSecAttrLabel: "l", key: value]) == errSecParam)
            }
            #expect(keychain.update(to: [:]) == errSecParam)
        }

        @Test func `lists of items are refused`() {
            keychain.add()
            #expect(keychain.find([kSecMatchItemList: [Data()]]) == errSecParam)
            #expect(keychain.find([kSecUseItemList: [Data()]]) == errSecParam)
        }
    }

    /// The two profiles: §1.4.
    @Suite struct Profiles {
        @Test func `tolerant: what a call does not take is dropped`() throws {
            let keychain = try Fixture()
            #expect(keychain.add([kSecMatchLimit: kSecMatchLimitOne]) == errSecSuccess)
            let extra: [CFString: Any] = [
                kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true, kSecValueData: Data("x".utf8),
                kSecAttrModificationDate: Date(),
            ]
            #expect(keychain.update(extra, to: [kSecAttrLabel: "l", kSecReturnData: true]) == errSecSuccess)
            #expect(keychain.find([kSecValueData: Data("x".utf8), kSecAttrModificationDate: Date()]) == errSecSuccess)
            #expect(keychain.remove(extra) == errSecSuccess)
        }

        @Test func `strict: what a call does not take is refused`() throws {
            let keychain = try Fixture(.strict)
            #expect(keychain.add([kSecMatchLimit: kSecMatchLimitOne]) == errSecParam)
            #expect(keychain.add() == errSecSuccess)
            #expect(keychain.update([kSecMatchLimit: kSecMatchLimitAll], to: [kSecAttrLabel: "l"]) == errSecParam)
            #expect(keychain.update([kSecReturnData: true], to: [kSecAttrLabel: "l"]) == errSecParam)
            #expect(keychain.remove([kSecMatchLimit: kSecMatchLimitAll]) == errSecParam)
            #expect(keychain.remove() == errSecSuccess)
        }
    }
}
