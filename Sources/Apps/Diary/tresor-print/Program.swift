import Glibc
import Linux
import PrintStream
import Secrets

/// Reads a book from standard input and writes it as a PDF to standard output.
///
/// Its exit code is the answer: see specs/print-stream.md.
@main
enum Program {
    static func main() {
        do {
            try Sandbox.harden()
            try Sandbox.endWithParent()
            // An hour of the processor prints more than a life; the largest file that a PDF's ten digits reach.
            try Sandbox.limit(addressSpace: 4 << 30, processorSeconds: 3600, fileSize: 9_999_999_999)
        } catch { _exit(PrintExit.noSandbox) }
        guard Sandbox.closeForDrawing() else { _exit(PrintExit.noSandbox) }
        do {
            try print()
        } catch is DecodingError { _exit(PrintExit.badBook) } catch DrawingError.cannotWrite(let error) {
            _exit(error.isOutOfSpace ? PrintExit.diskFull : PrintExit.cannotWrite)
        } catch { _exit(PrintExit.failed) }
        // Not exit(3): libraries have registered calls for it.
        _exit(PrintExit.printed)
    }

    private static func print() throws {
        let input = FileDescriptor(owning: STDIN_FILENO)
        var order = PrintOrder()
        var book: Book?
        while !order.isOver {
            let head = try read(PrintMessage.headByteCount, from: input)
            let count = try head.withSpan { try PrintMessage.bodyByteCount(head: $0) }
            let bytes = try head + read(count, from: input)
            let message = try bytes.withSpan { try PrintMessage($0) }
            try order.take(message)
            if case .cover(let cover) = message { book = try Book(cover) } else { try book?.add(message) }
        }
        var rest: [UInt8] = []
        guard try input.read(into: &rest, room: 1) == .closed else { throw DecodingError.trailing }
        _ = input.release()
    }

    private static func read(_ count: Int, from input: borrowing FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let room = min(1 << 16, count - bytes.count)
            guard try input.read(into: &bytes, room: room) != .closed else { throw DecodingError.truncated }
        }
        return bytes
    }
}
