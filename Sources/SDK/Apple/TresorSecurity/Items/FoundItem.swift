import TresorCoreFoundation
import Foundation
import Protection
import Secrets
import Tresor
import Wire

/// What the keychain told of one item.
struct FoundItem: Sendable {
    let reference: PersistentReference
    var attributes: Attributes?
    /// The caller's from here on.
    var data: Data?
    /// How its owner is asked where its object is used later.
    var asking = OwnerAsking()

    var control: AccessControl {
        AccessControl(rawValue: UInt32(truncatingIfNeeded: attributes?.number(.accessControl) ?? 0))
    }

    /// Whether it is a private key that the enclave holds.
    var isEnclaveKey: Bool { control.contains(.privateKeyUsage) }

    /// Whether presence is demanded for reading or changing it; of the enclave's keys nothing can be read.
    var demandsPresence: Bool {
        !isEnclaveKey && (control.presence != [] || control.contains(.applicationPassword))
    }

    /// What the keychain writes for itself: no query takes it.
    private static let hidden: Set<AttributeCode> = [
        .multiUser, .accessControl, .publicKey, .enrolment, .keychainKey, .password,
    ]
}

extension Transport {
    /// Every match, page after page.
    func find(_ query: KeychainQuery) throws -> [FoundItem] {
        let wanted = query.limit
        var query = query
        var items: [FoundItem] = []
        var damaged: UInt32 = 0
        repeat {
            let end = try page(.find(query), &items)
            damaged += end.damaged
            query.cursor = end.next
            // 0 would be "all"; the loop ends before that is sent.
            query.limit = wanted.map { $0 - UInt32(min(items.count, Int($0))) }
        } while query.cursor != 0 && query.limit != 0
        // "Not found" would be a lie, and an addition would say that there is one.
        guard !items.isEmpty || damaged == 0 else { throw StatusError(errSecDecode) }
        return items
    }

    /// Sends a request and reads the page that answers it.
    @discardableResult
    func page(_ request: consuming KeychainRequest, _ items: inout [FoundItem]) throws -> PageEnd {
        var found: [FoundItem] = []
        let end = try page(request) { reference, attributes, secret in
            var item = FoundItem(reference: reference, attributes: attributes)
            if let secret { item.data = Data(copying: secret) }
            found.append(item)
        }
        items += found
        return end
    }
}

extension FoundItem {
    /// What stands in a result for this item.
    ///
    /// One thing that was asked for stands alone, several in a dictionary. An item without data has empty data alone,
    /// and none beside other things.
    ///
    /// - Throws: where an object is asked for and the item's data makes none.
    func object(_ returns: ItemReturns, _ profile: KeychainQuery.Profile) throws -> AnyObject? {
        let made = returns.contains(.reference) ? try ItemObject(self)?.object : nil
        switch returns {
        case []: return nil
        case .reference: return made
        case .data: return (data ?? Data()) as NSData
        case .persistentReference: return Data(reference.bytes) as NSData
        default: break
        }
        let dictionary = NSMutableDictionary()
        if returns.contains(.attributes) { addAttributes(to: dictionary) }
        // macOS adds the class, so that a result is a query; iOS only beside an object.
        if returns.contains(.reference) || (returns.contains(.attributes) && profile == .tolerant) {
            dictionary[kSecClass] = reference.kind.code.description as NSString
        }
        if let made { dictionary[kSecValueRef] = made }
        if returns.contains(.data), let data { dictionary[kSecValueData] = data as NSData }
        if returns.contains(.persistentReference) {
            dictionary[kSecValuePersistentRef] = Data(reference.bytes) as NSData
        }
        return dictionary
    }

    func addAttributes(to dictionary: NSMutableDictionary) {
        guard let attributes else { return }
        for (code, value) in attributes.sorted where !Self.hidden.contains(code) {
            dictionary[code.description as NSString] = value.object
        }
        guard let protectionClass = attributes.string(.protectionClass).flatMap(ProtectionClass.init(code:)) else {
            return
        }
        let flags = CFOptionFlags(attributes.number(.accessControl) ?? 0)
        dictionary[kSecAttrAccessControl] = SecAccessControl(
            protectionClass, SecAccessControlCreateFlags(rawValue: flags))
    }
}
