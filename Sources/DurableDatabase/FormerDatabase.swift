package import GRDB
package import Linux

/// A database as it was before a version of Tresor brought it to a later format.
///
/// It lies beside, as NAME.before-VERSION, until `tresor doctor --data` has looked at everything since and found
/// nothing damaged; who has to go back to the version before, has it there.
package enum FormerDatabase {
    private static let part = 1 << 20

    /// Copies a database whose format is earlier, before anything of it is changed.
    ///
    /// Where it is cut, or does not end well, the next start copies again: the format says that nothing was changed.
    ///
    /// - Parameters:
    ///   - queue: the open database; nobody else writes to it.
    ///   - path: where it lies.
    ///   - format: that it is about to have.
    ///   - version: of Tresor, that brings it there.
    /// - Throws: `DatabaseError`, `LinuxError`; then there is no copy, and nothing was changed.
    package static func keep(_ queue: DatabaseQueue, at path: String, before format: Int, of version: String) throws {
        let present = try queue.inDatabase { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        guard present > 0, present < format else { return }
        try queue.inDatabase { database in
            // What stands in the log belongs to the copy: SQLite says with 0 that all of it was written back.
            let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            guard row?[0] == 0 else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        }
        try copy(path, to: name(of: path, version))
    }

    /// The copies that lie beside a database.
    package static func all(of path: String) throws(LinuxError) -> [String] {
        let folder = FileSystem.directory(of: path)
        let mark = path.dropFirst(folder.count + 1) + infix
        guard try FileSystem.status(folder)?.isDirectory == true else { return [] }
        return try FileSystem.names(in: folder).filter { $0.hasPrefix(mark) }.sorted().map { "\(folder)/\($0)" }
    }

    private static let infix = ".before-"

    private static func name(of path: String, _ version: String) -> String { path + infix + version }

    private static func copy(_ source: String, to target: String) throws(LinuxError) {
        let temporary = target + ".new"
        try FileSystem.remove(temporary)
        let from = try FileDescriptor.open(source, FileFlags.read)
        let to = try FileDescriptor.open(temporary, FileFlags.create)
        do {
            let count = try from.byteCount()
            for start in stride(from: 0, to: count, by: part) {
                try to.write(try from.read(count: min(part, count - start), at: start), at: start)
            }
            try to.sync()
            try FileSystem.rename(temporary, to: target)
        } catch {
            try? FileSystem.remove(temporary)
            throw error
        }
        try FileSystem.syncDirectory(FileSystem.directory(of: target))
    }
}
