import Foundation
import Security

/// The password of one account, in the keychain: the calls that every book on it shows, and none of ours.
package struct ServicePassword {
    package let service: String
    package let account: String
    package let label: String

    package init(service: String, account: String, label: String) {
        self.service = service
        self.account = account
        self.label = label
    }

    /// Adds the password, or puts it in place of the one that is there.
    package func store(_ password: Data) -> OSStatus {
        var item = query
        item[kSecAttrLabel] = label
        item[kSecValueData] = password
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecDuplicateItem else { return status }
        let changes: [CFString: Any] = [kSecValueData: password]
        return SecItemUpdate(query as CFDictionary, changes as CFDictionary)
    }

    /// Reads the password back, and the label that it lies under.
    package func read() -> (status: OSStatus, password: Data?, label: String?) {
        var search = query
        search[kSecMatchLimit] = kSecMatchLimitOne
        search[kSecReturnAttributes] = kCFBooleanTrue
        search[kSecReturnData] = kCFBooleanTrue
        var result: CFTypeRef?
        let status = SecItemCopyMatching(search as CFDictionary, &result)
        guard status == errSecSuccess, let found = result as? [String: Any] else { return (status, nil, nil) }
        return (status, found[kSecValueData as String] as? Data, found[kSecAttrLabel as String] as? String)
    }

    package func remove() -> OSStatus { SecItemDelete(query as CFDictionary) }

    private var query: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
    }
}
