import DurableDatabase
import FoundationEssentials
import Linux
import Localization
import StoreRepair
import StoreTables
import Wire

/// A store of the home, as a repair sees it.
struct RepairedStore {
    let name: String
    /// Of the store, in the home's data folder.
    let folder: String
    let file: String
    let tables: StoreTables
    /// The file in the enclave's folder that says that the store was made.
    let mark: @Sendable (Home) -> String

    static let all = [
        RepairedStore(
            name: "keychain", folder: "keychain", file: "keychain.sqlite", tables: .keychain, mark: { $0.storeMark }),
        RepairedStore(name: "notes", folder: "notes", file: "notes.sqlite", tables: .zones, mark: { $0.notesMark }),
        RepairedStore(name: "diary", folder: "diary", file: "diary.sqlite", tables: .zones, mark: { $0.diaryMark }),
    ]

    /// What databases were before an update, kept until everything was looked at.
    static func former(in home: Home) throws -> [String] { try all.flatMap { try $0.former(in: home) } }

    func former(in home: Home) throws -> [String] { try FormerDatabase.all(of: "\(home.data)/\(folder)/\(file)") }
}

/// The first half of a repair: the stores of a home whose device does not run.
struct HomeRepair {
    private let home: Home
    private let source: String?
    private let stamp: String

    /// - Parameter source: a copy of a home's data folder; nil for none.
    init(_ home: Home, from source: String?) {
        self.home = home
        self.source = source
        let digits = Date().formatted(.iso8601).filter(\.isNumber)
        stamp = digits.prefix(8) + "-" + digits.dropFirst(8)
    }

    /// What came of all stores.
    struct Outcome {
        /// Whether nothing is lost, as far as it shows without keys.
        var isWhole = true
        /// The exit code of the first store that was not repaired, which was told.
        ///
        /// It keeps no other one from its repair.
        var failure: Int32?
    }

    /// - Throws: `Failure` where nothing was begun.
    func run() throws -> Outcome {
        var outcome = Outcome()
        let copy = try source.map { try HomeCopy($0) }
        for store in RepairedStore.all {
            do {
                if !(try repair(store, from: copy)) { outcome.isWhole = false }
            } catch {
                let failure = failure(error)
                Output.error("\(store.name): \(failure.message)")
                if let hint = failure.hint { Output.error("  \(hint)") }
                if outcome.failure == nil { outcome.failure = failure.exitCode }
            }
        }
        return outcome
    }

    /// - Returns: whether nothing of the store is known to be lost.
    private func repair(_ store: RepairedStore, from copy: HomeCopy?) throws -> Bool {
        let folder = home.data + "/" + store.folder
        try Self.waitForPrograms(folder)
        let repair = StoreFolderRepair(
            folder, file: store.file, tables: store.tables, stamp: stamp, earlier: copy?.database(store))
        // One that was made, and whose folder is gone, is lost: an empty folder stands for it.
        let isGone = try FileSystem.status(folder) == nil && FileSystem.status(store.mark(home)) != nil
        if isGone { try FileSystem.makeDirectories(folder) }
        guard let report = try repair.run() else { return true }
        if isGone, report.outcome == .nothing { try FileSystem.removeTree(folder) }
        // What was looked at before was another database.
        if report.kept != nil { try FileSystem.remove(DataCheckState.path(home)) }
        let isWhole = try tell(report, store)
        if report.outcome != .nothing { try copy?.lay(store, into: folder, hasLost: report.outcome != .sound) }
        return isWhole
    }

    private func failure(_ error: any Error) -> Failure {
        switch error {
        case let failure as Failure: failure
        case let problem as DatabaseRecovery.Problem: failure(problem)
        case let error as LinuxError: failure(.storage(error))
        default: failure(.failed("\(error)"))
        }
    }

    private func failure(_ problem: DatabaseRecovery.Problem) -> Failure {
        switch problem {
        case .newer(let format):
            Failure(
                Wire.ExitCode.damaged,
                localized("a later version of Tresor wrote it (format \(format)); it was not changed"),
                hint: HomeVersion.read(home).map { localized("repair it with Tresor \($0) or later") }
                    ?? localized("repair it with that version"))
        case .storage(let error) where error.isOutOfSpace:
            Failure(
                Wire.ExitCode.cannotWrite, localized("no room is left; it was not repaired"),
                hint: localized(
                    "a repair needs as much as the databases take, twice; free that much, and give the command again"))
        case .storage(let error):
            Failure(
                Wire.ExitCode.storageFailed, localized("\(error); it was not repaired"),
                hint: localized("the command goes on where it was when it is given again"))
        case .failed(let words):
            Failure(
                Wire.ExitCode.storageFailed, localized("\(words); it was not repaired"),
                hint: localized("the command goes on where it was when it is given again"))
        }
    }

