package import SoughtNames
package import Tresor
import Wire

/// Finds items by a name that people know, over all kinds of them.
///
/// What bears exactly that name is found through the store's index, however many items there are. Only where there is
/// nothing of the kind, the attributes of all items are read, once, and the best ``NameTier`` counts. Secrets are never
/// read.
///
///     let found = try await NamedItems(in: keychain).find("github")
package struct NamedItems: Sendable {
    /// What an item must be besides having the name.
    package struct Narrowing: Sendable {
        /// The kinds that are searched.
        package var kinds: [ItemKind] = ItemKind.allCases
        /// The account's name, exactly; what has no accounts is left out then.
        package var account: String?
        /// The keychain, exactly.
        package var keychain: String?
        /// Whatever else an item must be.
        package var accepts: @Sendable (Item) -> Bool = { _ in true }

        /// Takes every item.
        package init() {}

        /// Whether the index is asked for more than a kind.
        package var isByAttributes: Bool { account != nil || keychain != nil }

        /// What narrows a search of one kind; nil where the kind has no such thing.
        package func attributes(of kind: ItemKind) -> ItemAttributes? {
            var attributes = ItemAttributes()
            attributes.keychain = keychain
            guard let account else { return attributes }
            guard kind == .password || kind == .internetPassword else { return nil }
            attributes.account = account
            return attributes
        }
    }

    /// What has the name, and what could not be looked at.
    package struct Found: Sendable {
        /// How well the name fits what was found; nil where nothing was.
        package fileprivate(set) var tier: NameTier?
        /// All that it fits so well, in the order in which they were added, kind by kind.
        package fileprivate(set) var items: [Item] = []
        /// A query that something matches which the lock state shuts.
        package fileprivate(set) var locked: ItemQuery?
        /// How many items the lock state kept from being looked at.
        package fileprivate(set) var lockedCount = 0
        /// How many items cannot be decoded; with a ``tier`` of `exact`, of those that have the name.
        package fileprivate(set) var damagedCount = 0
        /// Up to three names that are nearly this one, where nothing was found.
        package fileprivate(set) var similar: [String] = []
    }

    private let keychain: Keychain
    private let narrowing: Narrowing

    /// - Parameter narrowing: what is searched; everything, where it is not said.
    package init(in keychain: Keychain, _ narrowing: Narrowing = Narrowing()) {
        self.keychain = keychain
        self.narrowing = narrowing
    }

    /// Finds what a name means.
    ///
    /// - Throws: `TresorError`; `notFound` for a keychain that is not there. That nothing has the name is no error.
    package func find(_ name: String) async throws -> Found {
        let exact = try await findExact(name)
        guard exact.items.isEmpty && exact.locked == nil && exact.damagedCount == 0 else { return exact }
        return try await findAmongAll(SoughtName(name))
    }

    // MARK: by the index

    private func findExact(_ name: String) async throws -> Found {
        let queries = exactQueries(name)
        var found = Found()
        found.tier = .exact
        var known: Set<PersistentReference> = []
        for (query, answer) in zip(queries, try await keychain.findAll(queries)) {
            // One that is called so twice, as by service and by label, is one.
            found.items += answer.items.filter { narrowing.accepts($0) && known.insert($0.reference).inserted }
            if answer.locked > 0 { found.locked = found.locked ?? query }
            found.lockedCount = max(found.lockedCount, answer.locked)
            found.damagedCount = max(found.damagedCount, answer.damaged)
        }
        found.items = Self.withoutParts(found.items)
        return found
    }

    private func exactQueries(_ name: String) -> [ItemQuery] {
        var queries: [ItemQuery] = []
        for kind in narrowing.kinds {
            for path in Self.names(of: kind) {
                guard var attributes = narrowing.attributes(of: kind) else { continue }
                // Who asks for another account does not mean that it is called so.
                guard attributes[keyPath: path] == nil || attributes[keyPath: path] == name else { continue }
                attributes[keyPath: path] = name
                queries.append(ItemQuery(kind, attributes))
            }
        }
        return queries
    }

    /// What items of a kind may be known by.
    private static func names(of kind: ItemKind) -> [WritableKeyPath<ItemAttributes, String?>] {
        switch kind {
        case .password: [\.service, \.label, \.account]
        case .internetPassword: [\.server, \.label, \.account]
        case .certificate: [\.label]
        case .key: [\.label, \.applicationTag]
        }
    }

    // MARK: among all

    private func findAmongAll(_ name: SoughtName) async throws -> Found {
        let queries = narrowing.kinds.compactMap { kind in narrowing.attributes(of: kind).map { ItemQuery(kind, $0) } }
        var found = Found()
        var all: [Item] = []
        for (query, answer) in zip(queries, try await keychain.findAll(queries)) {
            all += answer.items.filter(narrowing.accepts)
            if answer.locked > 0 { found.locked = found.locked ?? query }
            found.lockedCount += answer.locked
            found.damagedCount += answer.damaged
        }
        let best = name.best(of: all) { $0.knownNames }
        (found.tier, found.items) = (best.tier, Self.withoutParts(best.values))
        if found.items.isEmpty { found.similar = name.similar(among: all.flatMap(\.knownNames)) }
        return found
    }

    /// Leaves out what an import put beside a login that is there as well: its one-time code, notes and fields.
    private static func withoutParts(_ items: [Item]) -> [Item] {
        guard items.count > 1 else { return items }
        var logins: Set<PartName> = []
        for login in items where login.part == nil {
            for title in [login.label, login.service, login.server] {
                if let title, !title.isEmpty { logins.insert(PartName(title: title, account: login.account ?? "")) }
            }
        }
        return items.filter { item in
            guard item.part != nil, let name = PartName(of: item) else { return true }
            return !logins.contains(name)
        }
    }
}

/// Whose part an item is: the service of a part is its login's title, and in parentheses what it is.
private struct PartName: Hashable {
    let title: String
    let account: String
}

extension PartName {
    init?(of part: Item) {
        guard let service = part.service, let place = service.ranges(of: " (").last else { return nil }
        self.init(title: String(service[..<place.lowerBound]), account: part.account ?? "")
    }
}

extension Item {
    /// What people may know it by, none of it empty.
    package var knownNames: [String] {
        let names = [service, server, label, account, applicationTag].compactMap { $0 }.filter { !$0.isEmpty }
        // All of them have one service.
        guard let wifiNetwork else { return names }
        return [wifiNetwork] + names.filter { $0 != wifiNetwork }
    }

    /// What it is called where there is room for one name: by this it is found again.
    package var bestName: String { knownNames.first ?? "" }
}
