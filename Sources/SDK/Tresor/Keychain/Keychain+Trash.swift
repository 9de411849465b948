public import FoundationEssentials
import Secrets
public import Wire

/// An item that was put into the trash.
public struct TrashedItem: Sendable, Hashable {
    /// Its attributes; by its reference it is taken out again.
    public let item: Item

    /// When it was put there.
    public var trashed: Date? {
        item.attributes.date(.trashed).map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }
    }
}

/// What lies in the trash, as far as the lock state shows.
public struct TrashContents: Sendable {
    /// In the order in which the items were added.
    public fileprivate(set) var items: [TrashedItem] = []
    /// How many the lock state shuts.
    public fileprivate(set) var lockedCount = 0
    /// How many cannot be decoded; they lie there until the trash is emptied.
    public fileprivate(set) var damagedCount = 0
}

// Items that somebody has removed, and may want back.
extension Keychain {
    /// Puts every item that matches into the trash, or none.
    ///
    /// No query finds it from then on, and an item of the same primary key can be added. It stays sealed as it was, for
    /// 30 days, or as long as the owner has chosen. ``remove(_:)`` removes for good.
    ///
    ///     try await keychain.trash(.password(service: "mail.example"))
    ///
    /// - Throws: ``TresorError``: `notFound`, `locked` while a match is shut, `damaged` where nothing else matches.
    public func trash(_ query: ItemQuery) throws { try conversation.perform(.ofTrash(.put(query.wireForm))) }

    /// What lies in the trash; nothing is no error.
    ///
    /// What the lock state shuts is counted alone.
    public func trashed() throws -> TrashContents { try conversation.trashed() }

    /// Takes an item out of the trash, to where it was.
    ///
    /// The owner is not asked, whatever the item demands: reading it demands that as before.
    ///
    /// - Parameter reference: of an item that lies in the trash.
    /// - Throws: ``TresorError``: `notFound` where it does not lie there, `duplicate` where another item has its key
    ///   by now, `locked` while it is shut, `damaged`.
    public func restore(_ reference: PersistentReference) throws {
        try conversation.perform(.ofTrash(.restore(reference)))
    }

    /// Removes for good what lies in the trash, what is shut or damaged too.
    ///
    /// - Throws: ``TresorError``: `locked` before the first unlock.
    public func emptyTrash() throws { try conversation.perform(.ofTrash(.empty)) }

    /// After how many days what lies in the trash goes by itself; 0 is never.
    ///
    /// For the command `tresor` alone.
    ///
    /// - Parameter days: from now on; nil leaves it.
    /// - Returns: what holds.
    package func trashTime(days: UInt32? = nil) throws -> UInt32 {
        try conversation.reply(to: .ofTrash(.time(days: days)), .trashTime) { try $0.uint32() }
    }
}

extension Conversation {
    /// All pages of what lies there.
    fileprivate func trashed() throws -> TrashContents {
        var contents = TrashContents()
        var next: UInt64 = 0
        repeat {
            let end = try page(.ofTrash(.contents(after: next))) { reference, attributes, _ in
                contents.items.append(TrashedItem(item: Item(reference, attributes ?? Attributes())))
            }
            contents.lockedCount += Int(end.locked)
            contents.damagedCount += Int(end.damaged)
            next = end.next
        } while next != 0
        return contents
    }
}
