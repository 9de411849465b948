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
        if case .key(let key)? = item.object, case .enclaveKey(let held) = key.holding {
            // It was kept when it was made, or is gone for good.
            _ = try link.withTransport { try $0.find(Self.query(held.item.reference, [])) }
            throw KeychainError(.duplicateItem)
        }
        let returnsAttributes = item.nativeReturns.contains(.attributes)
        var added = try link.withTransport { transport in
            if item.wantsPassword {
                let next = Identifier(high: 0, low: 0)
                try transport.perform(.giveItemPassword(OwnerRounds(item.asking, link).password(for: next)))
            }
            var items: [FoundItem] = []
            try transport.page(
                .add(
                    ItemAddition(
                        kind: item.kind, attributes: item.attributes, secret: try item.lockedSecret(),
                        returns: item.nativeReturns)), &items)
            guard let added = items.first else { throw DecodingError.invalid }
            guard returnsAttributes else { return added }
            return try transport.find(Self.query(added.reference, .attributes)).first ?? added
        }
        added.asking = item.asking
        guard item.nativeReturns.contains(.data) else { return added }
        added.data = try item.object.map { try $0.secret().withBytes { Data(copying: $0) } } ?? item.secret
        return added
    }

    /// Every match as it stands in a result.
    ///
    /// A list leaves out what is no object though one is asked for, as it leaves out what is damaged; where nothing is
    /// left, and where one item is asked for, the call fails.
    func objects(_ query: ItemDictionary) throws -> [AnyObject] {
        let made: [() throws -> AnyObject?] =
            query.isIdentity
            ? try findIdentities(query).map { item in { try item.object(query.returns, query.profile) } }
            : try find(query).map { item in { try item.object(query.returns, query.profile) } }
        var objects: [AnyObject] = []
        var last: StatusError?
        for make in made {
            do {
                if let object = try make() { objects.append(object) }
            } catch let error as StatusError where query.limit != 1 { last = error }
        }
        if objects.isEmpty, let last { throw last }
        return objects
    }

    /// - Returns: at least one.
    func find(_ query: ItemDictionary) throws -> [FoundItem] {
        try matches(query).map {
            var item = $0
            item.asking = query.asking
            return item
        }
    }

    private func matches(_ query: ItemDictionary) throws -> [FoundItem] {
        // Passwords have nothing that these could look at.
        let isAboutCertificates = (query.kind ?? query.reference?.kind.code).flatMap(ItemKind.init(code:))
            .map { $0 == .certificate || $0 == .key }
        if query.narrowsCertificates && isAboutCertificates == true { throw StatusError(errSecUnimplemented) }
        do {
            return try link.withTransport { try $0.find(query.query) }
        } catch let error as KeychainError where error.demandsOwner {
            return try findWithOwner(query)
        }
    }

    /// Lists the matches, which needs no presence, and reads them one by one.
    private func findWithOwner(_ query: ItemDictionary) throws -> [FoundItem] {
        var listing = query.query
        listing.returns = .attributes
        let listed = try link.withTransport { try $0.find(listing) }
        var rounds = OwnerRounds(query.asking, link)
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
        } catch let error as KeychainError where error.demandsOwner {
            var listing = query.query
            listing.returns = .attributes
            listing.limit = nil
            let protected = try link.withTransport { try $0.find(listing) }.filter(\.demandsPresence)
            var rounds = OwnerRounds(query.asking, link)
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
}

extension KeychainError {
    /// Whether a list can do without the item: it went away meanwhile, or is damaged and kept.
    fileprivate var concernsOneItem: Bool { status == .itemNotFound || reason == .damagedItem }
}
