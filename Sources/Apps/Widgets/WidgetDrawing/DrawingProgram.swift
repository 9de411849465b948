package import Linux
package import Widgets

/// Why there is no picture.
package enum DrawingError: Error, Equatable, Sendable {
    /// `tresor-draw` is not where it should be.
    case missingProgram
    /// It took longer than it may, and was ended.
    case timedOut
    /// It has ended without an answer, twice.
    case ended
    /// It has said why.
    case refused(DrawAnswer.Refusal)
    /// The frame can't be written, or is larger than any.
    case tooLarge
    /// What the kernel refuses.
    case system(LinuxError)
}

/// `tresor-draw`, kept running: it draws one frame after the other.
///
///     let drawing = DrawingProgram(path: folder + "/tresor-draw")
///     let png = try drawing.png(frame, scale: .two, theme: .dark)
///
/// It holds what it has drawn in its memory: end it at a lock. The next call starts a fresh one. The kernel ends it
/// with the thread that started it (prctl(2), PR_SET_PDEATHSIG): who asks from threads that come and go pays for fresh
/// ones.
package final class DrawingProgram {
    /// In milliseconds, for one frame: a fresh program looks for its fonts first.
    package static let patience = 2000

    private let path: String
    private let patience: Int
    private var running: Running?

    /// Starts nothing yet.
    ///
    /// - Parameters:
    ///   - path: of `tresor-draw`.
    ///   - patience: milliseconds that a frame may take.
    package init(path: String, patience: Int = DrawingProgram.patience) {
        self.path = path
        self.patience = patience
    }

    deinit { end() }

    /// The one that stands beside the running program.
    ///
    /// - Throws: `DrawingError.system` where that can't be found out.
    package static func besideThisProgram() throws(DrawingError) -> DrawingProgram {
        do { return DrawingProgram(path: try CurrentProcess.executableDirectory() + "/tresor-draw") } catch {
            throw .system(error)
        }
    }

    /// Its number while it runs.
    package var processID: Int32? { running?.process.id }

    /// Starts it, where it does not run, and does not wait for it: the first picture comes sooner then.
    ///
    /// - Throws: `missingProgram`, `system`.
    package func prepare() throws(DrawingError) { _ = try readyProgram() }

    /// Draws a frame.
    ///
    /// - Parameters:
    ///   - frame: what to draw; pictures that are none become grey boxes.
    ///   - scale: pixels for each point.
    ///   - depth: its colours.
    ///   - theme: dark on light or light on dark.
    /// - Returns: a PNG, the same for the same frame where the same fonts are.
    /// - Throws: ``DrawingError``.
    package func png(
        _ frame: Frame, scale: DrawScale = .one, depth: DrawDepth = .color, theme: WidgetTheme = .light
    ) throws(DrawingError) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try frame.encode() } catch { throw .tooLarge }
        let request = DrawRequest(frame: bytes, scale: scale, depth: depth, theme: theme)
        guard let message = request.encoded else { throw .tooLarge }
        switch try answer(to: message) {
        case .png(let png): return png
        case .refused(let refusal): throw .refused(refusal)
        }
    }

    /// Lets go of it where it has ended by itself.
    package func letGo() { if running?.process.end() != nil { running = nil } }

    /// Ends it, and with it what it has in its memory.
    package func end() {
        running?.process.kill()
        running = nil
    }

    /// One that has ended since it was last asked is not this frame's fault: a fresh one is asked once more.
    private func answer(to message: [UInt8]) throws(DrawingError) -> DrawAnswer {
        let isFresh = running == nil
        do { return try ask(message) } catch {
            guard case .ended = error, !isFresh else { throw error }
            return try ask(message)
        }
    }

    private func ask(_ message: [UInt8]) throws(DrawingError) -> DrawAnswer {
        let program = try readyProgram()
        do { return try program.exchange(message, milliseconds: patience) } catch {
            // Whatever it would say later belongs to no question.
            end()
            throw error
        }
    }

    private func readyProgram() throws(DrawingError) -> Running {
        if let running { return running }
        do {
            let program = try Running(path)
            running = program
            return program
        } catch { throw error.isMissing ? .missingProgram : .system(error) }
    }
}

/// The process and our end of its standard input and output.
private final class Running {
    let process: ChildProcess
    private let socket: FileDescriptor

    init(_ path: String) throws(LinuxError) {
        // A socket rather than a pipe: a write to a program that is gone is an error, and never a signal.
        let (ours, its) = try UnixSocket.makePair()
        let near = FileDescriptor(owning: ours)
        let far = FileDescriptor(owning: its)
        try near.setNonblocking(true)
        process = try ChildProcess(filter: path, input: far, output: far)
        socket = near
    }

    /// Writes a request, and reads its answer.
    func exchange(_ message: [UInt8], milliseconds: Int) throws(DrawingError) -> DrawAnswer {
        let end = SystemClock.monotonicNanoseconds() + UInt64(milliseconds) * 1_000_000
        var sent = 0
        var collected: [UInt8] = []
        while true {
            let now = SystemClock.monotonicNanoseconds()
            guard now < end else { throw .timedOut }
            do {
                var poll = Poll()
                let drawer = poll.add(socket.raw, reading: true, writing: sent < message.count)
                try poll.wait(milliseconds: Int((end - now) / 1_000_000) + 1)
                if sent < message.count && poll.isWritable(drawer) {
                    let rest = sent == 0 ? message : Array(message[sent...])
                    if case .moved(let count) = try socket.write(unsafe rest.span.bytes) { sent += count }
                }
                guard poll.isReadable(drawer) else { continue }
                if try socket.read(into: &collected, room: 1 << 18) == .closed { throw DrawingError.ended }
            } catch let error as LinuxError { throw .system(error) } catch { throw .ended }
            if let answer = try answer(in: collected) { return answer }
        }
    }

    /// Nil where there is more to come.
    private func answer(in bytes: [UInt8]) throws(DrawingError) -> DrawAnswer? {
        guard bytes.count >= DrawLength.byteCount else { return nil }
        let count = DrawLength.decode(bytes)
        guard count <= DrawAnswer.limit else { throw .ended }
        guard bytes.count >= DrawLength.byteCount + count else { return nil }
        guard bytes.count == DrawLength.byteCount + count,
            let answer = DrawAnswer(Array(bytes[DrawLength.byteCount...]))
        else { throw .ended }
        return answer
    }
}
