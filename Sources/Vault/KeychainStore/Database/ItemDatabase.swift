import DurableDatabase
import SQLite
import Secrets
import StoreTables
import Wire

/// The store's SQLite database, and the identifier to which every row of it is bound.
final class ItemDatabase {
    private let durable: DurableDatabase
    /// The store's identifier.
    private(set) var storeID: Identifier
    /// Whether deleted or replaced bytes may still lie in the write-ahead log; at first those that a kill left there.
    private(set) var needsScrub = true

    /// - Parameters:
    ///   - path: the database's file, or nil for one in memory.
    ///   - spare: has the identifier, too.
    ///   - tellMended: gets how far a long copy of an earlier format is, in words for a log.
    /// - Throws: `KeychainError` with reason `damagedStore` when the file is not a keychain of ours, ``NewerStore``.
    init(path: String?, spare: SpareDatabase?, tellMended: (String) -> Void) throws {
        do {
            let database = try Database(path, settingUp: Schema.pragmas)
            if let path {
                try database.execute("PRAGMA journal_mode = WAL")
                try FormerDatabase.keep(database, at: path, before: Schema.version, of: Version.text, tell: tellMended)
            }
            try database.transaction { try Schema.create(in: database) }
            let format = try Schema.format(of: database)
            guard format <= Schema.version else { throw NewerStore(format: format) }
            guard format == Schema.version else { throw KeychainError(.notAvailable, .damagedStore) }
            storeID = try Self.identifier(database, spare)
            durable = try DurableDatabase(database, path: path, formatVersion: Schema.version)
        } catch let error as NewerStore { throw error } catch { throw KeychainError(storage: error) }
    }

    /// The store's identifier; where it is no longer there, the spare's.
    private static func identifier(_ database: Database, _ spare: SpareDatabase?) throws -> Identifier {
        if let bytes = try? Schema.meta(database, "keychain"), let own = Identifier(bytes) { return own }
        let copy = spare?.read { try Schema.meta($0, "keychain") } ?? nil
        guard let copy, let id = Identifier(copy) else { throw KeychainError(.notAvailable, .damagedStore) }
        return id
    }

    /// The open database itself.
    var database: Database { durable.database }

    /// The identifier that the spare has counts from now on, because keys open under it.
    func adopt(_ identifier: Identifier) { storeID = identifier }

    /// Reads, or writes what nobody has to be told of, outside of a transaction of ours.
    ///
    /// - Throws: `KeychainError`.
    func perform<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do { return try body(database) } catch { throw KeychainError(storage: error) }
    }

    /// Runs `body` in one transaction: all of it is on the disk, or none.
    ///
    /// - Throws: `KeychainError`.
    func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do { return try durable.transaction(body) } catch { throw KeychainError(storage: error) }
    }

    /// From now on items that are added are acknowledged together, by ``endBatch()``.
    func beginBatch() throws {
        do { try durable.beginBatch() } catch { throw KeychainError(storage: error) }
    }

    /// Whether items were added that wait for ``endBatch()``.
    var isInBatch: Bool { durable.isInBatch }

    /// Waits until all that was added is on the disk.
    func endBatch() throws {
        do { try durable.endBatch() } catch { throw KeychainError(storage: error) }
    }

    /// The same for what was added so far, before a second copy is written.
    func commitBatch() throws {
        do { try durable.commitBatch() } catch { throw KeychainError(storage: error) }
    }

    /// A row was deleted or replaced, and what it held may lie in the log.
    func noteReplacement() { needsScrub = true }

    /// Overwrites what deleted and replaced rows left in the write-ahead log.
    func scrub() throws {
        do { try durable.truncateLog() } catch { throw KeychainError(storage: error) }
        needsScrub = false
    }

    /// Gives the pages back that the database has read and keeps.
    func releaseMemory() { durable.releaseMemory() }

    /// Whether rows still wait for tags under a new index key.
    func isRetagging() throws -> Bool { try perform { try Schema.meta($0, "retag") } != nil }
}
