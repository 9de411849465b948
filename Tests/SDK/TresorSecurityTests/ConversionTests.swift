import TresorCoreFoundation
import Foundation
import TresorSecurity
import Testing
import TresorTesting

extension AppleAPI {
    /// §1.2: how values are converted, compared and given back.
    @Suite struct Conversion {
        let keychain: Fixture

        init() throws { keychain = try Fixture() }

        private func attributes(_ query: [CFString: Any] = [:]) throws -> [String: Any] {
            let result = keychain.copy(query.merging([kSecReturnAttributes: true]) { $1 })
            return try #require(result as? [String: Any])
        }

        @Test func `a string and the same bytes as data find each other and are one key`() {
            #expect(keychain.add([kSecAttrAccount: "abc"]) == errSecSuccess)
            #expect(keychain.find([kSecAttrAccount: Data("abc".utf8)]) == errSecSuccess)
            #expect(keychain.add([kSecAttrAccount: Data("abc".utf8)]) == errSecDuplicateItem)
        }

        @Test func `an attribute comes back in the type in which it was given`() throws {
            keychain.add([kSecAttrService: "s", kSecAttrAccount: Data("abc".utf8), kSecAttrComment: 7])
            let found = try attributes()
            #expect(found[kSecAttrService as String] as? String == "s")
            #expect(found[kSecAttrAccount as String] as? Data == Data("abc".utf8))
            #expect(!(found[kSecAttrAccount as String] is String))
            #expect(found[kSecAttrComment as String] as? Int == 7)
        }

        @Test func `a boolean becomes a number and reads as a boolean again`() throws {
            keychain.add([kSecAttrIsInvisible: true, kSecAttrIsNegative: kCFBooleanFalse!])
            let found = try attributes()
            #expect(found[kSecAttrIsInvisible as String] as? Bool == true)
            #expect(found[kSecAttrIsNegative as String] as? Bool == false)
            #expect(found[kSecAttrSynchronizable as String] as? Bool == false)
            #expect(keychain.find([kSecAttrIsInvisible: 1]) == errSecSuccess)
        }

        @Test func `a number is a whole one of 64 bits`() throws {
            keychain.add([kSecAttrCreator: Int64.min, kSecAttrType: 5.0, kSecAttrComment: Int64.max])
            let found = try attributes()
            #expect(found[kSecAttrCreator as String] as? Int64 == .min)
            #expect(found[kSecAttrType as String] as? Int == 5)
            #expect(found[kSecAttrComment as String] as? Int64 == .max)
            #expect(keychain.find([kSecAttrCreator: UInt64.max]) == errSecParam)
            #expect(keychain.find([kSecAttrCreator: Double.nan]) == errSecParam)
        }

        @Test func `a decimal string becomes a number, another stays a string`() throws {
            let server: [CFString: Any] = [
                kSecClass: kSecClassInternetPassword, kSecAttrServer: "s", kSecAttrPort: "443",
                kSecAttrProtocol: kSecAttrProtocolHTTPS,
            ]
            #expect(keychain.add(server) == errSecSuccess)
            let found = try attributes([kSecClass: kSecClassInternetPassword])
            #expect(found[kSecAttrPort as String] as? Int == 443)
            #expect(found[kSecAttrProtocol as String] as? String == kSecAttrProtocolHTTPS as String)
        }

        @Test func `a date finds its item to the microsecond`() throws {
            keychain.device.setTime(Date(timeIntervalSince1970: 1_755_555_555.123_457))
            keychain.add()
            let created = try #require(try attributes()[kSecAttrCreationDate as String] as? Date)
            #expect(keychain.find([kSecAttrCreationDate: created]) == errSecSuccess)
            #expect(keychain.find([kSecAttrCreationDate: created.addingTimeInterval(0.000_01)]) == errSecItemNotFound)
        }

        @Test func `dictionaries with Swift's and Foundation's keys mean the same`() {
            let swift: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "s"]
            let native: NSMutableDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrService: "s" as NSString]
            #expect(SecItemAdd(swift as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemAdd(native, nil) == errSecDuplicateItem)
            let mixed: [NSObject: AnyObject] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "s" as NSString]
            #expect(SecItemDelete(mixed as CFDictionary) == errSecSuccess)
        }

        @Test func `text of every script is kept as it was`() throws {
            for text in ["", "ü🔑", "a\0b", "e\u{301}"] {
                #expect(keychain.add([kSecAttrAccount: text]) == errSecSuccess)
                let found = try attributes([kSecAttrAccount: text])[kSecAttrAccount as String] as? String
                #expect(found?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
            }
        }

        @Test func `an attribute above 64 KiB is refused`() {
            #expect(keychain.add([kSecAttrComment: String(repeating: "x", count: 65_537)]) == errSecParam)
            #expect(keychain.add([kSecAttrComment: String(repeating: "x", count: 60_000)]) == errSecSuccess)
        }
    }
}
