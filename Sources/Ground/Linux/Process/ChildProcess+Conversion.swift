extension ChildProcess {
    /// Runs a program of the system that turns its standard input into its standard output, and waits for its end.
    ///
    /// It keeps the environment, and inherits no other descriptor.
    ///
    /// - Parameters:
    ///   - limit: bytes of output.
    ///   - milliseconds: how long it may take.
    /// - Returns: what it wrote, what it complained of included; nil where it failed, wrote more, or took longer, and
    ///   then it is gone.
    /// - Throws: `LinuxError` where no process or socket is granted.
    package static func convert(
        _ path: String, _ arguments: [String], input: RawSpan, limit: Int, milliseconds: Int
    ) throws(LinuxError) -> [UInt8]? {
        // Sockets rather than pipes: a write to a program that is gone is an error, and never a signal.
        let (toRead, toFeed) = try UnixSocket.makePair()
        let (ours, its) = try UnixSocket.makePair()
        let farInput = FileDescriptor(owning: toRead)
        var feeding: FileDescriptor? = FileDescriptor(owning: toFeed)
        let output = FileDescriptor(owning: ours)
        let child = try start(path, arguments, input: consume farInput, output: FileDescriptor(owning: its))
        let end = SystemClock.bootMilliseconds() + UInt64(milliseconds)
        do throws(LinuxError) {
            try output.setNonblocking(true)
            try setNonblocking(feeding)
            var converted: [UInt8] = []
            var fed = 0
            while true {
                let now = SystemClock.bootMilliseconds()
                guard now < end, converted.count <= limit else {
                    child.kill()
                    return nil
                }
                var poll = Poll()
                poll.add(output.raw, reading: true, writing: false)
                add(feeding, to: &poll)
                try poll.wait(milliseconds: Int(end - now))
                if try feed(&feeding, input, &fed) { feeding = nil }
                if try output.read(into: &converted, room: 1 << 16) == .closed { break }
            }
            return child.hasSucceeded(before: end) ? converted : nil
        } catch {
            child.kill()
            throw error
        }
    }

    /// Waits for its end, and brings it about where the time is over.
    private func hasSucceeded(before time: UInt64) -> Bool {
        while SystemClock.bootMilliseconds() < time {
            if let end = end() { return end == .success }
            SystemClock.sleep(milliseconds: 2)
        }
        kill()
        return false
    }

    /// The program's ends of both sockets are closed here once it has them.
    private static func start(
        _ path: String, _ arguments: [String], input: consuming FileDescriptor, output: consuming FileDescriptor
    ) throws(LinuxError) -> ChildProcess {
        try ChildProcess(path: path, arguments: arguments, input: input, output: output)
    }

    /// - Returns: whether all is fed, or nobody takes it.
    private static func feed(
        _ descriptor: inout FileDescriptor?, _ input: RawSpan, _ fed: inout Int
    ) throws(LinuxError) -> Bool {
        switch descriptor {
        case .none: return false
        case .some(let open):
            guard fed < input.byteCount else { return true }
            switch try open.write(input.extracting(droppingFirst: fed)) {
            case .moved(let count): fed += count
            case .wouldBlock: break
            case .closed: return true
            }
            return fed == input.byteCount
        }
    }

    private static func setNonblocking(_ descriptor: borrowing FileDescriptor?) throws(LinuxError) {
        switch descriptor {
        case .some(let open): try open.setNonblocking(true)
        case .none: break
        }
    }

    private static func add(_ descriptor: borrowing FileDescriptor?, to poll: inout Poll) {
        switch descriptor {
        case .some(let open): poll.add(open.raw, reading: false, writing: true)
        case .none: break
        }
    }
}
