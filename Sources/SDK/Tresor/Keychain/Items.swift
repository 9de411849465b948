import Secrets
import Wire

/// The items that match a query, page by page as they are asked for.
///
///     for try await item in keychain.items(.init(.password)) { print(item.label ?? "") }
public struct Items: AsyncSequence, Sendable {
    let keychain: Keychain
    let query: ItemQuery

    /// Walks over the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let keychain: Keychain
        private let query: ItemQuery
        private var page: [Item] = []
        private var next = 0
        private var cursor: UInt64?
        private var hasBegun = false
        /// Items left out so far because they cannot be decoded; they are kept, and status lists them.
        public private(set) var damagedCount = 0
        /// Items left out so far because the lock state shuts them, where the query asked for that.
        public private(set) var lockedCount = 0

        init(_ items: Items) {
            keychain = items.keychain
            query = items.query
            cursor = 0
        }

        /// The next item, or nil after the last.
        ///
        /// No match at all is an empty sequence, not an error.
        ///
        /// - Throws: ``TresorError`` with code `locked` at the first item that the lock state shuts.
        public mutating func next() async throws -> Item? {
            while next >= page.count {
                guard let cursor, !hasBegun || cursor != 0 else { return nil }
                hasBegun = true
                guard try await turn(after: cursor) else { return nil }
            }
            defer { next += 1 }
            return page[next]
        }

        private mutating func turn(after cursor: UInt64) async throws -> Bool {
            do {
                let turned = try await keychain.page(after: cursor, query)
                page = turned.items
                next = 0
                damagedCount += Int(turned.end.damaged)
                lockedCount += Int(turned.end.locked)
                self.cursor = turned.end.next == 0 ? nil : turned.end.next
                return !page.isEmpty
            } catch let error as TresorError where error.status == KeychainStatus.itemNotFound.rawValue {
                self.cursor = nil
                return false
            }
        }
    }

    /// Begins at the first item.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension Keychain {
    /// The items that match, in the order in which they were added.
    nonisolated public func items(_ query: ItemQuery) -> Items { Items(keychain: self, query: query) }
}
