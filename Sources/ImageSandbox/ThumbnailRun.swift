import Linux

/// One run of the decoder: its process, our ends of its standard input and output, and the time it has left.
///
/// The process never outlives this value.
struct ThumbnailRun: ~Copyable {
    private let child: ChildProcess
    private let input: FileDescriptor
    private let output: FileDescriptor
    /// In nanoseconds of the monotonic clock.
    private let deadline: UInt64
    private var hasEnded = false

    init(program: String, milliseconds: Int) throws(LinuxError) {
        // Sockets rather than pipes: a write to a program that is gone is an error, and never a signal.
        let (ourInput, itsInput) = try UnixSocket.makePair()
        let input = FileDescriptor(owning: ourInput)
        let childInput = FileDescriptor(owning: itsInput)
        let (ourOutput, itsOutput) = try UnixSocket.makePair()
        let output = FileDescriptor(owning: ourOutput)
        let childOutput = FileDescriptor(owning: itsOutput)
        try input.setNonblocking(true)
        try output.setNonblocking(true)
        child = try ChildProcess(filter: program, input: childInput, output: childOutput)
        self.input = input
        self.output = output
        deadline = SystemClock.monotonicNanoseconds() + UInt64(milliseconds) * 1_000_000
    }

    deinit { if !hasEnded { child.kill() } }

    /// Feeds the image and collects the output, whichever is possible, until the output ends.
    func exchange(_ image: RawSpan) throws(ThumbnailError) -> [UInt8] {
        var fed = 0
        var isFeeding = true
        var collected: [UInt8] = []
        while true {
            let ready = try wait(feeding: isFeeding)
            if ready.output, try collect(into: &collected) == .closed { return collected }
            if ready.input { isFeeding = try feed(image, &fed) }
        }
    }

    /// Waits for the program's end, which follows the end of its output.
    mutating func waitForEnd() throws(ThumbnailError) -> ChildProcess.End {
        while true {
            if let end = child.end() {
                hasEnded = true
                return end
            }
            _ = try remainingMilliseconds()
            SystemClock.sleep(milliseconds: 1)
        }
    }

    private func wait(feeding: Bool) throws(ThumbnailError) -> (output: Bool, input: Bool) {
        var poll = Poll()
        poll.add(output.raw, reading: true, writing: false)
        if feeding { poll.add(input.raw, reading: false, writing: true) }
        let milliseconds = try remainingMilliseconds()
        do { try poll.wait(milliseconds: milliseconds) } catch { throw .system(error) }
        return (poll.isReadable(0), feeding && (poll.isWritable(1) || poll.isBroken(1)))
    }

    private func collect(into collected: inout [UInt8]) throws(ThumbnailError) -> Transfer {
        let transfer: Transfer
        do { transfer = try output.read(into: &collected, room: 1 << 16) } catch { throw .system(error) }
        guard collected.count <= Thumbnail.longestOutput else { throw .tooMuchOutput }
        return transfer
    }

    /// False when there is nothing more to feed; the program then reads the end of its input.
    private func feed(_ image: RawSpan, _ fed: inout Int) throws(ThumbnailError) -> Bool {
        do {
            switch try input.write(image.extracting(droppingFirst: fed)) {
            case .moved(let count): fed += count
            case .wouldBlock: return true
            case .closed: return false
            }
        } catch { throw .system(error) }
        guard fed == image.byteCount else { return true }
        ConnectionEnder(input).end()
        return false
    }

    private func remainingMilliseconds() throws(ThumbnailError) -> Int {
        let now = SystemClock.monotonicNanoseconds()
        guard now < deadline else { throw .timedOut }
        return Int((deadline - now) / 1_000_000) + 1
    }
}