    /// One of the store's may still be on its way out.
    private static func waitForPrograms(_ folder: String) throws {
        guard try FileSystem.status(folder)?.isDirectory == true else { return }
        for name in try FileSystem.names(in: folder) where name.hasSuffix(".lock") {
            let file = try FileDescriptor.open(folder + "/" + name, FileFlags.readWrite)
            guard try file.lockExclusively(within: .seconds(3)) else {
                throw Failure(Wire.ExitCode.notPermitted, localized("\(folder) is in use; nothing was changed"))
            }
        }
    }

    /// - Returns: whether nothing of the store is known to be lost.
    private func tell(_ report: StoreFolderRepair.Report, _ store: RepairedStore) throws -> Bool {
        let name = store.name + String(repeating: " ", count: 12 - store.name.count)
        switch report.outcome {
        case .sound:
            try Output.words(localized("\(name) its database is sound"))
            return true
        case .nothing:
            try Output.words(localized("\(name) nothing of \(store.file) can be read; it was left as it is"))
            return false
        case .earlier:
            try Output.words(localized("\(name) nothing of \(store.file) can be read; the copy takes its place"))
            if let kept = report.kept { try Output.words(localized("\(name) the damaged folder is kept: \(kept)")) }
            return false
        case .recovered(let found):
            var words = localized("made anew of \(found.rows) rows")
            if found.lost > 0 { words += localized("; \(found.lost) or more are lost") }
            if found.strange > 0 { words += localized("; \(found.strange) are of no table") }
            if found.unreadable > 0 { words += localized("; the disk did not give \(found.unreadable) blocks") }
            try Output.words("\(name) \(words)")
            if let kept = report.kept { try Output.words(localized("\(name) the damaged folder is kept: \(kept)")) }
            return found.lost == 0 && found.unreadable == 0
        }
    }
}

/// A copy of a home of an earlier day, to take from it what is lost.
struct HomeCopy {
    private let path: String

    /// - Parameter path: of a home's data folder.
    init(_ path: String) throws {
        self.path = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
        let stores = try RepairedStore.all.filter {
            try FileSystem.status("\(self.path)/\($0.folder)/\($0.file)")?.isRegular == true
        }
        guard !stores.isEmpty else {
            throw Failure(
                Wire.ExitCode.notFound, localized("there is no copy of a home in \(path); nothing was changed"),
                hint: localized("name the folder in which 'keychain', 'notes' and 'diary' lie"))
        }
    }

    func database(_ store: RepairedStore) -> String { "\(path)/\(store.folder)/\(store.file)" }

    /// Lays the copy of a store into it, where its program takes from it.
    ///
    /// - Parameter hasLost: whether rows of it are known to be lost.
    func lay(_ store: RepairedStore, into folder: String, hasLost: Bool) throws {
        let target = folder + "/" + EarlierCopyFolder.name
        try FileSystem.removeTree(target)
        do { try fill(target, from: store, hasLost: hasLost) } catch {
            // From half a copy nothing is taken.
            try? FileSystem.removeTree(target)
            throw error
        }
    }

    private func fill(_ target: String, from store: RepairedStore, hasLost: Bool) throws {
        let source = "\(path)/\(store.folder)"
        guard try FileSystem.status("\(source)/\(store.file)")?.isRegular == true else { return }
        let work = target + "/work"
        try FileSystem.makeDirectories(work)
        // A copy may be damaged as well.
        let copied = DatabaseRecovery(database(store), tables: store.tables, workingIn: work)
        if try copied.run(into: "\(target)/\(store.file)") == .sound {
            try FileSystem.rename("\(work)/copy.sqlite", to: "\(target)/\(store.file)")
        }
        try FileSystem.removeTree(work)
        if hasLost { try FileSystem.replace("\(target)/\(EarlierCopyFolder.mark)", with: []) }
        guard try FileSystem.status(source + "/assets")?.isDirectory == true else { return }
        let here = FileManager.default.currentDirectoryPath
        let absolute = source.hasPrefix("/") ? source : "\(here)/\(source)"
        try FileManager.default.createSymbolicLink(
            atPath: target + "/assets", withDestinationPath: absolute + "/assets")
    }

    private static func place(_ store: RepairedStore, _ home: Home) -> String {
        "\(home.data)/\(store.folder)/\(EarlierCopyFolder.name)"
    }

    static func isThere(_ home: Home) -> Bool { RepairedStore.all.contains { isThere(home, of: $0) } }

    static func isThere(_ home: Home, of store: RepairedStore) -> Bool {
        ((try? FileSystem.status(place(store, home))) ?? nil) != nil
    }

    static func remove(_ store: RepairedStore, _ home: Home) throws {
        try FileSystem.removeTree(place(store, home))
    }
}
