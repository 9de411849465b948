public import FoundationEssentials
import Linux
import Localization
import Protection
import Wire

/// The folders of one app, each for one purpose, in which nobody else of this machine's users can look.
///
/// The threat: files of an app that lie about: temporary ones that are never removed, caches that go into a backup,
/// folders that others can read. Every folder has mode 0700; one that lets others in is mended, one that belongs to
/// somebody else or is a link is refused. It is no wall between programs of the same user: what must stay closed is
/// sealed or in the keychain. Source: the book, chapter 7.4.8; features F3 and F4.
///
/// | folder | for | kept in backups | removed |
/// | --- | --- | --- | --- |
/// | ``documents`` | what the user made | yes | never |
/// | ``applicationSupport`` | what the app needs beside | yes | never |
/// | ``preferences`` | settings | yes | never |
/// | ``caches`` | what can be made again | no | when space is short, and the app does not run |
/// | ``temporary`` | what is needed now | no | when the app is opened |
///
/// They lie under the user's data folder (`$XDG_DATA_HOME/tresor/containers`, else `~/.local/share/tresor/containers`;
/// under `$TRESOR_HOME` where that is set). Keep it for as long as the app runs: that is what its caches and temporary
/// files are safe by.
///
///     let container = try AppContainer("org.example.diary")
///     let database = container.applicationSupport.appending(path: "diary.sqlite")
///     try container.excludeFromBackup(database)
public final class AppContainer: Sendable {
    /// Whose it is, such as `org.example.diary`.
    public let identifier: String
    let path: String
    /// Shared by all processes of the app, for as long as they keep their container.
    private let use: FileDescriptor

    /// Opens the container of an app, making what is missing.
    ///
    /// Temporary files are removed, unless another process has the container open.
    ///
    /// - Parameter identifier: a bundle identifier: letters, digits, `-` and `.` of ASCII, in at least two parts that
    ///   are not empty, at most 155 bytes.
    /// - Throws: ``TresorError`` with code `invalidParameter` for another identifier, `notPermitted` where a folder
    ///   belongs to somebody else or is a link, `cannotWrite`, `unavailable` where the user has no home.
    public convenience init(_ identifier: String) throws(TresorError) {
        try self.init(identifier, in: Self.standardFolder())
    }

    /// The same, in another folder than the user's.
    package init(_ identifier: String, in folder: String) throws(TresorError) {
        path = try Self.path(of: identifier, in: folder)
        self.identifier = identifier
        do {
            try FileSystem.makeDirectories(folder)
            for name in ["", "/Documents", "/Library"] + Self.libraryFolders + ["/tmp"] { try Self.secure(path + name) }
            let lock = try FileDescriptor.open(path + Self.lockName, FileFlags.readWriteOrCreate)
            if try lock.useAlone() { try Self.empty(path + "/tmp") }
            try lock.useBesideOthers()
            for name in ["/Library/Caches", "/tmp"] { try Self.tag(path + name) }
            use = lock
        } catch { throw Self.failure(error) }
    }

    /// What the user made.
    public var documents: URL { url("/Documents") }
    /// ``applicationSupport``, ``caches`` and ``preferences`` lie in it.
    public var library: URL { url("/Library") }
    /// What the app needs beside what its user made.
    public var applicationSupport: URL { url("/Library/Application Support") }
    /// What can be made again, and may be gone at the next start.
    public var caches: URL { url("/Library/Caches") }
    /// Settings.
    public var preferences: URL { url("/Library/Preferences") }
    /// What is needed now, and is gone at the next start.
    public var temporary: URL { url("/tmp") }

    /// Removes an app's caches, because space is short.
    ///
    /// - Parameter identifier: whose.
    /// - Returns: false when the app runs, and so keeps its caches; true also where there are none.
    /// - Throws: ``TresorError`` as ``init(_:)``.
    public static func purgeCaches(of identifier: String) throws(TresorError) -> Bool {
        try purgeCaches(of: identifier, in: standardFolder())
    }

    /// The same, in another folder than the user's.
    package static func purgeCaches(of identifier: String, in folder: String) throws(TresorError) -> Bool {
        let path = try path(of: identifier, in: folder)
        do {
            guard try FileSystem.status(path + lockName) != nil else { return true }
            let lock = try FileDescriptor.open(path + lockName, FileFlags.readWrite)
            guard try lock.useAlone() else { return false }
            try secure(path + "/Library/Caches")
            try empty(path + "/Library/Caches")
            try tag(path + "/Library/Caches")
            return true
        } catch { throw failure(error) }
    }

    private func url(_ name: String) -> URL { URL(filePath: path + name, directoryHint: .isDirectory) }
}

extension AppContainer {
    private static let libraryFolders = ["Application Support", "Caches", "Preferences"].map { "/Library/" + $0 }
    private static let lockName = "/.in-use"
    /// Backup programs leave out a folder that holds this file (bford.info/cachedir).
    private static let cacheTag = Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)

    private static func standardFolder() throws(TresorError) -> String {
        do {
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            return home.data + "/containers"
        } catch { throw TresorError(.unavailable, localized("the user has no home"), cause: "\(error)") }
    }

    private static func path(of identifier: String, in folder: String) throws(TresorError) -> String {
        guard AccessGroup.isBundleIdentifier(identifier) else {
            throw TresorError(.invalidParameter, localized("that is no identifier of an app"))
        }
        return folder + "/" + identifier
    }

    private static func secure(_ folder: String) throws(LinuxError) {
        try FileSystem.makeDirectories(folder)
        guard let status = try FileSystem.status(folder), status.isDirectory, status.owner == CurrentProcess.user
        else { throw LinuxError.notOurs }
        if status.mode & 0o077 != 0 { try FileSystem.setMode(folder, 0o700) }
    }

    private static func empty(_ folder: String) throws(LinuxError) {
        for name in try FileSystem.names(in: folder) { try FileSystem.removeTree(folder + "/" + name) }
    }

    private static func tag(_ folder: String) throws(LinuxError) {
        let file = folder + "/CACHEDIR.TAG"
        if try FileSystem.status(file) == nil { try FileSystem.replace(file, with: cacheTag) }
    }

    /// Without the path, which is nobody's business who reads the error.
    static func failure(_ error: LinuxError) -> TresorError {
        let cause = "\(LinuxError(call: error.call, code: error.code))"
        if error.isForbidden || error.isLink {
            return TresorError(
                .notPermitted, localized("a folder of the app's belongs to somebody else, or is a link"), cause: cause)
        }
        return TresorError(.cannotWrite, localized("a folder of the app's cannot be made or changed"), cause: cause)
    }
}
