import Linux
package import Protection
package import Secrets
package import Wire

/// The items of all keychains of a home, sealed in one SQLite database.
///
/// What it does is done by its parts, each with a state of its own: ``ItemDatabase`` has the database, ``ClassAccess``
/// the keystore and what its lock state permits, ``StoreKeys`` the keys that are held while their class is open,
/// ``ItemRules`` what an item must be, and ``DamageLook`` how far a look at everything has come. The others are values
/// over these.
///
/// Not thread-safe, on purpose: one thread owns it, so that a check and the act that follows it are never apart, and
/// what an opened item left on the stack lies on one stack.
package final class KeychainStore {
    let storage: ItemDatabase
    let classes: ClassAccess
    let keys: StoreKeys
    let table: ItemTable
    let rules: ItemRules
    let counts: ItemCounts
    private let search: ItemSearch
    let shelf: NameShelf
    private let nameSearch: NameSearch
    private let writer: ItemWriter
    private let privateKeys: PrivateKeyItems
    let itemPurge: ItemPurge
    private let damageLook: DamageLook
    let trash: ItemTrash
    private let storeLineage: StoreLineage
    /// Groups of what the store keeps for itself in which something could not be read when they were last looked at.
    package private(set) var damagedGroups: Set<String> = []

    /// - Parameters:
    ///   - path: the database's file, or nil for one in memory.
    ///   - tellMended: gets what was damaged and has been made good, in words for a log.
    ///   - steadyClock: milliseconds since the machine started, which nobody sets.
    ///   - clock: microseconds since 1970-01-01 00:00 UTC.
    /// - Throws: `KeychainError` with reason `damagedStore` when the file is not a keychain of ours, ``NewerStore``.
    package init(
        path: String?, keystore: any Keystore, tellMended: @escaping (String) -> Void = { _ in },
        steadyClock: @escaping () -> UInt64 = SystemClock.bootMilliseconds,
        clock: @escaping () -> Int64
    ) throws {
        let spare = path.map(Schema.spare)
        storage = try ItemDatabase(path: path, spare: spare, tellMended: tellMended)
        classes = ClassAccess(keystore: keystore)
        keys = StoreKeys(storage: storage, classes: classes, spare: spare, tellMended: tellMended)
        let seal = RowSeal(storage: storage, classes: classes, keys: keys)
        let copies = SecondCopies(
            spare: spare, storage: storage, classes: classes, keys: keys, seal: seal, tellMended: tellMended)
        table = ItemTable(storage: storage, classes: classes, keys: keys, seal: seal, copies: copies)
        rules = ItemRules(table: table)
        counts = ItemCounts(table: table, rules: rules)
        search = ItemSearch(table: table, rules: rules)
        shelf = try NameShelf()
        nameSearch = NameSearch(table: table, shelf: shelf)
        privateKeys = PrivateKeyItems(table: table)
        writer = ItemWriter(table: table, rules: rules, privateKeys: privateKeys, clock: clock)
        itemPurge = ItemPurge(table: table)
        damageLook = DamageLook(table: table, path: path)
        trash = ItemTrash(
            table: table, rules: rules, writer: writer, ages: TrashAges(clock: clock, steadyClock: steadyClock))
        storeLineage = StoreLineage(storage: storage, spare: spare)
    }

    // MARK: keys and lock state

    /// The store's identifier, to which every row of it is bound.
    package var storeID: Identifier { storage.storeID }

    /// When the present lock state began, for the words of an error; microseconds since 1970.
    package var stateSince: Int64 {
        get { classes.stateSince }
        set { classes.stateSince = newValue }
    }

    /// Gives the enrolment state of now, 32 bytes: which fingers the owner has enrolled.
    ///
    /// Where there is no reader, which is so at first, it throws `KeychainError` with reason `biometryUnavailable`.
    package var enrolment: () throws -> [UInt8] {
        get { rules.enrolment }
        set { rules.enrolment = newValue }
    }

    /// The keychains that the owner has made, and which of them takes new items.
    package internal(set) var directory: KeychainDirectory {
        get { rules.directory }
        set { rules.directory = newValue }
    }

    /// Forgets the keys that the lock state no longer permits.
    package func evictKeys() {
        keys.evict()
        shelf.forget()
    }

    /// Forgets what a lock will shut, before anybody is asked.
    package func evictKeysOfUnlockedDevice() {
        keys.evictOfUnlockedDevice()
        shelf.forget()
    }

    /// Goes on with a fresh enclave; what the old one opened is forgotten.
    package func replaceKeystore(_ fresh: any Keystore) {
        evictAllKeys()
        classes.replace(keystore: fresh)
    }

    /// Forgets every key, because class keys were replaced.
    package func evictAllKeys() {
        keys.evictAll()
        shelf.forget()
    }

    // MARK: items

    /// Adds an item.
    ///
    /// - Returns: its persistent reference.
    /// - Throws: `KeychainError`: −25299 when its primary key is taken, −25308 while its class is locked, −25293 for
    ///   `akpu` without a passcode, −34018 for a foreign access group, −50 and its kin for bad parameters.
    package func add(_ item: borrowing ItemAddition, caller: Caller) throws -> PersistentReference {
        try writer.add(item, caller: caller)
    }

    /// From now on items that are added are acknowledged together, by ``endBatch()``.
    package func beginBatch() throws { try storage.beginBatch() }

    /// Whether items were added that wait for ``endBatch()``.
    package var isInBatch: Bool { storage.isInBatch }

    /// Waits until all that was added is on the disk.
    ///
    /// - Throws: `KeychainError`; then nothing of it may be acknowledged.
    package func endBatch() throws { try keys.endBatch() }

    /// Finds items and writes a page of them.
    ///
    /// - Returns: where to go on, and what was left out.
    /// - Throws: `KeychainError`: −25300 when nothing matches, −25308 when the lock state shuts a match, −26275
    ///   when the one match does not decode, −50, −25303, −25306, −34018 as documented.
    package func find(
        _ query: KeychainQuery, caller: Caller, into page: inout PageWriter, _ buffer: inout SecretBuffer
    ) throws -> PageEnd {
        try search.find(query, caller: caller, into: &page, &buffer)
    }

    /// Finds items of which a name begins so, and writes a page of them: see specs/wire.md, "What a name begins with".
    ///
    /// - Returns: where to go on.
    /// - Throws: `KeychainError`: −25308 where no index is open.
    package func findNames(
        _ query: NameQuery, caller: Caller, into page: inout PageWriter, _ buffer: inout SecretBuffer
    ) throws -> PageEnd {
        try nameSearch.find(query, caller: caller, into: &page, &buffer)
    }

    /// Changes every match, or, if one cannot be changed, none.
    ///
    /// Matches that are damaged stay as they are.
    ///
    /// - Throws: `KeychainError`: −25300 when nothing matches, −26275 when nothing but damaged items does, −25299 when
    ///   a changed primary key is taken, −25308 while a match is locked, −25293 when one demands the owner's presence,
    ///   −50 when nothing is to be changed.
    package func update(_ update: borrowing ItemUpdate, caller: Caller) throws {
        try writer.update(update, caller: caller)
    }

    /// Removes every match; synchronizable ones leave a tombstone unless the query says otherwise.
    ///
    /// Local items can be removed while they are locked, where the index alone tells that they match. Damaged ones
    /// stay, unless they are named by their reference.
    ///
    /// - Throws: `KeychainError`: −25300 when nothing matches, −25308 where the lock state hides whether something
    ///   does.
    package func remove(_ query: KeychainQuery, caller: Caller) throws {
        try remove(query, caller: caller, withRows: [])
    }

    /// The same, and with the matches all of `others`, or nothing at all.
    func remove(_ query: KeychainQuery, caller: Caller, withRows others: [Int64]) throws {
        try writer.remove(query, caller: caller, withRows: others)
    }

    /// Signs with a key of the enclave's, or agrees on a secret.
    ///
    /// - Returns: ECDSA's two numbers in DER, or the X coordinate of the shared point.
    /// - Throws: `KeychainError`: −25300 where no such key can be reached, −25293 where it demands the owner's
    ///   presence, −25308 while it is locked, −50 for an item that is no such key and for a hash or point that is none.
    package func use(_ use: KeyUse, caller: Caller) throws -> SecretBytes {
        try privateKeys.use(use, caller: caller)
    }

    /// Removes every item of a group.
    ///
    /// Tombstones stay, as they do when an item is removed: other devices have still to hear of them.
    ///
    /// - Returns: how many there were.
    /// - Throws: −25308 where the lock state hides whose an item is: then nothing is removed.
    package func purge(group: String) throws -> Int { try itemPurge.purge(group: group) }

    /// How many of the owner's items each class has; tombstones are not items.
    ///
    /// While the index is shut, or damaged, those of our own programs are counted as well.
    package func itemsPerClass() throws -> [ProtectionClass: UInt64] { try counts.itemsPerClass() }

    /// How many items each access group has, as far as the lock state shows.
    ///
    /// - Returns: the groups' items, and how many items are shut or do not decode.
    package func itemsPerGroup() throws -> (items: [String: UInt32], hidden: UInt32) { try counts.itemsPerGroup() }

    // MARK: upkeep

    /// Whether deleted or replaced bytes may still lie in the write-ahead log; at first those that a kill left there.
    package var needsScrub: Bool { storage.needsScrub }

    /// Overwrites what deleted and replaced rows left in the write-ahead log.
    package func scrub() throws { try storage.scrub() }

    /// Gives the pages back that the database has read and keeps.
    package func releaseMemory() { storage.releaseMemory() }

    /// Removes the rows whose class keys were destroyed on purpose, and gives what is left new tags where the index key
    /// went with them.
    ///
    /// Safe to repeat after a crash.
    ///
    /// - Parameter destroyed: class keys, by the enclave's word.
    package func purge(destroyed: [Identifier]) throws { try itemPurge.purge(destroyed: destroyed) }

    /// Whether the device was reset or erased, and what follows from it for identifiers is not done yet.
    package func wasReset() throws -> Bool { try itemPurge.wasReset() }

    /// Whether rows still wait for tags under a new index key.
    package func isRetagging() throws -> Bool { try storage.isRetagging() }

    /// Brings back items of Tresor's own that are not there any more, or that nothing leads to, and takes copies of
    /// those that have none.
    package func settleSpareItems() { table.copies.settle() }

    /// Looks at the rows behind one, opening each, until others have waited long enough.
    ///
    /// - Parameters:
    ///   - row: ``ItemLook/next`` of the part before; 0 at first.
    ///   - isDue: whether they have.
    package func look(after row: UInt64, until isDue: () -> Bool) throws -> ItemLook {
        try damageLook.look(after: row, until: isDue)
    }

    /// The items that did not decode when they were last looked at.
    package func quarantined() throws -> [PersistentReference] { try counts.quarantined() }

    /// The groups of items that the store keeps for itself.
    package static var hiddenGroups: Set<String> { HiddenItems.groups }

    func noteDamage(in group: String, count: UInt32) {
        if count > 0 { damagedGroups.insert(group) } else { damagedGroups.remove(group) }
    }

    // MARK: the enclave's keybag

    /// Whether the store knows of this generation already, by the enclave's witness.
    package func hasRecorded(generation: UInt64) throws -> Bool {
        let record = try storeLineage.recorded()
        return record.generation == generation && !record.witness.isEmpty
    }

    /// Compares a keybag with what was recorded; ``record(keybag:generation:witness:)`` brings the record up to date.
    ///
    /// - Parameters:
    ///   - keybag: its identifier.
    ///   - generation: how often it was written.
    ///   - isAuthentic: whether the enclave knows the record: the store's identifier, the generation, 0 where none is
    ///     recorded, and the witness.
    package func checkLineage(
        keybag: Identifier, generation: UInt64, isAuthentic: (Identifier, UInt64, [UInt8]) throws -> Bool
    ) throws -> Lineage {
        try storeLineage.check(keybag: keybag, generation: generation, isAuthentic: isAuthentic)
    }

    /// - Parameter witness: the enclave's, of this generation for this store.
    package func record(keybag: Identifier, generation: UInt64, witness: [UInt8]) throws {
        try storeLineage.record(keybag: keybag, generation: generation, witness: witness)
    }
}

