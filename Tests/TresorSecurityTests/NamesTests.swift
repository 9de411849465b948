import TresorCoreFoundation
import Foundation
import TresorSecurity
import Testing
import TresorTesting

/// What only has a name and a value, and needs no keychain.
@Suite struct CoreFoundationNames {
    @Test func `a string and a Foundation string are one key`() {
        #expect(AnyHashable("a") == AnyHashable("a" as NSString))
        #expect(AnyHashable("a").hashValue == AnyHashable("a" as NSString).hashValue)
        #expect(AnyHashable("a" as NSString) != AnyHashable("b" as NSString))
        let dictionary: [AnyHashable: Int] = ["a" as NSString: 1]
        #expect(dictionary["a"] == 1)
        #expect(Set<AnyHashable>(["ü", "u\u{308}" as NSString, NSMutableString("ü")]).count == 1)
    }

    @Test func `dictionaries bridge to CFDictionary and back`() {
        let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecReturnData: kCFBooleanTrue!]
        let dictionary = query as CFDictionary
        #expect(dictionary[kSecClass] as? String == "keys")
        #expect(dictionary["r_Data"] as? Bool == true)
        #expect((dictionary as? [String: Any])?.count == 2)
        #expect(kCFBooleanTrue as? Bool == true && kCFBooleanFalse as? Bool == false)
        #expect(kCFBundleIdentifierKey as String == "CFBundleIdentifier")
    }
}

@Suite struct SecurityNames {
    @Test func `a status has a sentence, unless nobody gives it`() {
        #expect(SecCopyErrorMessageString(errSecItemNotFound, nil) as String? == "There is no such item.")
        #expect(SecCopyErrorMessageString(errSecSuccess, nil) != nil)
        #expect(SecCopyErrorMessageString(12345, nil) == nil)
    }

    @Test func `random bytes fill what they shall, and nothing else`() {
        var bytes = [UInt8](repeating: 0, count: 10_000)
        #expect(SecRandomCopyBytes(kSecRandomDefault, 9_000, &bytes) == errSecSuccess)
        #expect(bytes[9_000...].allSatisfy { $0 == 0 })
        #expect(Set(bytes[..<9_000]).count > 200 && Set(bytes[8_192..<9_000]).count > 100)
        #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &bytes) == errSecParam)
        #expect(SecRandomCopyBytes(kSecRandomDefault, 0, &bytes) == errSecSuccess)
    }
}
