import Linux
import Logging
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
