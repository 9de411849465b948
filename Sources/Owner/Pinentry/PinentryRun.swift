import Linux
import Secrets

/// One run of a pinentry program: its process, our end of the socket, what it said and was not read yet.
///
/// The process never outlives this value, and what it said is in locked memory.
struct PinentryRun: ~Copyable {
    private let child: ChildProcess
    private let socket: FileDescriptor
    private var unread: LockedBuffer
    /// In nanoseconds of the monotonic clock.
    private var deadline: UInt64
    private var hasParted = false

    /// How often it is looked whether anybody wants the answer still, in milliseconds.
    private static let heartbeat = 100
    /// The longest line with its end.
    private static let room = AssuanAnswer.longestLine + 2
    /// How many lines may come without an answer among them.
    private static let longestPrelude = 1000

    /// - Parameter milliseconds: how long it may take until somebody is asked.
    init(program: String, environment: [String], milliseconds: Int) throws(LinuxError) {
        let (ours, its) = try UnixSocket.makePair()
        let socket = FileDescriptor(owning: ours)
        let childSocket = FileDescriptor(owning: its)
        try socket.setNonblocking(true)
        let unread = try LockedBuffer(capacity: Self.room)
        child = try ChildProcess(prompter: program, environment: environment, socket: childSocket)
        self.unread = unread
        self.socket = socket
        deadline = Self.deadline(milliseconds: milliseconds)
    }

    deinit { child.end(patience: hasParted ? 500 : 0, grace: 500) }

    /// Waits for the greeting.
    mutating func greet(_ isCancelled: () -> Bool) throws(PinentryError) { try expectSuccess(isCancelled) }

    /// Sends a command whose answer is yes or no.
    mutating func perform(_ command: String, _ isCancelled: () -> Bool) throws(PinentryError) {
        try send(command)
        try expectSuccess(isCancelled)
    }

    /// Has the person asked; what comes back is decoded in locked memory.
    ///
    /// The program's own clock is to run out first, hence the three seconds more.
    mutating func readPasscode(seconds: UInt32, _ isCancelled: () -> Bool) throws(PinentryError) -> SecretBytes {
        try send("GETPIN")
        deadline = Self.deadline(milliseconds: (Int(seconds) + 3) * 1000)
        var passcode: LockedBuffer
        do { passcode = try LockedBuffer(capacity: 256) } catch { throw .system(error) }
        for _ in 0..<Self.longestPrelude {
            let length = try waitForLine(isCancelled)
            let answer = try AssuanAnswer(unread.bytes.extracting(first: length))
            if answer == .data { try AssuanAnswer.decode(unread.bytes.extracting(first: length), into: &passcode) }
            dropLine(length)
            switch answer {
            case .success:
                part()
                return SecretBytes(passcode)
            case .error(let number):
                part()
                throw PinentryError(number: number)
            case .data, .remark: continue
            }
        }
        throw .malformed
    }

    /// Lets it end by itself.
    private mutating func part() {
        hasParted = true
        try? send("BYE")
    }

    private mutating func expectSuccess(_ isCancelled: () -> Bool) throws(PinentryError) {
        for _ in 0..<Self.longestPrelude {
            let length = try waitForLine(isCancelled)
            let answer = try AssuanAnswer(unread.bytes.extracting(first: length))
            dropLine(length)
            switch answer {
            case .success: return
            case .error(let number): throw PinentryError(number: number)
            case .data: throw .malformed
            case .remark: continue
            }
        }
        throw .malformed
    }

    /// A command is a few hundred bytes, for which a socket that was read has room.
    private func send(_ command: String) throws(PinentryError) {
        // What nobody asked for.
        guard unread.count == 0 else { throw .malformed }
        do {
            guard try socket.writeAll(command + "\n") else { throw PinentryError.malformed }
        } catch let error as LinuxError { throw .system(error) } catch { throw .malformed }
    }

    /// Waits until the first line is there; returns its length without its end, which is LF or CR LF.
    private mutating func waitForLine(_ isCancelled: () -> Bool) throws(PinentryError) -> Int {
        var searched = 0
        while true {
            while searched < unread.count {
                if unread.bytes.byte(at: searched) == 0x0a { return try lengthOfLine(endingAt: searched) }
                searched += 1
            }
            guard unread.count < Self.room else { throw .malformed }
            try receive(isCancelled)
        }
    }

    private func lengthOfLine(endingAt end: Int) throws(PinentryError) -> Int {
        let length = end > 0 && unread.bytes.byte(at: end - 1) == 0x0d ? end - 1 : end
        guard length <= AssuanAnswer.longestLine else { throw .malformed }
        return length
    }

    private mutating func dropLine(_ length: Int) {
        let end = unread.bytes.byte(at: length) == 0x0d ? 2 : 1
        unread.removeFirst(length + end)
    }

    private mutating func receive(_ isCancelled: () -> Bool) throws(PinentryError) {
        let transfer: Transfer
        do {
            try waitUntilReadable(isCancelled)
            transfer = try socket.read(into: &unread, room: Self.room - unread.count)
        } catch let error as PinentryError { throw error } catch let error as LinuxError {
            throw .system(error)
        } catch { throw .malformed }
        guard transfer != .closed else { throw .malformed }
    }

    private func waitUntilReadable(_ isCancelled: () -> Bool) throws {
        while true {
            guard !isCancelled() else { throw PinentryError.cancelled }
            let now = SystemClock.monotonicNanoseconds()
            guard now < deadline else { throw PinentryError.timedOut }
            let left = min(Self.heartbeat, Int((deadline - now) / 1_000_000) + 1)
            switch try Poll.wait(untilReadable: socket.raw, milliseconds: left) {
            case .ready: return
            case .timedOut, .interrupted: continue
            }
        }
    }

    private static func deadline(milliseconds: Int) -> UInt64 {
        SystemClock.monotonicNanoseconds() + UInt64(milliseconds) * 1_000_000
    }
}
