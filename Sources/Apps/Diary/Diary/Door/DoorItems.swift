import Foundation
import TresorSecurity

/// What the door keeps in the keychain: generic passwords of one service, read and written by Apple's calls.
///
/// The one file of this target that passes pointers, as those calls want them. Class WhenUnlocked, and none bound to
/// this device: bound to it, a restored diary would never open again for its owner.
struct DoorItems: Sendable {
    let service: String

    /// An item: its value, and bytes that stand beside it.
    struct Stored {
        var value: [UInt8]
        var generic: [UInt8]
    }

    /// Adds an item, or puts these in place of what is there: both at once, or nothing.
    ///
    /// - Throws: `DoorItemsError` with the documented status.
    func store(_ value: [UInt8], generic: [UInt8] = [], account: String, label: String) throws(DoorItemsError) {
        let changes: [CFString: Any] = [
            kSecValueData: Data(value), kSecAttrGeneric: Data(generic), kSecAttrLabel: label,
        ]
        var item = query(account)
        item.merge(changes) { $1 }
        item[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlocked
        var status = SecItemAdd(item as NSDictionary, nil)
        if status == errSecDuplicateItem {
            status = SecItemUpdate(query(account) as NSDictionary, changes as NSDictionary)
        }
        try check(status)
    }

    /// Nil where there is none.
    func read(account: String) throws(DoorItemsError) -> Stored? {
        var search = query(account)
        search[kSecMatchLimit] = kSecMatchLimitOne
        search[kSecReturnAttributes] = true
        search[kSecReturnData] = true
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(search as NSDictionary, &result)
        guard status != errSecItemNotFound else { return nil }
        try check(status)
        guard let found = result as? [String: Any], let value = found[kSecValueData as String] as? Data else {
            throw DoorItemsError(status: errSecDecode)
        }
        let generic = found[kSecAttrGeneric as String] as? Data ?? Data()
        return Stored(value: Array(value), generic: Array(generic))
    }

    func remove(account: String) throws(DoorItemsError) {
        let status = SecItemDelete(query(account) as NSDictionary)
        guard status != errSecItemNotFound else { return }
        try check(status)
    }

    private func query(_ account: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
    }

    private func check(_ status: OSStatus) throws(DoorItemsError) {
        guard status == errSecSuccess else { throw DoorItemsError(status: status) }
    }
}

/// What Apple's calls said, by the documented status.
struct DoorItemsError: Error, Equatable {
    let status: OSStatus

    /// The device is locked, or before first unlock.
    var isLocked: Bool { status == errSecInteractionNotAllowed }

    /// The keychain answered, and could not store: this program ends when the daemon does, so that is not it.
    var cannotWrite: Bool { status == errSecNotAvailable }
}
