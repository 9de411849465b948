import Linux

/// One run of the decoder: its process, our end of its standard input and output, and the time it has left.
///
/// Nothing in it waits; whoever drives it polls its descriptor. The process never outlives this value.
struct DecoderProcess: ~Copyable {
    /// What is left to be done.
    enum Stage: Equatable { case exchanging, ending }

    /// Who started the process, and tells of its end.
    private enum Owner {
        case us(ChildProcess)
        case server(DecoderServer, slot: UInt8)
    }

    private let owner: Owner
    private let socket: FileDescriptor
    private let request: ImageRequest
    private let header: [UInt8]
    /// In nanoseconds of the monotonic clock.
    private let deadline: UInt64
    private var fed = 0
    private var isFeeding = true
    private var collected: [UInt8] = []
    private var stage = Stage.exchanging
    private var hasEnded = false
    /// Its descriptor in the set that is waited for.
    private var entry: Poll.Entry?

    /// Starts a process for it alone.
    init(_ request: ImageRequest, program: String, milliseconds: Int) throws(LinuxError) {
        // A socket rather than a pipe: a write to a program that is gone is an error, and never a signal.
        let (ours, its) = try UnixSocket.makePair()
        let near = FileDescriptor(owning: ours)
        let far = FileDescriptor(owning: its)
        try near.setNonblocking(true)
        let child = try ChildProcess(filter: program, input: far, output: far)
        self.init(request, .us(child), near, milliseconds: milliseconds)
    }

    /// Has a server start it.
    init(_ request: ImageRequest, server: DecoderServer, milliseconds: Int) throws(LinuxError) {
        let (slot, raw) = try server.start()
        let socket = FileDescriptor(owning: raw)
        try socket.setNonblocking(true)
        self.init(request, .server(server, slot: slot), socket, milliseconds: milliseconds)
    }

    private init(
        _ request: ImageRequest, _ owner: Owner, _ socket: consuming FileDescriptor, milliseconds: Int
    ) {
        self.owner = owner
        self.socket = socket
        self.request = request
        header = request.encoded
        deadline = SystemClock.monotonicNanoseconds() + UInt64(milliseconds) * 1_000_000
    }

    deinit {
        guard !hasEnded else { return }
        switch owner {
        case .us(let child): child.kill()
        case .server(let server, let slot): server.kill(slot)
        }
    }

    /// Where in the image it goes on reading; nil when it needs no more of it.
    var wanted: Int? { isFeeding ? max(0, fed - header.count) : nil }

    /// How long to wait for its descriptors, in milliseconds: a process that ends shows on none.
    var patience: Int {
        let left = (deadline - min(SystemClock.monotonicNanoseconds(), deadline)) / 1_000_000 + 1
        return stage == .ending ? 1 : Int(left)
    }

    /// Adds its descriptor, unless that has ended: it would be reported at once, each time, whatever is asked of it.
    mutating func add(to poll: inout Poll) {
        entry = stage == .exchanging ? poll.add(socket.raw, reading: true, writing: isFeeding) : nil
    }

    /// Does what can be done without waiting; the answer when there is one.
    ///
    /// - Parameters:
    ///   - poll: after it has waited; the one that ``add(to:)`` was given last.
    ///   - feed: writes bytes of the image from an offset on by the closure it is lent; it answers what that did.
    mutating func advance(
        _ poll: Poll,
        feed: (_ offset: Int, _ write: (RawSpan) throws(LinuxError) -> Transfer) throws(ImageError) -> Transfer
    ) throws(ImageError) -> ImageAnswer? {
        if stage == .exchanging {
            if poll.isReadable(entry) { try collect() }
            if isFeeding && poll.isWritable(entry) { try self.feed(feed) }
        }
        if stage == .ending, let end = try end() {
            hasEnded = true
            return try answer(after: end)
        }
        guard SystemClock.monotonicNanoseconds() < deadline else { throw .timedOut }
        return nil
    }

    private mutating func collect() throws(ImageError) {
        let transfer: Transfer
        do { transfer = try socket.read(into: &collected, room: 1 << 16) } catch { throw .system(error) }
        guard collected.count <= request.longestAnswer else { throw .badAnswer }
        guard transfer == .closed else { return }
        stage = .ending
        isFeeding = false
    }

    private mutating func feed(
        _ feed: (Int, (RawSpan) throws(LinuxError) -> Transfer) throws(ImageError) -> Transfer
    ) throws(ImageError) {
        let transfer: Transfer
        if fed < header.count {
            let rest = Array(header.dropFirst(fed))
            do { transfer = try socket.write(unsafe rest.span.bytes) } catch { throw .system(error) }
        } else {
            transfer = try feed(fed - header.count) { (bytes) throws(LinuxError) in try socket.write(bytes) }
        }
        switch transfer {
        case .moved(let count): fed += count
        case .wouldBlock: return
        // The rest of the story is in its output and its end.
        case .closed: isFeeding = false
        }
        if fed >= header.count + request.imageByteCount { isFeeding = false }
    }

    private func end() throws(ImageError) -> ChildProcess.End? {
        switch owner {
        case .us(let child): return child.end()
        case .server(let server, let slot):
            do { return try server.end(of: slot) } catch { throw .system(error) }
        }
    }

    private func answer(after end: ChildProcess.End) throws(ImageError) -> ImageAnswer {
        guard end == .exited(code: DecoderExit.answered) else { throw .meaning(of: end) }
        let answer = try ImageAnswer(collected)
        guard answer.answers(request) else { throw .badAnswer }
        return answer
    }
}
