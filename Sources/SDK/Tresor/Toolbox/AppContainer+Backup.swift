public import FoundationEssentials
import Linux
import Localization

/// What stays out of backups, by choice.
///
/// The threat: a copy of what is protected here lies where it is not. The choice is an extended attribute of the file
/// or folder itself, `user.xdg.robots.backup` with the value `false` (freedesktop.org, "Common Extended Attributes"),
/// which goes with it when it is renamed and is understood by other programs too, such as BorgBackup. A folder takes
/// with it all that lies in it. ``AppContainer/caches`` and ``AppContainer/temporary`` stay out in any case. Source:
/// the book, chapter 7.4.8; feature F4.
///
/// Foundation's `isExcludedFromBackup` says on Linux that it has done this, and does nothing.
extension AppContainer {
    /// Leaves a file or folder of this container out of backups.
    ///
    /// A program that saves by writing a new file over the old one makes a file without this choice; choose for the
    /// folder then.
    ///
    /// - Parameter url: in this container.
    /// - Throws: ``TresorError`` with code `invalidParameter` where it lies elsewhere or is a link, `notFound`,
    ///   `unavailable` where the file system keeps no attributes, `cannotWrite`.
    public func excludeFromBackup(_ url: URL) throws(TresorError) {
        do {
            try item(try names(url)).setAttribute(Self.backupAttribute, Self.excluded)
        } catch { throw Self.backupFailure(error) }
    }

    /// Takes a file or folder of this container into backups again.
    ///
    /// - Parameter url: in this container. What lies in a folder that is left out stays out with it.
    /// - Throws: ``TresorError`` as ``excludeFromBackup(_:)``.
    public func includeInBackup(_ url: URL) throws(TresorError) {
        do {
            try item(try names(url)).removeAttribute(Self.backupAttribute)
        } catch { throw Self.backupFailure(error) }
    }

    /// Whether a backup leaves this out: by its own choice, by that of a folder around it, or by where it lies.
    ///
    /// - Parameter url: in this container.
    /// - Throws: ``TresorError`` as ``excludeFromBackup(_:)``.
    public func isExcludedFromBackup(_ url: URL) throws(TresorError) -> Bool {
        let names = try names(url)
        do {
            for count in 0...names.count {
                let above = Array(names.prefix(count))
                if Self.alwaysExcluded.contains(above) { return true }
                if try isMarked(item(above)) { return true }
            }
            return false
        } catch { throw Self.backupFailure(error) }
    }

    /// What a backup has to leave out, for whoever makes one.
    ///
    /// - Returns: paths in this container, such as `Library/Caches`, sorted; of what lies in one of them, none. `.`
    ///   is the container as a whole.
    /// - Throws: ``TresorError`` with code `cannotWrite` or `notPermitted` where something cannot be asked.
    public func excludedFromBackup() throws(TresorError) -> [String] {
        var found: [String] = []
        do { try collect(into: &found, below: []) } catch { throw Self.backupFailure(error) }
        return found.sorted()
    }
}

extension AppContainer {
    private static let backupAttribute = "user.xdg.robots.backup"
    private static let excluded = Array("false".utf8)
    private static let alwaysExcluded = [["Library", "Caches"], ["tmp"]]

    /// The parts of the way from the container to what lies in it.
    private func names(_ url: URL) throws(TresorError) -> [String] {
        let parts = url.path(percentEncoded: false).split(separator: "/").map(String.init)
        let root = path.split(separator: "/").map(String.init)
        guard url.isFileURL, parts.starts(with: root), !parts.contains(".."), !parts.contains(".")
        else {
            throw TresorError(.invalidParameter, localized("that is not in the app's container"))
        }
        return Array(parts.dropFirst(root.count))
    }

    /// Opens it part by part, so that no link leads out of the container.
    private func item(_ names: [String]) throws(LinuxError) -> FileDescriptor {
        var item = try FileDescriptor.open(path, FileFlags.ask)
        for name in names { item = try item.open(name, FileFlags.ask) }
        return item
    }

    private func isMarked(_ item: borrowing FileDescriptor) throws(LinuxError) -> Bool {
        do throws(LinuxError) {
            return try item.attribute(Self.backupAttribute) == Self.excluded
        } catch  where error.isUnsupported { return false }
    }

    private func collect(into found: inout [String], below names: [String]) throws(LinuxError) {
        let path = ([path] + names).joined(separator: "/")
        // Only files and folders carry attributes of users (xattr(7)).
        guard let status = try FileSystem.status(path), status.isDirectory || status.isRegular else {
            return
        }
        let isAlwaysOut = Self.alwaysExcluded.contains(names)
        if try isAlwaysOut ? true : isMarked(item(names)) {
            found.append(names.isEmpty ? "." : names.joined(separator: "/"))
        } else if status.isDirectory {
            for name in try FileSystem.names(in: path) {
                try collect(into: &found, below: names + [name])
            }
        }
    }

    private static func backupFailure(_ error: any Error) -> TresorError {
        guard let error = error as? LinuxError else {
            return error as? TresorError ?? TresorError(.cannotWrite, localized("the choice cannot be kept"))
        }
        if error.isMissing { return TresorError(.notFound, localized("there is no such file or folder")) }
        if error.isLink {
            return TresorError(.invalidParameter, localized("a link is not in the app's container"))
        }
        if error.isUnsupported {
            return TresorError(.unavailable, localized("the file system keeps no attributes"))
        }
        return failure(error)
    }
}
