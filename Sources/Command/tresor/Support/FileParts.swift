import Linux
import Localization
import ResidentClient
import TerminalScreen
import Wire

/// A file on its way to a resident program, part by part.
final class FileParts {
    private let input: FileDescriptor
    private var offset = 0
    private var hasSentEmpty = false

    /// - Parameter otherwise: what did not happen where the file can't be read, for the message.
    init(_ path: String, otherwise: String) throws {
        do {
            input = try FileDescriptor.open(path, FileFlags.readFollowing)
        } catch {
            throw Failure(error.isOfStorage ? ExitCode.storageFailed : ExitCode.usage, error.description)
        }
        // A device or a pipe may never come to an end.
        guard try input.isRegular() else {
            throw Failure(ExitCode.usage, localized("\(SafeText.line(path)) is no regular file; \(otherwise)"))
        }
    }

    /// The next part; an empty file has one, which is empty.
    func next() throws -> [UInt8]? {
        let part = try input.read(count: MessageFrame.bodyPart, at: offset)
        offset += part.count
        if part.isEmpty && (offset > 0 || hasSentEmpty) { return nil }
        hasSentEmpty = true
        return part
    }
}
