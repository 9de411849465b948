package import FoundationEssentials
package import Secrets
package import Wire

/// A blocking connection to the daemon for programs of ours that read items one after the other, on one thread.
///
/// Nothing that it does asks the owner for anything: what demands presence is refused. Programs of others take
/// ``Keychain``, which has a thread of its own.
package final class ItemLink {
    /// What a walk over items left out.
    package struct LeftOut: Equatable, Sendable {
        /// Items that the lock state shuts.
        package var locked = 0
        /// Items that cannot be decoded; the keychain keeps them.
        package var damaged = 0
    }

    private let conversation: Conversation

    /// - Throws: ``TresorError`` with code `unavailable` when the daemon does not run, `untrustedServer` when somebody
    ///   else answers at its socket.
    package init(_ home: Home) throws {
        conversation = Conversation(transport: try TresorError.translating { try SocketTransport(home) })
    }

    /// Over another way than the daemon's socket, for tests.
    package init(_ transport: any Transport) { conversation = Conversation(transport: transport) }

    /// Walks over the items that match, page by page; what the lock state shuts is left out.
    ///
    /// - Parameter body: gets each item, without its secret, and may read from this link.
    package func forEach(_ query: ItemQuery, _ body: (Item) throws -> Void) throws -> LeftOut {
        var wire = query.wireForm
        wire.returns = .attributes
        wire.limit = nil
        wire.skipsLocked = true
        var leftOut = LeftOut()
        repeat {
            var items: [Item] = []
            let end: PageEnd
            do {
                end = try conversation.page(.find(wire)) { reference, attributes, _ in
                    items.append(Item(reference, attributes ?? Attributes()))
                }
            } catch let error as TresorError where error.code == .notFound { return leftOut }
            leftOut.locked += Int(end.locked)
            leftOut.damaged += Int(end.damaged)
            wire.cursor = end.next
            for item in items { try body(item) }
        } while wire.cursor != 0
        return leftOut
    }

    /// Walks over items of which a name may begin so; what does not open is left out.
    ///
    /// - Parameters:
    ///   - beginning: as somebody typed it.
    ///   - isEnough: asked behind each page.
    ///   - body: gets each item, without its secret. There may be others among them: it looks at the name itself.
    package func forEach(beginning: String, until isEnough: () -> Bool, _ body: (Item) throws -> Void) throws {
        var query = NameQuery(beginning: beginning)
        repeat {
            let end = try conversation.page(.findNames(query)) { reference, attributes, _ in
                try body(Item(reference, attributes ?? Attributes()))
            }
            query.cursor = end.next
        } while query.cursor != 0 && !isEnough()
    }

    /// The secret of one item.
    ///
    /// - Throws: ``TresorError``: `notFound`, `locked`, `presenceRequired`, `damaged`.
    package func read(_ reference: PersistentReference) throws -> SecretBytes {
        var wire = ItemQuery(reference).wireForm
        wire.returns = .data
        return try conversation.secret(wire)
    }

    /// The accounts for which there are one-time codes; what the lock state shuts is left out.
    package func oneTimeCodes() throws -> [OneTimeCodeAccount] {
        var accounts: [OneTimeCodeAccount] = []
        _ = try forEach(ItemQuery(.password)) { item in
            if let account = OneTimeCodeAccount(item) { accounts.append(account) }
        }
        return accounts
    }

    /// The code of an account.
    ///
    /// - Throws: ``TresorError``: as ``read(_:)``, and `invalidParameter` where the item holds no secret of codes that
    ///   are made here.
    package func oneTimeCode(of account: OneTimeCodeAccount, at date: Date) throws -> OneTimeCode {
        let stored = try read(account.item.reference)
        return try OneTimeCode(stored, at: date)
    }
}
