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

    @Test func `an error is taken apart by Core Foundation's functions`() {
        let error: CFError = NSError(domain: "d", code: 7, userInfo: [NSLocalizedDescriptionKey: "no"])
        #expect(CFErrorGetDomain(error) as String == "d")
        #expect(CFErrorGetCode(error) == 7)
        #expect(CFErrorCopyUserInfo(error) as? [String: String] == [NSLocalizedDescriptionKey: "no"])
        #expect(CFErrorCopyDescription(error) as String == "no")
    }

    @Test func `a table knows equal keys, and lets go of weak objects alone`() {
        let weak = NSMapTable<NSString, NSObject>.strongToWeakObjects()
        let strong = NSMapTable<NSString, NSObject>.strongToStrongObjects()
        let kept = NSObject()
        for index in 0..<100 {
            weak.setObject(NSObject(), forKey: "gone \(index)" as NSString)
            strong.setObject(NSObject(), forKey: "gone \(index)" as NSString)
        }
        weak.setObject(kept, forKey: NSMutableString("kept"))
        #expect(weak.object(forKey: "kept") === kept)
        #expect(weak.object(forKey: "gone 3") == nil && weak.count == 1)
        #expect(strong.object(forKey: "gone 3") != nil && strong.count == 100)
        strong.removeObject(forKey: "gone 3")
        #expect(strong.object(forKey: "gone 3") == nil && strong.object(forKey: nil) == nil)
        strong.removeAllObjects()
        weak.setObject(nil, forKey: "kept")
        #expect(strong.count == 0 && weak.count == 0)
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
