package import EventLoop
package import Linux
package import ResidentClient
import Secrets
import Wire

/// What follows an answer's head.
package enum MessageBody {
    case none
    case bytes([UInt8])
    /// Part by part; nil at the end. Where one does not come, `failure` says in an answer's words why.
    case parts(() throws -> [UInt8]?, failure: (any Error) -> any Encodable)
}

/// One client's socket as a resident program sees it: what has come, and what was not taken yet.
///
/// Frames wait in locked memory.
package final class MessagePipe {
    /// The body of an answer, part by part.
    private enum Outgoing {
        case bytes([UInt8], offset: Int)
        case parts(Parts, waiting: [UInt8], offset: Int)
    }

    private struct Parts {
        let next: () throws -> [UInt8]?
        let failure: (any Error) -> any Encodable
    }

    /// Below this a client keeps its own locked memory, in bytes.
    private static let smallBuffer = 16 * 1024
    /// In which a frame that was begun comes to its end, and an answer is taken.
    package static let patience = Duration.seconds(10)

    /// To poll.
    package let socket: FileDescriptor
    /// Of the client, as the kernel says it.
    package let process: ProcessName
    /// When a byte moved last, in milliseconds since the machine started.
    package private(set) var lastMoved: UInt64
    /// Since when half a frame waits; nil where none does.
    private var inputSince: UInt64?
    private let spare: SpareBuffer
    private var input: SecretBuffer
    private var output: SecretBuffer
    private var outgoing: (id: UInt32, content: Outgoing)?
    /// Whether the client is gone, or has to go: nothing is read or written any more.
    package var isClosed = false

    /// - Parameter spare: shared by all clients of a program.
    package init(_ socket: consuming FileDescriptor, spare: SpareBuffer = SpareBuffer()) throws {
        process = ProcessName(try PeerCredentials(of: socket))
        self.socket = socket
        self.spare = spare
        lastMoved = SystemClock.bootMilliseconds()
        input = try SecretBuffer(capacity: 4096)
        output = try SecretBuffer(capacity: 4096)
    }

    /// While it has not taken its answer, nothing more is read from it.
    package var wantsToWrite: Bool { output.count > 0 || outgoing != nil }

    /// Whether a body is on its way.
    package var hasOutgoingBody: Bool { outgoing != nil }

    /// Locked memory beyond what every client has, in bytes.
    package var heldBytes: Int {
        [input.storage.capacity, output.storage.capacity].filter { $0 > Self.smallBuffer }.reduce(0, +)
    }

    /// Whether the client has kept this program waiting for too long.
    ///
    /// With half a frame, or with an answer that it does not take; a file that goes out part by part holds little, and
    /// may be read as slowly as somebody likes.
    package func isLate(_ now: UInt64) -> Bool {
        if let inputSince, Duration(from: inputSince, to: now) > Self.patience { return true }
        if case .parts = outgoing?.content { return false }
        return wantsToWrite && Duration(from: lastMoved, to: now) > Self.patience
    }

    /// After which a client that took a part of a body is not taken to be on its way to the next.
    package static let haste = Duration.milliseconds(50)

    /// Whether the client is in the middle of a body, and took a part of it just now.
    package func isTaking(_ now: UInt64) -> Bool {
        outgoing != nil && Duration(from: lastMoved, to: now) < Self.haste
    }

    /// Whether ``isLate(_:)`` may come true by itself.
    package var isTimed: Bool { inputSince != nil || wantsToWrite }

    /// Reads what is there.
    ///
    /// - Returns: whether something was.
    @discardableResult
    package func receive() throws -> Bool {
        let end = try input.withBytes { try StreamFrame.byteCount(of: $0, limit: StreamFrame.keychainLimit) }
        // What a frame's head claims takes no memory before its bytes come.
        let room = max(4096, min((end ?? 0) - input.count, max(Self.smallBuffer, input.count)))
        if let end, end > max(Self.smallBuffer, input.storage.capacity) { try spare.replace(&input) }
        let transfer = try socket.read(into: &input.storage, room: room)
        if transfer == .closed { isClosed = true }
        var hasMoved = false
        if case .moved = transfer {
            lastMoved = SystemClock.bootMilliseconds()
            hasMoved = true
        }
        try timeInput()
        return hasMoved
    }

    private func timeInput() throws {
        let isHalf = try input.count > 0 && !hasFrame
        inputSince = isHalf ? inputSince ?? SystemClock.bootMilliseconds() : nil
    }

    /// Whether a whole frame waits.
    package var hasFrame: Bool {
        get throws { try input.wholeFrame(limit: StreamFrame.keychainLimit) != nil }
    }

    /// The next whole frame, which ``hasFrame`` has promised.
    package func takeFrame() throws -> MessageFrame {
        guard let end = try input.wholeFrame(limit: StreamFrame.keychainLimit) else { throw DecodingError.truncated }
        let frame = try input.withBytes { try MessageFrame.decode($0.extracting(StreamFrame.headerByteCount..<end)) }
        input.removeFirst(end)
        // A large frame must not hold on to locked memory that others need; while more of it comes, it is the next
        // that does.
        if input.count == 0 && end > Self.smallBuffer && !frame.hasMore { spare.takeBack(&input) }
        inputSince = nil
        try timeInput()
        return frame
    }

    /// Half of an answer ends the connection: what was not sent of it is forgotten.
    package func dropOutgoing() {
        guard outgoing != nil || output.count > 0 else { return }
        outgoing = nil
        output.removeAll()
        isClosed = true
    }

    /// Sends an answer.
    ///
    /// - Throws: `DecodingError.tooLong` where its head is longer than a client takes, and what the first part of a
    ///   body throws; then nothing was sent.
    package func send(
        _ reply: some Encodable, id: UInt32, secrets: borrowing MessageSecrets = .none, body: MessageBody
    ) throws {
        switch body {
        case .none: try MessageFrame.appendHead(reply, id: id, secrets: secrets, to: &output)
        case .bytes(let bytes):
            try MessageFrame.appendHead(reply, id: id, hasBody: true, to: &output)
            outgoing = (id: id, content: .bytes(bytes, offset: 0))
        case .parts(let next, let failure):
            let first = try next() ?? []
            try MessageFrame.appendHead(reply, id: id, hasBody: true, to: &output)
            outgoing = (id: id, content: .parts(Parts(next: next, failure: failure), waiting: first, offset: 0))
        }
        if !wantsToWrite { lastMoved = SystemClock.bootMilliseconds() }
        try flush()
    }

    /// Tells a client what it has not asked for, behind all that was answered.
    ///
    /// - Throws: `LinuxError` where the client is gone; `DecodingError.tooLong` where its JSON is longer than a reader
    ///   takes.
    package func send(event: some Encodable) throws {
        // An event in the middle of a body would be taken for a part of it; such a client hears of it by asking.
        guard outgoing == nil else { return }
        try MessageFrame.appendHead(event, id: 0, to: &output)
        try flush()
    }

    /// Writes as much as the client takes, and of a body one part: other clients get their turn between two.
    package func flush() throws {
        for isLater in [false, true] {
            while output.count > 0 {
                let transfer = try output.withBytes { try socket.write($0) }
                if transfer == .closed { return isClosed = true }
                guard case .moved(let count) = transfer else { return }
                output.removeFirst(count)
                lastMoved = SystemClock.bootMilliseconds()
            }
            guard outgoing != nil else {
                if output.storage.capacity > Self.smallBuffer { output = try SecretBuffer(capacity: 4096) }
                return
            }
            if !isLater { try appendOutgoing() }
        }
    }

    private func appendOutgoing() throws {
        guard let (id, content) = outgoing.take() else { return }
        switch content {
        case .bytes(let bytes, let offset):
            let end = min(bytes.count, offset + MessageFrame.bodyPart)
            try append(bytes[offset..<end], id, isLast: end == bytes.count)
            if end < bytes.count { outgoing = (id: id, content: .bytes(bytes, offset: end)) }
        case .parts(let parts, let waiting, let offset):
            let end = min(waiting.count, offset + MessageFrame.bodyPart)
            let next: [UInt8]?
            do { next = end == waiting.count ? try parts.next() : nil } catch {
                // Half of a file must not look like all of it.
                return try MessageFrame.appendFailure(parts.failure(error), id: id, to: &output)
            }
            try append(waiting[offset..<end], id, isLast: end == waiting.count && next == nil)
            if let next {
                outgoing = (id: id, content: .parts(parts, waiting: next, offset: 0))
            } else if end < waiting.count {
                outgoing = (id: id, content: .parts(parts, waiting: waiting, offset: end))
            }
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, _ id: UInt32, isLast: Bool) throws {
        try Array(bytes).withSpan { try MessageFrame.appendBody($0, id: id, isLast: isLast, to: &output) }
    }
}
