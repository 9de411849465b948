import Envelopes
import Linux

/// A program's file that is read piece by piece, so that nobody waits for it but who runs it.
final class ContentReading {
    /// A program may be this large, in bytes; a larger one is not known by its content.
    private static let largest = 1 << 30
    private static let piece = 1 << 20

    let file: FileIdentity
    /// SHA-256 of the whole; nil until then, and where the file was changed meanwhile.
    private(set) var digest: [UInt8]?
    private(set) var hasEnded = false

    private let open: FileDescriptor
    private var running = ContentDigest()
    private var offset = 0

    /// - Throws: `LinuxError` for a file that is too large, is not what the process runs, or comes from a program.
    init(of peer: borrowing PeerProcess, _ file: FileIdentity) throws(LinuxError) {
        let descriptor = try peer.openExecutable()
        guard file.byteCount <= Self.largest, try FileIdentity(of: descriptor) == file,
            try !descriptor.isServedByProgram()
        else { throw LinuxError(call: "read", code: LinuxError.Code.tooLarge) }
        self.file = file
        open = descriptor
    }

    /// Bytes that are still to be read.
    var left: Int { hasEnded ? 0 : max(0, file.byteCount - offset) }

    /// Reads the next piece.
    func goOn() {
        guard !hasEnded else { return }
        guard let bytes = try? open.read(count: Self.piece, at: offset) else { return hasEnded = true }
        running.update(bytes)
        offset += bytes.count
        guard bytes.count < Self.piece else { return }
        hasEnded = true
        if offset == file.byteCount, (try? FileIdentity(of: open)) == file { digest = running.finish() }
    }

    /// It takes too long: the program is not known by its content.
    func giveUp() { hasEnded = true }
}
