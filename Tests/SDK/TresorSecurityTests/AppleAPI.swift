import TresorCoreFoundation
import Foundation
import Secrets
import TresorSecurity
import Testing
import TresorTesting

/// Everything here uses the one keychain of its process, so nothing of it runs at the same time.
@Suite(.serialized) enum AppleAPI {}

/// A device of its own behind the SecItem functions, and calls with the literals that programs write.
struct Fixture {
    let device: TestDevice

    init(_ profile: TestDevice.Profile = .tolerant) throws {
        device = try TestDevice()
        device.serveProcess(profile)
    }

    /// Adds a generic password with service "s", if nothing else is said.
    @discardableResult
    func add(_ values: [CFString: Any] = [:], data: Any? = Data("secret".utf8)) -> OSStatus {
        var item = Self.password(values)
        if let data { item[kSecValueData] = data }
        return SecItemAdd(item as CFDictionary, nil)
    }

    func find(_ values: [CFString: Any] = [:]) -> OSStatus {
        SecItemCopyMatching(Self.password(values) as CFDictionary, nil)
    }

    /// What a search gives, and nil where it fails.
    func copy(_ values: [CFString: Any]) -> AnyObject? {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(Self.password(values) as CFDictionary, &result)
        return status == errSecSuccess ? result : nil
    }

    func update(_ values: [CFString: Any] = [:], to changes: [CFString: Any]) -> OSStatus {
        SecItemUpdate(Self.password(values) as CFDictionary, changes as CFDictionary)
    }

    func remove(_ values: [CFString: Any] = [:]) -> OSStatus { SecItemDelete(Self.password(values) as CFDictionary) }

    static func password(_ values: [CFString: Any]) -> [CFString: Any] {
        let isOwn = values[kSecClass] != nil || values[kSecValuePersistentRef] != nil
        return isOwn ? values : values.merging([kSecClass: kSecClassGenericPassword]) { $1 }
    }
}

/// Asks for nothing: a test's owner, who always gives the same.
func passcode(_ text: String) -> @Sendable (String) throws -> SecretBytes {
    { _ in try Array(text.utf8).withSpan { try SecretBytes(copying: $0) } }
}
