import Glibc
import ImageSandbox
import Linux

/// Reads a request and one image from standard input and writes one answer to standard output.
///
/// Under the name of ``DecoderServer/name`` it has no image of its own: it loads its libraries once, and starts such
/// readers by fork(2), which takes a twentieth of the time.
@main
enum Program {
    static func main() {
        do {
            try Sandbox.harden()
            try Sandbox.endWithParent()
            if CommandLine.arguments.first == DecoderServer.name {
                var server = try Server()
                try server.run()
            }
            serveOne { request in if request.job != .strip { try Decoder.start(for: request.kind) } }
        } catch { _exit(DecoderExit.noSandbox) }
    }

    /// Answers the one request on standard input, and ends.
    ///
    /// - Parameter prepare: loads what the request needs; the last that happens outside of the sandbox.
    static func serveOne(_ prepare: (ImageRequest) throws -> Void) -> Never {
        guard let request = readRequest() else { _exit(DecoderExit.noRequest) }
        do {
            try prepare(request)
            try closeSandbox(for: request)
            // Not exit(3): a hundred libraries have registered calls for it, which the sandbox forbids.
            _exit(try serve(request))
        } catch { _exit(DecoderExit.noSandbox) }
    }

    /// These bytes are our parent's, and no byte more is read before the sandbox is closed.
    private static func readRequest() -> ImageRequest? {
        read(ImageRequest.byteCount).flatMap { try? ImageRequest($0) }
    }

    /// So many bytes of standard input; nil where there are fewer.
    ///
    /// The address space for them is taken at once, so that what is read is never copied.
    private static func read(_ count: Int) -> [UInt8]? {
        let input = FileDescriptor(owning: STDIN_FILENO)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var isOpen = true
        while isOpen && bytes.count < count {
            let room = min(1 << 16, count - bytes.count)
            isOpen = (try? input.read(into: &bytes, room: room)).map { $0 != .closed } ?? false
        }
        _ = input.release()
        return bytes.count == count ? bytes : nil
    }

    /// All libraries have been loaded and started, and no byte of the image is read before this is done.
    private static func closeSandbox(for request: ImageRequest) throws {
        // 48 megapixels of HEIC take 400 MB, 200 of a progressive JPEG 650, of an interlaced PNG 900.
        try Sandbox.limit(
            addressSpace: 1 << 30, processorSeconds: UInt64(request.processorSeconds), fileSize: 0)
        _ = try Sandbox.denyFiles()
        try Sandbox.restrictToComputing()
    }

    /// - Returns: the exit code; see ``DecoderExit``.
    private static func serve(_ request: ImageRequest) throws -> Int32 {
        guard let image = read(request.imageByteCount) else { return DecoderExit.noRequest }
        let bytes = answer(to: request, of: image).encoded
        let isTaken = try StandardStream.output.write(unsafe bytes.span.bytes)
        return isTaken ? DecoderExit.answered : DecoderExit.noSandbox
    }

    private static func answer(to request: ImageRequest, of image: [UInt8]) -> ImageAnswer {
        guard let kind = ImageKind(of: image), kind == request.kind ?? kind else { return .refused(.notAnImage) }
        do throws(ImageRefusal) {
            switch request.job {
            case .facts: return .facts(try Decoder(image, kind).facts())
            case .thumbnail: return try Decoder(image, kind).pictures(withPreview: false)
            case .preview: return try Decoder(image, kind).pictures(withPreview: true)
            case .convert: return .file(try Decoder(image, kind).fullSize())
            case .pixels: return .pixels(try Decoder(image, kind).pixels(longestSide: Int32(request.longestSide)))
            case .strip: return .file(try MetadataStripper.strip(image))
            }
        } catch { return .refused(error) }
    }
}
