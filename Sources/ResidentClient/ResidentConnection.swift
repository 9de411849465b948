import FoundationEssentials
import Linux
import Secrets
package import Wire

/// A client's connection to tresor-notes, blocking; it starts the program where it does not run.
package final class NotesConnection {
    private let socket: FileDescriptor
    private var input: SecretBuffer
    private var output: SecretBuffer
    private var events: [NotesEvent] = []
    private var nextID: UInt32 = 1
    /// Bytes of an answer's body that are kept in memory.
    private static let bodyLimit = 128 << 20

    /// - Throws: ``NotesError`` with code `unavailable` when tresor-notes neither runs nor starts.
    package init(home: Home) throws {
        socket = try NotesStarter.connect(home)
        let peer = try PeerCredentials(of: socket)
        guard peer.user == CurrentProcess.user || peer.user == 0 else {
            throw NotesError(.unavailable, "the socket \(home.notesSocket) is served by another user")
        }
        input = try SecretBuffer(capacity: 64 * 1024)
        output = try SecretBuffer(capacity: 64 * 1024)
    }

    /// To poll for events, after ``subscribe()``.
    package var descriptor: Int32 { socket.raw }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - secrets: as the request's documentation says.
    ///   - body: sent behind the request where it is not empty.
    /// - Returns: the answer, and its body.
    /// - Throws: ``NotesError``, also for a connection that ended.
    @discardableResult
    package func ask(
        _ request: NotesRequest, secrets: borrowing NotesSecrets = .none, body: [UInt8] = []
    ) throws -> (reply: NotesReply, body: [UInt8]) {
        var offset = 0
        var answer: [UInt8] = []
        let reply = try ask(request, secrets: secrets, hasBody: !body.isEmpty) { () -> [UInt8]? in
            guard offset < body.count else { return nil }
            defer { offset += NotesFrame.bodyPart }
            return Array(body[offset..<min(body.count, offset + NotesFrame.bodyPart)])
        } receive: { part in
            guard answer.count + part.count <= Self.bodyLimit else {
                throw NotesError(.tooLarge, "the answer is larger than \(Self.bodyLimit >> 20) MiB")
            }
            answer += part
        }
        return (reply: reply, body: answer)
    }

    /// The same, with bodies of any size, part by part.
    ///
    /// - Parameters:
    ///   - send: returns the next part of the body, at most ``NotesFrame/bodyPart`` bytes; nil at its end.
    ///   - receive: gets the answer's body.
    @discardableResult
    package func ask(
        _ request: NotesRequest, secrets: borrowing NotesSecrets = .none, hasBody: Bool,
        send: () throws -> [UInt8]?, receive: ([UInt8]) throws -> Void
    ) throws -> NotesReply {
        let id = nextID
        nextID = nextID == .max ? 1 : nextID + 1
        output.removeAll()
        try NotesFrame.appendHead(request, id: id, secrets: secrets, hasBody: hasBody, to: &output)
        try flush()
        if hasBody {
            var next = try send()
            while let part = next {
                next = try send()
                try part.withSpan { try NotesFrame.appendBody($0, id: id, isLast: next == nil, to: &output) }
                try flush()
            }
        }
        return try receiveReply(id, receive)
    }

    private func receiveReply(_ id: UInt32, _ receive: ([UInt8]) throws -> Void) throws -> NotesReply {
        while true {
            let frame = try nextFrame()
            if frame.id == 0 {
                events.append(try frame.message(as: NotesEvent.self))
                continue
            }
            guard frame.id == id, frame.part == .head else { throw Self.garbled }
            let reply = try frame.message(as: NotesReply.self)
            var hasMore = frame.hasMore
            while hasMore {
                let part = try nextFrame()
                guard part.id == id, part.part == .body else { throw Self.garbled }
                hasMore = part.hasMore
                try receive(part.bytes)
            }
            if case .error(let error) = reply { throw error }
            return reply
        }
    }

    /// From now on ``nextEvent()`` has something to say.
    package func subscribe() throws { try ask(.subscribe) }

    /// The next event that has arrived; nil where none waits.
    ///
    /// - Throws: ``NotesError`` with code `unavailable` when tresor-notes has ended.
    package func nextEvent() throws -> NotesEvent? {
        while events.isEmpty {
            var poll = Poll()
            poll.add(socket.raw, reading: true, writing: false)
            let isWhole = try input.withBytes { bytes in
                try Frame.byteCount(of: bytes, limit: Frame.nativeLimit).map { bytes.byteCount >= $0 } ?? false
            }
            if !isWhole {
                try poll.wait(milliseconds: 0)
                guard poll.isReadable(0) else { return nil }
            }
            let frame = try nextFrame()
            guard frame.id == 0 else { throw Self.garbled }
            events.append(try frame.message(as: NotesEvent.self))
        }
        return events.removeFirst()
    }

    private func flush() throws {
        defer { output.removeAll() }
        do {
            guard try output.withBytes({ try socket.writeAll($0) }) else { throw Self.gone }
        } catch is LinuxError { throw Self.gone }
    }

    private func nextFrame() throws -> NotesFrame {
        do {
            while true {
                let end = try input.withBytes { try Frame.byteCount(of: $0, limit: Frame.nativeLimit) }
                if let end, input.count >= end {
                    defer { input.removeFirst(end) }
                    return try input.withBytes {
                        try NotesFrame.decode($0.extracting(Frame.headerByteCount..<end))
                    }
                }
                let room = max(64 * 1024, (end ?? 0) - input.count)
                guard case .moved = try socket.read(into: &input.storage, room: room) else { throw Self.gone }
            }
        } catch is LinuxError { throw Self.gone } catch is DecodingError { throw Self.garbled }
    }

    private static var gone: NotesError {
        NotesError(.unavailable, "tresor-notes went away before it answered; the device may have been locked")
    }

    private static var garbled: NotesError {
        NotesError(.unavailable, "the answer of tresor-notes cannot be read; its version may be another")
    }
}

/// Starts tresor-notes where it does not run.
enum NotesStarter {
    static func connect(_ home: Home) throws -> FileDescriptor {
        if let socket = try? UnixSocket.connect(home.notesSocket) { return socket }
        // Whether the device is there at all is the daemon's to say.
        guard (try? UnixSocket.connect(home.socket)) != nil else {
            throw NotesError(.unavailable, "tresord does not run; start it with 'tresor up'")
        }
        let program = try CurrentProcess.executableDirectory() + "/tresor-notes"
        guard try FileSystem.status(program) != nil else {
            throw NotesError(.unavailable, "\(program) is missing; build it with 'make run'")
        }
        try FileSystem.makeDirectories(home.notesFolder)
        let log = try FileDescriptor.open(home.notesLog, FileFlags.append)
        let child = try ChildProcess(detached: program, arguments: [], output: log)
        for _ in 0..<1000 {
            if let socket = try? UnixSocket.connect(home.notesSocket) { return socket }
            if let end = child.end(), end != .exited(code: 0) {
                throw NotesError(.unavailable, "tresor-notes did not start; its log says why: \(home.notesLog)")
            }
            SystemClock.sleep(milliseconds: 10)
        }
        throw NotesError(.unavailable, "tresor-notes did not start within 10 seconds; its log: \(home.notesLog)")
    }
}
