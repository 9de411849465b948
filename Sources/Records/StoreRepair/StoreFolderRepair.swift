import DurableDatabase
import Linux
package import StoreTables

/// Puts the folder of a store together again: a database, its spare, and the files beside it.
///
/// It is made beside the damaged one, in `NAME.repairing`, and takes its place when it is whole and on the disk. The
/// damaged one keeps all its bytes, under another name, until its owner removes it. Cut at any moment, nothing is lost,
/// and a second run goes on.
package struct StoreFolderRepair {
    /// What came of a folder.
    package struct Report: Equatable, Sendable {
        /// What came of its database.
        package var outcome: DatabaseRecovery.Outcome
        /// Where the damaged folder lies now; nil where it was left as it is.
        package var kept: String?
    }

    /// Of a folder that was made: it lacks nothing.
    private static let mark = "complete"
    private static let spare = "spare"
    /// Files of others, as large as they are, are the same file under a second name.
    private static let assets = "assets"

    private let folder: String
    private let file: String
    private let tables: StoreTables
    private let keptName: String
    private let earlier: String?
    private var fresh: String { RepairFolder.path(of: folder) }

    /// - Parameters:
    ///   - folder: the store's path, without a slash at its end.
    ///   - file: the name of the database in it, and of the spare in its folder.
    ///   - stamp: a part of the name that the damaged folder gets: `20261125-101500`.
    ///   - earlier: the path of a copy of the database, for one of which nothing can be read; nil for none.
    package init(_ folder: String, file: String, tables: StoreTables, stamp: String, earlier: String? = nil) {
        self.folder = folder
        self.file = file
        self.tables = tables
        self.earlier = earlier
        keptName = folder + ".damaged-" + stamp
    }

    /// Does it, where the database is not sound; nobody else may use the store meanwhile.
    ///
    /// - Returns: nil where there is no store.
    /// - Throws: `DatabaseRecovery.Problem`; then the store is as it was.
    package func run() throws(DatabaseRecovery.Problem) -> Report? {
        do {
            try finishFormer()
            guard try FileSystem.status(folder) != nil else { return nil }
        } catch { throw .storage(error) }
        do {
            let report = try repair()
            try? FileSystem.removeTree(fresh)
            return report
        } catch {
            // Once it is complete it is the next run that goes on with it.
            if (try? FileSystem.status(folder)) ?? nil != nil { try? FileSystem.removeTree(fresh) }
            guard let problem = error as? DatabaseRecovery.Problem else {
                throw (error as? LinuxError).map { .storage($0) } ?? .failed("\(error)")
            }
            throw problem
        }
    }

    /// A run that was cut: what it had made complete takes its place, what it had not is made again.
    private func finishFormer() throws(LinuxError) {
        let isThere = try FileSystem.status(folder) != nil
        let isComplete = try FileSystem.status("\(fresh)/\(Self.mark)") != nil
        if isComplete, try FileSystem.status("\(folder)/\(file)") == nil {
            // This command or a start has made the folder anew, without a database. An empty one is nothing to keep.
            if isThere {
                if try FileSystem.names(in: folder).isEmpty {
                    try FileSystem.removeTree(folder)
                } else {
                    try FileSystem.rename(folder, to: try freeName())
                }
            }
            return try takePlace()
        }
        guard isThere else { return }
        try FileSystem.removeTree(fresh)
        try FileSystem.remove("\(folder)/\(Self.mark)")
    }

    private func repair() throws -> Report {
        let work = fresh + "/work"
        try FileSystem.makeDirectories(work)
        let outcome = try repairDatabase(work)
        if outcome == .sound || outcome == .nothing { return Report(outcome: outcome) }
        try FileSystem.removeTree(work)
        try repairSpare(work)
        try takeOthers()
        try sync(fresh)
        try FileSystem.replace("\(fresh)/\(Self.mark)", with: [])
        let kept = try freeName()
        try FileSystem.rename(folder, to: kept)
        try takePlace()
        return Report(outcome: outcome, kept: kept)
    }

    private func repairDatabase(_ work: String) throws -> DatabaseRecovery.Outcome {
        let (path, target) = ("\(folder)/\(file)", "\(fresh)/\(file)")
        var outcome = DatabaseRecovery.Outcome.nothing
        if try FileSystem.status(path)?.isRegular == true {
            outcome = try DatabaseRecovery(path, tables: tables, workingIn: work).run(into: target)
        }
        guard outcome == .nothing, let earlier, try FileSystem.status(earlier)?.isRegular == true else {
            return outcome
        }
        try FileSystem.removeTree(work)
        try FileSystem.makeDirectories(work)
        outcome = try DatabaseRecovery(earlier, tables: tables, workingIn: work).run(into: target)
        guard outcome == .sound else { return outcome == .nothing ? .nothing : .earlier }
        try FileSystem.rename(work + "/copy.sqlite", to: target)
        return .earlier
    }

    private func takePlace() throws(LinuxError) {
        try FileSystem.rename(fresh, to: folder)
        try FileSystem.syncDirectory(FileSystem.directory(of: folder))
        try FileSystem.remove("\(folder)/\(Self.mark)")
    }

    private func freeName() throws(LinuxError) -> String {
        var name = keptName
        var number = 2
        while try FileSystem.status(name) != nil {
            name = "\(keptName)-\(number)"
            number += 1
        }
        return name
    }

    /// One of which nothing can be read is left out: the store makes it anew.
    private func repairSpare(_ work: String) throws {
        let original = "\(folder)/\(Self.spare)/\(file)"
        let target = "\(fresh)/\(Self.spare)/\(file)"
        try FileSystem.makeDirectories("\(fresh)/\(Self.spare)")
        guard (try? FileSystem.status(original))??.isRegular == true else { return }
        try FileSystem.makeDirectories(work)
        let outcome = try DatabaseRecovery(original, tables: tables, workingIn: work).run(into: target)
        if outcome == .sound { try FileSystem.rename(work + "/copy.sqlite", to: target) }
        try FileSystem.removeTree(work)
    }

    private func takeOthers() throws(LinuxError) {
        let ours = [file, file + "-wal", file + "-shm", file + "-journal", Self.spare]
        for name in try FileSystem.names(in: folder) where !ours.contains(name) {
            if name == Self.assets {
                try link("\(folder)/\(name)", to: "\(fresh)/\(name)")
            } else if let status = try FileSystem.status("\(folder)/\(name)"), status.isRegular {
                _ = try BlockCopy.copy("\(folder)/\(name)", to: "\(fresh)/\(name)")
                try FileSystem.setMode("\(fresh)/\(name)", status.mode)
            }
        }
    }

    /// A file that was finished is never written again, so both folders may have it.
    private func link(_ source: String, to target: String) throws(LinuxError) {
        guard let status = try FileSystem.status(source) else { return }
        if status.isDirectory {
            try FileSystem.makeDirectories(target)
            for name in try FileSystem.names(in: source) { try link("\(source)/\(name)", to: "\(target)/\(name)") }
        } else if status.isRegular {
            do { try FileSystem.link(source, to: target) } catch {
                // Not every file system gives a file two names.
                _ = try BlockCopy.copy(source, to: target)
                try FileSystem.setMode(target, status.mode)
            }
        }
    }

    private func sync(_ path: String) throws(LinuxError) {
        guard let status = try FileSystem.status(path) else { return }
        if status.isDirectory {
            for name in try FileSystem.names(in: path) { try sync("\(path)/\(name)") }
            try FileSystem.syncDirectory(path)
        } else {
            try FileDescriptor.open(path, FileFlags.read).sync()
        }
    }
}