// The replies to item requests, the same behind tresord's socket and in a keychain for tests.
extension KeychainStore {
    /// Adds an item and appends the reply frame.
    package func answerAdd(
        _ item: borrowing ItemAddition, id: UInt32, caller: Caller, into output: inout SecretBuffer
    ) throws {
        let reference = try add(item, caller: caller)
        let frame = try KeychainReply.begin(id: id, .page, in: &output)
        var page = try PageWriter(in: &output)
        try page.append(reference, attributes: nil, secret: nil, into: &output)
        try page.end(PageEnd(), in: &output)
        StreamFrame.end(frame, in: &output)
    }

    /// Finds items and appends the reply frame.
    package func answerFind(
        _ query: KeychainQuery, id: UInt32, caller: Caller, into output: inout SecretBuffer
    ) throws {
        try answerPage(id: id, into: &output) { try find(query, caller: caller, into: &$0, &$1) }
    }

    /// Finds items of which a name begins so, and appends the reply frame.
    package func answerFindNames(
        _ query: NameQuery, id: UInt32, caller: Caller, into output: inout SecretBuffer
    ) throws {
        try answerPage(id: id, into: &output) { try findNames(query, caller: caller, into: &$0, &$1) }
    }

    /// Appends the reply frame of a page that `body` writes.
    func answerPage(
        id: UInt32, into output: inout SecretBuffer,
        _ body: (inout PageWriter, inout SecretBuffer) throws -> PageEnd
    ) throws {
        let frame = try KeychainReply.begin(id: id, .page, in: &output)
        var page = try PageWriter(in: &output)
        let end = try body(&page, &output)
        try page.end(end, in: &output)
        StreamFrame.end(frame, in: &output)
    }
}
