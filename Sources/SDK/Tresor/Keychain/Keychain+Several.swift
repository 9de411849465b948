import Secrets
import Wire

/// All that one query finds, and what was left out.
package struct FoundItems: Sendable {
    /// In the order in which they were added.
    package fileprivate(set) var items: [Item] = []
    /// How many the lock state shuts.
    package fileprivate(set) var locked = 0
    /// How many cannot be decoded; the keychain keeps them.
    package fileprivate(set) var damaged = 0

    fileprivate mutating func add(_ items: [Item], _ end: PageEnd) {
        self.items += items
        locked += Int(end.locked)
        damaged += Int(end.damaged)
    }
}

extension Keychain {
    /// All items that each of several queries finds.
    ///
    /// The queries are sent together, and so cost little more than one. What the lock state shuts is counted, and no
    /// failure.
    ///
    /// - Returns: what each query finds, in their order.
    /// - Throws: ``TresorError``; `notFound` for a keychain that is not there.
    package func findAll(_ queries: [ItemQuery]) throws -> [FoundItems] {
        let queries = queries.map { query in
            var query = query
            query.skipsLocked = true
            return query
        }
        var all: [FoundItems] = []
        for (query, first) in zip(queries, try conversation.firstPages(of: queries)) {
            var found = FoundItems()
            var (items, end) = (first.items, first.end)
            found.add(items, end)
            while end.next != 0 {
                (items, end) = try page(after: end.next, query)
                found.add(items, end)
            }
            all.append(found)
        }
        return all
    }
}

extension Conversation {
    fileprivate func firstPages(of queries: [ItemQuery]) throws -> [(items: [Item], end: PageEnd)] {
        var pages: [(items: [Item], end: PageEnd)] = []
        do {
            try transport.exchange(queries.count) { number in
                var wire = queries[number].wireForm
                wire.returns = .attributes
                wire.limit = nil
                return .find(wire)
            } _: { _, payload in
                var items: [Item] = []
                var end = PageEnd()
                var reader = ByteReader(payload)
                do {
                    try reader.expect(.page)
                    end =
                        try Page(from: &reader) { reference, attributes, _ in
                            items.append(Item(reference, attributes ?? Attributes()))
                        }.end
                    try reader.end()
                } catch let error as KeychainError where error.status == .itemNotFound {
                    // No match is an answer like any other.
                }
                pages.append((items: items, end: end))
            }
        } catch { throw TresorError.translate(error) }
        return pages
    }
}
