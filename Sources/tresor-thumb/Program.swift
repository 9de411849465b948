import Glibc
import ImageSandbox
import Linux

/// Reads one image from standard input and writes one small JPEG to standard output.
@main
enum Program {
    static func main() {
        do {
            try closeSandbox()
            // Not exit(3): a hundred libraries have registered calls for it, which the sandbox forbids.
            _exit(try serve())
        } catch { _exit(ThumbnailExit.noSandbox) }
    }

    /// All libraries are loaded and started before the sandbox closes, and no byte of the image is read before it has.
    private static func closeSandbox() throws {
        try Sandbox.harden()
        try Sandbox.endWithParent()
        try Decoder.start()
        // 48 megapixels of HEIC take 400 MB, 200 of a progressive JPEG 650, of an interlaced PNG 900.
        try Sandbox.limit(
            addressSpace: 1 << 30, processorSeconds: 10, fileSize: UInt64(Thumbnail.longestOutput))
        _ = try Sandbox.denyFiles()
        try Sandbox.restrictToComputing()
    }

    /// - Returns: the exit code; see ``ThumbnailExit``.
    private static func serve() throws -> Int32 {
        guard let image = try StandardInput.readAll(limit: Thumbnail.longestInput),
            let thumbnail = Decoder.thumbnail(of: image)
        else { return ThumbnailExit.notAnImage }
        let isTaken = try StandardStream.output.write(unsafe thumbnail.span.bytes)
        return isTaken ? ThumbnailExit.success : ThumbnailExit.noSandbox
    }
}
