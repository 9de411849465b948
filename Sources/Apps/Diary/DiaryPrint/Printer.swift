import Linux
import PrintStream

/// The program that prints, and what is sent to it.
final class Printer {
    private let process: ChildProcess
    /// Nil when all is sent.
    private var socket: FileDescriptor?
    private var hasEnded = false

    /// - Parameter output: where it writes the PDF, itself.
    init(program: String, output: borrowing FileDescriptor) throws(PrintError) {
        do {
            // A socket rather than a pipe: a write to a program that is gone is an error, and never a signal.
            let (ours, its) = try UnixSocket.makePair()
            let near = FileDescriptor(owning: ours)
            let far = FileDescriptor(owning: its)
            process = try ChildProcess(filter: program, input: far, output: output)
            socket = consume near
        } catch { throw error.isMissing ? .missingProgram : .system(error) }
    }

    deinit { if !hasEnded { process.kill() } }

    func send(_ message: PrintMessage) throws(PrintError) {
        let bytes = message.encoded
        let isTaken: Bool
        do {
            switch socket {
            case .some(let open): isTaken = try open.writeAll(unsafe bytes.span.bytes)
            case .none: isTaken = false
            }
        } catch { throw .system(error) }
        // How it has ended says why.
        if !isTaken { try waitForEnd() }
    }

    /// Ends what is sent, and waits until all is printed.
    func finish() throws(PrintError) {
        socket = nil
        try waitForEnd()
    }

    private func waitForEnd() throws(PrintError) {
        hasEnded = true
        switch process.waitForEnd() {
        case .exited(code: PrintExit.printed) where isSent: return
        case .exited(code: PrintExit.diskFull): throw .cannotWrite(isFull: true)
        case .exited(code: PrintExit.cannotWrite): throw .cannotWrite(isFull: false)
        case let end: throw .failed(end)
        }
    }

    private var isSent: Bool {
        switch socket {
        case .some: false
        case .none: true
        }
    }
}
