import Linux
import Localization

/// A private copy of a database, so that nothing is ever written next to the original.
///
/// The write-ahead log comes along, since on a Mac that was not shut down in order it holds the newest changes. The
/// index to it (`-shm`) does not: SQLite makes it anew.
struct ScratchCopy: ~Copyable {
    /// The copied database.
    let path: String

    private static let name = "NoteStore.sqlite"
    private static let chunk = 1024 * 1024
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Copies the database at `source` into the empty folder `scratch`.
    init(of source: String, in scratch: String) throws(AppleImportError) {
        path = scratch + "/" + Self.name
        let database = try Self.open(source)
        guard try Self.read(database, count: Self.magic.count, at: 0) == Self.magic else {
            throw AppleImportError(
                .notADatabase,
                localized("This is not an SQLite database. Name NoteStore.sqlite, or the folder it is in."))
        }
        do {
            try Self.copy(database, to: path)
            if try Self.exists(source + "-wal") { try Self.copy(Self.open(source + "-wal"), to: path + "-wal") }
        } catch {
            Self.erase(path)
            throw error
        }
    }

    deinit { Self.erase(path) }

    private static func open(_ path: String) throws(AppleImportError) -> FileDescriptor {
        do { return try FileDescriptor.open(path, FileFlags.read) } catch {
            throw AppleImportError(
                .unreadable,
                error.isMissing
                    ? localized("There is no such file.") : localized("The file cannot be read: \(error)."))
        }
    }

    private static func exists(_ path: String) throws(AppleImportError) -> Bool {
        do { return try FileSystem.status(path) != nil } catch {
            throw AppleImportError(.unreadable, localized("The file cannot be read: \(error)."))
        }
    }

    private static func read(
        _ file: borrowing FileDescriptor, count: Int, at offset: Int
    ) throws(AppleImportError) -> [UInt8] {
        do { return try file.read(count: count, at: offset) } catch {
            throw AppleImportError(.unreadable, localized("The file cannot be read: \(error)."))
        }
    }

    private static func copy(_ source: borrowing FileDescriptor, to path: String) throws(AppleImportError) {
        var offset = 0
        do {
            let target = try FileDescriptor.open(path, FileFlags.create)
            while true {
                let part = try Self.read(source, count: chunk, at: offset)
                if part.isEmpty { return }
                try target.write(part, at: offset)
                offset += part.count
            }
        } catch let error as AppleImportError { throw error } catch {
            throw AppleImportError(
                .cannotCopy,
                localized(
                    """
                    The database cannot be copied to a private place: \(String(describing: error)). Make room there, \
                    or choose another.
                    """))
        }
    }

    /// Overwrites and removes the copy and whatever SQLite put beside it, as far as the system lets us.
    private static func erase(_ path: String) {
        for path in [path, path + "-wal", path + "-shm", path + "-journal"] {
            guard let status = try? FileSystem.status(path), status.isRegular else { continue }
            if let file = try? FileDescriptor.open(path, FileFlags.readWrite) {
                let zeros = [UInt8](repeating: 0, count: chunk)
                var offset = 0
                while offset < status.byteCount {
                    let count = min(chunk, status.byteCount - offset)
                    guard (try? file.write(Array(zeros[..<count]), at: offset)) != nil else { break }
                    offset += count
                }
                try? file.syncData()
            }
            try? FileSystem.remove(path)
        }
    }
}
