import Glibc
import Linux
import WidgetDrawing
import Widgets

/// Reads frames from standard input and writes them as pictures to standard output, until there are no more; see
/// specs/draw-stream.md.
@main
enum Program {
    static func main() {
        do {
            try Sandbox.harden()
            try Sandbox.endWithParent()
            // An hour of the processor is a million frames; who wants more starts a fresh one.
            try Sandbox.limit(addressSpace: 2 << 30, processorSeconds: 3600, fileSize: 0)
        } catch { _exit(DrawExit.noSandbox) }
        guard Sandbox.closeForDrawing() else { _exit(DrawExit.noSandbox) }
        do throws(CanvasError) {
            // Not exit(3): libraries have registered calls for it.
            var canvas = try Canvas()
            _exit(serve(&canvas))
        } catch { _exit(DrawExit.failed) }
    }

    private static func serve(_ canvas: inout Canvas) -> Int32 {
        let input = FileDescriptor(owning: STDIN_FILENO)
        do {
            while let body = try read(from: input) {
                guard AnswerStream.write(answer(to: body, &canvas).encoded) else { break }
            }
            return DrawExit.done
        } catch { return DrawExit.badStream }
    }

    private static func answer(to body: [UInt8], _ canvas: inout Canvas) -> DrawAnswer {
        guard let request = DrawRequest(body) else { return .refused(.badRequest) }
        let frame: Frame
        do { frame = try Frame(decoding: request.frame) } catch { return .refused(.badFrame) }
        do { return .png(try canvas.draw(frame, request)) } catch { return .refused(.failed) }
    }

    private enum StreamError: Error { case tooLong, truncated }

    /// The body of the next request; nil behind the last.
    private static func read(from input: borrowing FileDescriptor) throws -> [UInt8]? {
        var head: [UInt8] = []
        while head.count < DrawLength.byteCount {
            if try input.read(into: &head, room: DrawLength.byteCount - head.count) == .closed {
                if head.isEmpty { return nil }
                throw StreamError.truncated
            }
        }
        let count = DrawLength.decode(head)
        guard count <= DrawRequest.limit else { throw StreamError.tooLong }
        var body: [UInt8] = []
        while body.count < count {
            if try input.read(into: &body, room: min(1 << 18, count - body.count)) == .closed {
                throw StreamError.truncated
            }
        }
        return body
    }
}
