import DurableDatabase
import EnclaveWire
import Envelopes
import FoundationEssentials
import GRDB
import Linux
import Protection
package import Secrets
import StoreTables
package import Wire

/// A later version of Tresor has written the database, in a format that this one does not know.
package struct NewerStore: Error, Equatable, Sendable {
    package let format: Int
}

/// The items of one keychain, sealed in one SQLite database.
///
/// Not thread-safe, on purpose: one thread owns it, so that a check and the act that follows it are never apart, and
/// what an opened item left on the stack lies on one stack.
package final class KeychainStore {
    private let durable: DurableDatabase
    var database: DatabaseQueue { durable.queue }
    private(set) var keystore: any Keystore
    /// Microseconds since 1970.
    let clock: () -> Int64
    /// The store's identifier.
    package internal(set) var keychain: Identifier
    /// The keys under which all items lie, once more; nil for a store in memory.
    let spare: SpareDatabase?
    private let path: String?
    /// An earlier copy of this keychain, if one lies there to take from.
    private(set) lazy var source = path.flatMap { ItemSource(beside: $0) }
    /// Gets what was damaged or missing and has been made good from the spare, in words for a log.
    let tellMended: (String) -> Void
    private var tableKeys: [ProtectionClass: CachedKey] = [:]
    private var indexKeys: [ProtectionClass: CachedKey] = [:]
    /// How many rows a look at everything has, once it has begun.
    var lookTotal: UInt64?
    /// For the next items of a group.
    var keysAhead = RowKeysAhead()
    /// What groups' tags are under the present index key.
    var groupTags: [GroupName: [UInt8]] = [:]
    /// When the present lock state began, for the words of an error.
    package var stateSince: Int64 = 0
    /// Whether deleted or replaced bytes may still lie in the write-ahead log; at first those that a kill left there.
    package internal(set) var needsScrub = true
    /// The keychains that the owner has made, and which of them takes new items.
    package internal(set) var directory = KeychainDirectory()
    /// Groups of what the store keeps for itself in which something could not be read when they were last looked at.
    package private(set) var damagedGroups: Set<String> = []
    /// The enrolment state of now, 32 bytes: which fingers the owner has enrolled.
    package var enrolment: () throws -> [UInt8] = { throw KeychainError(.notAvailable, .biometryUnavailable) }

    /// - Parameters:
    ///   - path: the database's file, or nil for one in memory.
    ///   - clock: microseconds since 1970-01-01 00:00 UTC.
    ///   - tellMended: gets what was damaged and has been made good, in words for a log.
    /// - Throws: `KeychainError` with reason `damagedStore` when the file is not a keychain of ours, ``NewerStore``.
    package init(
        path: String?, keystore: any Keystore, tellMended: @escaping (String) -> Void = { _ in },
        clock: @escaping () -> Int64
    ) throws {
        self.keystore = keystore
        self.clock = clock
        self.tellMended = tellMended
        let spare = path.map(Schema.spare)
        self.spare = spare
        self.path = path
        do {
            let configuration = Schema.configuration()
            let database =
                try path.map { try DatabaseQueue(path: $0, configuration: configuration) }
                ?? DatabaseQueue(configuration: configuration)
            if let path {
                try database.inDatabase { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
                try FormerDatabase.keep(database, at: path, before: Schema.version, of: Version.text, tell: tellMended)
            }
            keychain = try database.inDatabase { database in
                try database.inTransaction {
                    try Schema.create(in: database)
                    return .commit
                }
                let format = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                guard format <= Schema.version else { throw NewerStore(format: format) }
                guard format == Schema.version else { throw KeychainError(.notAvailable, .damagedStore) }
                return try Self.identifier(database, spare)
            }
            durable = try DurableDatabase(database, path: path, formatVersion: Schema.version)
        } catch let error as NewerStore { throw error } catch { throw KeychainError(storage: error) }
    }

    func noteDamage(in group: String, count: UInt32) {
        if count > 0 { damagedGroups.insert(group) } else { damagedGroups.remove(group) }
    }

    /// Forgets the keys that the lock state no longer permits.
    package func evictKeys() {
        let state = keystore.lockState
        keysAhead = RowKeysAhead()
        tableKeys = tableKeys.filter { state.permits($0.key) }
        indexKeys = indexKeys.filter { state.permits($0.key) }
        groupTags.removeAll()
    }

    /// Forgets what a lock will shut, before anybody is asked.
    package func evictKeysOfUnlockedDevice() {
        keysAhead = RowKeysAhead()
        tableKeys = tableKeys.filter { $0.key.availability != .whenUnlocked }
    }

    /// Goes on with a fresh enclave; what the old one opened is forgotten.
    package func replaceKeystore(_ fresh: any Keystore) {
        evictAllKeys()
        keystore = fresh
    }

    /// Forgets every key, because class keys were replaced.
    package func evictAllKeys() {
        keysAhead = RowKeysAhead()
        tableKeys.removeAll()
        indexKeys.removeAll()
        groupTags.removeAll()
    }

    func storage<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do { return try database.inDatabase(body) } catch { throw KeychainError(storage: error) }
    }

    /// Runs `body` in one transaction: all of it is on the disk, or none.
    func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do { return try durable.transaction(body) } catch { throw KeychainError(storage: error) }
    }

    /// From now on items that are added are acknowledged together, by ``endGroup()``.
    package func beginGroup() throws {
        do { try durable.beginGroup() } catch { throw KeychainError(storage: error) }
    }

    /// Whether items were added that wait for ``endGroup()``.
    package var isInGroup: Bool { durable.isInGroup }

    /// Waits until all that was added is on the disk.
    ///
    /// - Throws: `KeychainError`; then nothing of it may be acknowledged.
    package func endGroup() throws { try withoutKeysOfFailedGroup { try durable.endGroup() } }

    /// The same for what was added so far, before a second copy is written.
    func commitGroup() throws { try withoutKeysOfFailedGroup { try durable.commitGroup() } }

    private func withoutKeysOfFailedGroup(_ body: () throws -> Void) throws {
        keysAhead = RowKeysAhead()
        do { try body() } catch {
            // A key that was made in it is none.
            evictAllKeys()
            throw KeychainError(storage: error)
        }
    }

    func truncateLog() throws {
        do { try durable.truncateLog() } catch { throw KeychainError(storage: error) }
    }

    /// Gives the pages back that the database has read and keeps.
    package func releaseMemory() { durable.releaseMemory() }
}

