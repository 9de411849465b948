import DiaryClient
import Linux
import ResidentClient
import TerminalScreen
import Wire

/// A file on its way to tresor-diary, part by part.
final class StagedFile {
    private let input: FileDescriptor
    private var offset = 0
    private var hasSentEmpty = false

    init(_ path: String) throws(FileFailure) {
        do { input = try FileDescriptor.open(TypedPath.full(path), FileFlags.readFollowing) } catch {
            throw error.isMissing ? .absent : .unreadable
        }
        // A device or a pipe may never come to an end.
        guard (try? input.isRegular()) == true else { throw .notAFile }
    }

    /// The next part; an empty file has one, which is empty.
    func next() throws(FileFailure) -> [UInt8]? {
        guard let part = try? input.read(count: MessageFrame.bodyPart, at: offset) else { throw .unreadable }
        offset += part.count
        if part.isEmpty && (offset > 0 || hasSentEmpty) { return nil }
        hasSentEmpty = true
        return part
    }
}

/// A file that comes out of the diary, part by part; it did not exist before, and is removed where it is not whole.
final class SavedFile {
    private let output: FileDescriptor
    private let path: String
    private var offset = 0
    private var isWhole = false
    /// Whether it can be written no further; what still comes is passed over.
    private(set) var hasFailed = false

    init(_ typed: String) throws(FileFailure) {
        path = TypedPath.full(typed)
        if path.hasSuffix("/") { throw .notAFile }
        do { output = try FileDescriptor.open(path, FileFlags.create) } catch {
            throw (try? FileSystem.status(path)) != nil ? .exists : .unwritable
        }
    }

    deinit { if !isWhole { try? FileSystem.remove(path) } }

    func append(_ part: [UInt8]) {
        guard !hasFailed else { return }
        do {
            try output.write(part, at: offset)
            offset += part.count
        } catch { hasFailed = true }
    }

    /// Puts the last bytes on the disk.
    func finish() throws(FileFailure) {
        guard !hasFailed, (try? output.sync()) != nil else { throw .unwritable }
        isWhole = true
    }
}
