import TresorCoreFoundation
import Foundation
import TresorLocalAuthentication
import Secrets
import Tresor
import Wire

/// The four calls, with their dictionaries read and their results not yet in Apple's shape.
struct ItemCalls {
    let link: SharedTransport

    /// - Returns: the added item, with what its caller wants back.
    func add(_ item: ItemDictionary) throws -> FoundItem {
        try refuseObjects(item)
        let returnsAttributes = item.returns.contains(.attributes)
        var added = try link.withTransport { transport in
            var items: [FoundItem] = []
            try transport.page(
                .add(
                    ItemAddition(
                        kind: item.kind, attributes: item.attributes, secret: try item.lockedSecret(),
                        returns: item.returns.native)), &items)
            guard let added = items.first else { throw DecodingError.invalid }
            guard returnsAttributes else { return added }
            return try transport.find(Self.query(added.reference, .attributes)).first ?? added
        }
        if item.returns.contains(.data) { added.data = item.secret }
        return added
    }

    /// - Returns: at least one.
    func find(_ query: ItemDictionary) throws -> [FoundItem] {
        try refuseObjects(query)
        do {
            return try link.withTransport { try $0.find(query.query) }
        } catch let error as KeychainError where error.reason == .presenceRequired {
            return try findWithOwner(query)
        }
    }

    /// Lists the matches, which needs no presence, and reads them one by one.
    private func findWithOwner(_ query: ItemDictionary) throws -> [FoundItem] {
        var listing = query.query
        listing.returns = .attributes
        let listed = try link.withTransport { try $0.find(listing) }
        var rounds = OwnerRounds(query, link)
        var items: [FoundItem] = []
        var last: KeychainError?
        for item in listed {
            do {
                items.append(try read(item, &rounds))
            } catch let error as KeychainError where query.limit != 1 && error.concernsOneItem {
                last = error
            }
        }
        if items.isEmpty, let last { throw last }
        return items
    }

    private func read(_ item: FoundItem, _ rounds: inout OwnerRounds) throws -> FoundItem {
        let query = Self.query(item.reference, .data)
        let found =
            item.demandsPresence
            ? try rounds.permit(.read, on: [item]) { try $0.find(query) }
            : try link.withTransport { try $0.find(query) }
        var read = item
        read.data = found.first?.data
        return read
    }

    func update(_ query: ItemDictionary, _ changes: ItemDictionary) throws {
        do {
            try link.withTransport { try Self.update($0, query, changes) }
        } catch let error as KeychainError where error.reason == .presenceRequired {
            var listing = query.query
            listing.returns = .attributes
            listing.limit = nil
            let protected = try link.withTransport { try $0.find(listing) }.filter(\.demandsPresence)
            var rounds = OwnerRounds(query, link)
            try rounds.permit(.change, on: protected) { try Self.update($0, query, changes) }
        }
    }

    func remove(_ query: ItemDictionary) throws { try link.withTransport { try $0.perform(.remove(query.query)) } }

    private static func update(
        _ transport: any Transport, _ query: ItemDictionary, _ changes: ItemDictionary
    ) throws {
        var attributes = changes.attributes
        if changes.matchesAnySynchronizable { attributes[.synchronizable] = nil }
        try transport.perform(
            .update(ItemUpdate(query: query.query, changes: attributes, secret: try changes.lockedSecret())))
    }

    private static func query(_ reference: PersistentReference, _ returns: KeychainQuery.Returns) -> KeychainQuery {
        var query = KeychainQuery()
        query.persistentReference = reference
        query.returns = returns
        return query
    }

    /// Certificates and keys are kept, but not given out as objects, nor judged.
    private func refuseObjects(_ dictionary: ItemDictionary) throws {
        let code = dictionary.kind ?? dictionary.reference?.kind.code
        guard let kind = code.flatMap(ItemKind.init(code:)) else { return }
        switch kind {
        case .password, .internetPassword: return
        case .certificate, .key:
            guard !dictionary.returns.contains(.reference), !dictionary.narrowsCertificates else {
                throw StatusError(errSecUnimplemented)
            }
        }
    }
}

extension KeychainError {
    /// Whether a list can do without the item: it went away meanwhile, or is damaged and kept.
    fileprivate var concernsOneItem: Bool { status == .itemNotFound || reason == .damagedItem }
}