// Keys that the daemon holds: table keys per class, and the index keys of the classes ck and dk.
extension KeychainStore {
    /// The key over the metadata keys of a class, made at its first use.
    func tableKey(_ protectionClass: ProtectionClass) throws -> CachedKey {
        try refuseLocked(protectionClass)
        if let cached = tableKeys[protectionClass] { return cached }
        let key = try storedKey("table_key", protectionClass) {
            try keystore.openTableKey($0)
        } make: {
            try keystore.makeTableKey(keychain: keychain, protectionClass)
        }
        tableKeys[protectionClass] = key
        return key
    }

    /// The index key of class ck (every row) or dk (rows of class Always).
    func indexKey(_ protectionClass: ProtectionClass) throws -> IndexKey {
        let isAlways = protectionClass == .always
        if let cached = indexKeys[protectionClass] {
            return IndexKey(key: cached, keychain: keychain, isForAlwaysRows: isAlways)
        }
        try refuseLocked(protectionClass)
        let key = try storedKey("index_key", protectionClass) {
            try keystore.openIndexKey($0)
        } make: {
            try keystore.makeIndexKey(keychain: keychain, protectionClass)
        }
        indexKeys[protectionClass] = key
        return IndexKey(key: key, keychain: keychain, isForAlwaysRows: isAlways)
    }

    /// A key that is missing while rows need it was lost: a fresh one in its place would make damage look like absence.
    ///
    /// A row under another class key is damaged whatever is done here, and must not shut its class.
    func refuseIfLost(_ table: String, _ protectionClass: ProtectionClass, classKey: Identifier) throws {
        let isNeeded = try storage { database in
            if table == "table_key" {
                let sql = "SELECT EXISTS (SELECT 1 FROM item WHERE class = ? AND class_key = ?)"
                let arguments: StatementArguments = [Int(protectionClass.rawValue), Data(classKey.bytes)]
                return try Bool.fetchOne(database, sql: sql, arguments: arguments) ?? false
            }
            guard try Schema.meta(database, "retag") == nil else { return false }
            let column = protectionClass == .always ? "always_tag" : "primary_tag"
            let sql = "SELECT EXISTS (SELECT 1 FROM item WHERE \(column) IS NOT NULL)"
            return try Bool.fetchOne(database, sql: sql) ?? false
        }
        if isNeeded { throw KeychainError(.notAvailable, .damagedStore) }
    }

    /// −25308 where the lock state shuts the class, −25293 where it does not exist without a passcode.
    ///
    /// - Parameter isForNew: whether nothing was looked at, and the class is one that an item shall have.
    func refuseLocked(_ protectionClass: ProtectionClass, isForNew: Bool = false) throws {
        if protectionClass.needsPasscode && !keystore.hasPasscode {
            throw KeychainError(.authenticationFailed, .noPasscodeSet, protectionClass: protectionClass)
        }
        guard keystore.lockState.permits(protectionClass) else {
            var error = lockedError(protectionClass)
            error.detail = isForNew ? KeychainError.lockedForNew : 0
            throw error
        }
    }

    func lockedError(_ protectionClass: ProtectionClass?) -> KeychainError {
        KeychainError(
            .interactionNotAllowed, .locked, protectionClass: protectionClass, lockState: keystore.lockState,
            since: stateSince)
    }

    /// What an enclave's refusal means for a keychain call.
    func error(_ refusal: EnclaveRefusal, _ protectionClass: ProtectionClass?) -> KeychainError {
        KeychainError(refusal, about: .items(of: protectionClass), in: keystore.lockState, since: stateSince)
    }
}

extension KeychainError {
    /// What a database error means; errors of ours pass through.
    package init(storage error: any Error) {
        if let known = error as? KeychainError {
            self = known
            return
        }
        if let durability = error as? DurabilityError {
            switch durability {
            case .replaced: self.init(.notAvailable, .storeReplaced)
            case .undecided: self.init(.notAvailable, .undecided)
            case .storage: self.init(.notAvailable, .storage)
            }
            return
        }
        if let error = error as? LinuxError, error.isOutOfSpace {
            self.init(.notAvailable, .diskFull)
            return
        }
        guard let database = error as? DatabaseError else {
            self.init(error is SecretMemoryError ? .allocation : .notAvailable, .storage)
            return
        }
        switch database.resultCode {
        case .SQLITE_CONSTRAINT: self.init(.duplicateItem)
        case .SQLITE_FULL: self.init(.notAvailable, .diskFull)
        case .SQLITE_READONLY: self.init(.readOnly, .readOnlyDisk)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self.init(.notAvailable, .damagedStore)
        default: self.init(.notAvailable, .storage)
        }
    }
}
