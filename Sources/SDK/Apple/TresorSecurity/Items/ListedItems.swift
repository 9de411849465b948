import TresorCoreFoundation
import Foundation
import Wire

// Removals of the items that a list names (``kSecMatchItemList``).
extension ItemCalls {
    /// Removes each of the listed items that matches, or, where there is no list, all that match.
    ///
    /// - Throws: `errSecItemNotFound` where none of them is there; `errSecParam` for what names no item, before any is
    ///   removed.
    func removeAll(_ query: ItemDictionary) throws {
        guard let list = query.listed else { return try removeMatches(query) }
        let each = try list.map { try query.narrowed(to: $0) }
        var isAnyThere = false
        for one in each {
            do {
                try removeMatches(one)
                isAnyThere = true
            } catch let error as KeychainError where error.status == .itemNotFound { continue }
        }
        guard isAnyThere else { throw KeychainError(.itemNotFound) }
    }

    private func removeMatches(_ query: ItemDictionary) throws {
        if query.isIdentity { try removeIdentities(query) } else { try remove(query) }
    }
}

extension ItemDictionary {
    /// The same for one item: an object of its own type, or a persistent reference.
    fileprivate func narrowed(to item: AnyObject) throws -> ItemDictionary {
        guard object == nil, reference == nil else { throw StatusError(errSecParam) }
        var one = self
        one.listed = nil
        if let data = item as? NSData {
            try one.takeReference([UInt8](Data(referencing: data)))
        } else {
            guard let object = ItemObject(item) else { throw StatusError(errSecParam) }
            one.object = object
            try one.settleObject()
        }
        return one
    }
}
