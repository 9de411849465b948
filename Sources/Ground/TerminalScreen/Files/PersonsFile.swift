import Linux

/// Why a file of this computer could be neither read nor written.
package enum PersonsFileFailure: Error, Equatable, Sendable {
    case absent
    /// A folder, a device or a pipe.
    case notAFile
    /// There is one of that name, and it stays as it is.
    case exists
    case unreadable
    /// No such folder, no permission, or no room; nothing is left of what was begun.
    case unwritable
    /// The desktop has no program that shows it.
    case noOpener
}

/// A file that somebody has named, on its way to a program of ours, part by part.
package final class FileToSend {
    private let input: FileDescriptor
    private let partSize: Int
    private var offset = 0
    private var hasSentEmpty = false

    /// - Parameter partSize: bytes of a part at most.
    package init(_ typed: String, partSize: Int) throws(PersonsFileFailure) {
        self.partSize = partSize
        do { input = try FileDescriptor.open(TypedPath.full(typed), FileFlags.readFollowing) } catch {
            throw error.isMissing ? .absent : .unreadable
        }
        // A device or a pipe may never come to an end.
        guard (try? input.isRegular()) == true else { throw .notAFile }
    }

    /// The next part; an empty file has one, which is empty.
    package func next() throws(PersonsFileFailure) -> [UInt8]? {
        guard let part = try? input.read(count: partSize, at: offset) else { throw .unreadable }
        offset += part.count
        if part.isEmpty && (offset > 0 || hasSentEmpty) { return nil }
        hasSentEmpty = true
        return part
    }
}

/// A file that somebody wants to have, part by part: removed where it is not whole, and never in the place of another
/// one unless that was asked for.
package final class FileToKeep {
    private let output: FileDescriptor
    private let path: String
    /// Where it is written first: another one stays as it is until this one is whole.
    private let place: String
    private var offset = 0
    private var isWhole = false
    private var hasFailed = false

    /// - Parameter replaces: whether it takes the place of a file of that name.
    package init(_ typed: String, replaces: Bool) throws(PersonsFileFailure) {
        path = TypedPath.full(typed)
        if path.hasSuffix("/") || path.isEmpty { throw .notAFile }
        let there = try? FileSystem.status(path)
        if let there {
            guard replaces else { throw .exists }
            guard there.isRegular else { throw .notAFile }
        }
        place = there == nil ? path : path + ".tresor-" + PrivateFolder.randomName().prefix(8)
        do { output = try FileDescriptor.open(place, FileFlags.create) } catch {
            throw (try? FileSystem.status(place)) != nil ? .exists : .unwritable
        }
    }

    deinit { if !isWhole { try? FileSystem.remove(place) } }

    /// Writes a part; behind one that could not be written, the others are passed over.
    package func append(_ part: [UInt8]) {
        guard !hasFailed else { return }
        do {
            try output.write(part, at: offset)
            offset += part.count
        } catch { hasFailed = true }
    }

    /// Puts the last bytes on the disk, and the file in its place.
    package func finish() throws(PersonsFileFailure) {
        guard !hasFailed, (try? output.sync()) != nil else { throw .unwritable }
        if place != path { do { try FileSystem.rename(place, to: path) } catch { throw .unwritable } }
        isWhole = true
    }
}
