import Linux
import Logging
import StoreTables
import Wire

/// Makes the folders of a home, and makes sure that nobody else reads them.
enum HomeFolders {
    /// Backup programs leave out a folder that holds this file (bford.info/cachedir).
    private static let cacheTag = Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)

    static func prepare(_ home: Home, _ log: Logger) throws {
        for folder in [home.data, home.keychainFolder, home.enclave, home.runtime] {
            try FileSystem.makeDirectories(folder)
            try check(folder, mode: 0o700, log)
        }
        let tag = home.enclave + "/CACHEDIR.TAG"
        if try FileSystem.status(tag) == nil { try FileSystem.replace(tag, with: cacheTag) }
        for file in home.deviceFiles { try check(file, mode: 0o600, log) }
        for suffix in ["", "-wal"] { try check(home.database + suffix, mode: 0o600, log) }
        try check(home.settings, mode: 0o600, log)
        removeCutRepairs(home, log)
    }

    /// Removes what a repair that was cut short had copied of a store that stands: it would keep all that is deleted.
    ///
    /// Where the store does not stand it is what the next repair goes on with.
    private static func removeCutRepairs(_ home: Home, _ log: Logger) {
        let stores = [
            (home.keychainFolder, home.database), (home.notesFolder, home.notesDatabase),
            (home.diaryFolder, home.diaryDatabase),
        ]
        for (folder, database) in stores {
            let cut = RepairFolder.path(of: folder)
            do {
                guard try FileSystem.status(cut)?.isDirectory == true,
                    try FileSystem.status(database)?.isRegular == true
                else { continue }
                try FileSystem.removeTree(cut)
                log.warning("a repair was cut short; what it had copied was removed", metadata: ["path": "\(cut)"])
            } catch {
                log.error("what a repair had copied could not be removed", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Repairs a mode that lets others in, and refuses what belongs to somebody else.
    private static func check(_ path: String, mode: UInt32, _ log: Logger) throws {
        guard let status = try FileSystem.status(path) else { return }
        guard status.owner == CurrentProcess.user, !status.isSymbolicLink else { throw DaemonFailure.notOurs(path) }
        guard status.mode & 0o077 != 0 else { return }
        log.warning("others could read a file of ours; its mode was repaired", metadata: ["path": "\(path)"])
        try FileSystem.setMode(path, mode)
    }
}

extension Home {
    /// What a device is of no use without, and what it keeps open while it runs.
    var standing: [String] { [lock] + deviceFiles }

    /// The enclave's files, in their two folders.
    fileprivate var deviceFiles: [String] {
        ["device", "spare"].flatMap { folder in
            ["root.key", "keybag", "tries"].map { "\(enclave)/\(folder)/\($0)" }
        }
    }
}
