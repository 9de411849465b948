public import TresorCoreFoundation
public import Foundation
import Tresor
import Wire

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Adds an item.
///
///     let item: [CFString: Any] = [
///         kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: "anna",
///         kSecValueData: secret,
///     ]
///     let status = SecItemAdd(item as CFDictionary, nil)
///
/// - Parameters:
///   - attributes: the class, attributes and `kSecValueData`; `kSecReturn…` for what `result` gets.
///   - result: gets what was asked for, in the shape that ``SecItemCopyMatching(_:_:)`` describes, or nil.
/// - Returns: `errSecSuccess`; `errSecDuplicateItem` where the primary key is taken; `errSecParam`,
///   `errSecNoSuchAttr` and `errSecNoSuchClass` for a dictionary that is wrong; `errSecInteractionNotAllowed` while the
///   class is locked; `errSecAuthFailed` for what needs a passcode where none is set; `errSecMissingEntitlement` for
///   others' access groups; `errSecUnimplemented` for an access control that can't be enforced; `errSecNotAvailable`
///   where the daemon does not run.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let link = SharedTransport.process
    let profile = link.profile
    return status {
        let item = try ItemDictionary(attributes, for: .add, profile)
        let calls = ItemCalls(link: link)
        let added =
            item.isIdentity
            ? try calls.addIdentity(item).object(item.returns, profile)
            : try calls.add(item).object(item.returns, profile)
        store(added, at: result)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Finds items.
///
/// Attributes compare exactly; a string and the same bytes as data are equal. Without `kSecAttrSynchronizable`, only
/// items are found that are not synchronizable. Without a `kSecReturn…`, the status alone tells whether something
/// matches.
///
/// - Parameters:
///   - query: the class and attributes, or a persistent reference; `kSecMatchLimit`; `kSecReturn…`.
///   - result: gets the item for a limit of one, which is the default, and an array for any other. An item is its data,
///     its attributes or its persistent reference where one of them is asked for, and a dictionary of them where
///     several are.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecInteractionNotAllowed` where the lock state shuts a match,
///   or the owner would have to be asked and may not be; `errSecAuthFailed` where presence was not proved;
///   `errSecUserCanceled`; `errSecDecode` where the one match does not decode; else as ``SecItemAdd(_:_:)``.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let link = SharedTransport.process
    let profile = link.profile
    return status {
        let dictionary = try ItemDictionary(query, for: .find, profile)
        let objects = try ItemCalls(link: link).objects(dictionary)
        guard dictionary.limit != 1 else { return store(objects.first, at: result) }
        // An empty array would say that nothing was found.
        store(objects.isEmpty ? nil : objects as NSArray, at: result)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Changes every item that matches, or, where one can't be changed, none.
///
/// - Parameters:
///   - query: which items, as in ``SecItemCopyMatching(_:_:)``; there is no limit.
///   - attributesToUpdate: the attributes that shall be different, and `kSecValueData` for a new secret.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecDuplicateItem` where a changed primary key is taken;
///   `errSecParam` where nothing is to be changed; else as ``SecItemCopyMatching(_:_:)``.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    let link = SharedTransport.process
    let profile = link.profile
    return status {
        let query = try ItemDictionary(query, for: .update, profile)
        let changes = try ItemDictionary(attributesToUpdate, for: .changes, profile)
        // Which of the two would be changed?
        guard !query.isIdentity else { throw StatusError(errSecUnimplemented) }
        try ItemCalls(link: link).update(query, changes)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Removes every item that matches.
///
/// - Parameter query: which items, as in ``SecItemCopyMatching(_:_:)``; there is no limit. ``kSecMatchItemList`` names
///   those that are meant: objects, or persistent references.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; else as ``SecItemCopyMatching(_:_:)``. Presence is not needed.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    let link = SharedTransport.process
    let profile = link.profile
    return status {
        let query = try ItemDictionary(query, for: .remove, profile)
        try ItemCalls(link: link).removeAll(query)
    }
}
