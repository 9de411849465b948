package import Linux
package import SQLite

/// A database as it was before a version of Tresor brought it to a later format.
///
/// It lies beside, as NAME.before-VERSION, until `tresor doctor --data` has looked at everything since and found
/// nothing damaged; who has to go back to the version before, has it there.
package enum FormerDatabase {
    /// What a log says while a long copy is made, in front of how far it is.
    package static let progress = "before its format changes, the database is copied: "

    /// Copies a database whose format is earlier, before anything of it is changed.
    ///
    /// Where it is cut, or does not end well, the next start copies again: the format says that nothing was changed.
    ///
    /// - Parameters:
    ///   - database: the open database; nobody else writes to it.
    ///   - path: where it lies.
    ///   - format: that it is about to have.
    ///   - version: of Tresor, that brings it there.
    ///   - tell: gets, in words for a log, how far a long copy is, and what the disk did not give: with the database it
    ///     is no better, and no reason to keep all else shut.
    /// - Throws: `DatabaseError`, `LinuxError`; then there is no copy, and nothing was changed.
    package static func keep(
        _ database: Database, at path: String, before format: Int, of version: String, tell: (String) -> Void
    ) throws {
        let present = try database.integer("PRAGMA user_version") ?? 0
        guard present > 0, present < format else { return }
        // What stands in the log belongs to the copy: SQLite says with 0 that all of it was written back.
        guard try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { throw DatabaseError(.busy) }
        let unreadable = try copy(path, to: name(of: path, version)) { done, all in
            tell("\(progress)\(done >> 20) of \(all >> 20) MiB of \(path)")
        }
        if unreadable > 0 {
            tell("the disk did not give \(unreadable) blocks of \(path): 'tresor doctor --data' says what they held")
        }
        // Programs of before left there what they had replaced and deleted.
        try PageGaps(path).clearAll()
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

    private static func copy(
        _ source: String, to target: String, tell: (Int, Int) -> Void
    ) throws(LinuxError) -> Int {
        let temporary = target + ".new"
        try FileSystem.remove(temporary)
        let unreadable: Int
        do {
            unreadable = try BlockCopy.copy(source, to: temporary, tell: tell)
            try FileSystem.rename(temporary, to: target)
        } catch {
            try? FileSystem.remove(temporary)
            throw error
        }
        try FileSystem.syncDirectory(FileSystem.directory(of: target))
        return unreadable
    }
}
