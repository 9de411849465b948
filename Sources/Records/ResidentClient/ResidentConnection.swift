import FoundationEssentials
import Linux
import Localization
package import Secrets
import Wire

/// A client's connection to a resident program of ours, blocking; it starts the program where it does not run.
package final class ResidentConnection<Messages: ResidentMessages> {
    private let program: ResidentProgram
    private let socket: FileDescriptor
    private var input: SecretBuffer
    private var output: SecretBuffer
    private var events: [Messages.Event] = []
    private var nextID: UInt32 = 1
    /// Bytes of an answer's body that are kept in memory.
    private let bodyLimit = 128 << 20
    /// How long without a byte anything is waited for, and the same for what may take minutes.
    private static var patience: (short: Duration, long: Duration) { (.seconds(30), .seconds(900)) }
    private var limit: Duration?
    /// Those that hold for what was asked last.
    private var waits = Duration.seconds(30)
    /// What counts beside an answer, while it is waited for.
    package var attention: Attention?

    /// - Throws: the failure `unavailable` of these messages when the program neither runs nor starts.
    package init(_ program: ResidentProgram, daemon: String) throws {
        self.program = program
        socket = try ResidentStarter<Messages>(program: program, daemon: daemon).connect()
        let peer = try PeerCredentials(of: socket)
        guard peer.user == CurrentProcess.user || peer.user == 0 else {
            throw Messages.failure(.unavailable, marked("the socket \(program.socket) is served by another user"))
        }
        input = try SecretBuffer(capacity: 64 * 1024)
        output = try SecretBuffer(capacity: 64 * 1024)
    }

    /// To poll for events, once they were asked for.
    package var descriptor: Int32 { socket.raw }

    /// Lets the connection fail with `noAnswer` when the program says nothing for so long, whatever was asked.
    package func limitWaits(to time: Duration) { limit = time }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - secrets: as the request's documentation says.
    ///   - body: sent behind the request where it is not empty.
    /// - Returns: the answer, and its body.
    /// - Throws: the failure that the answer is, or `unavailable` for a connection that ended.
    @discardableResult
    package func ask(
        _ request: Messages.Request, secrets: borrowing MessageSecrets = .none, body: [UInt8] = []
    ) throws -> (reply: Messages.Reply, body: [UInt8]) {
        var offset = 0
        var answer: [UInt8] = []
        let reply = try ask(request, secrets: secrets, hasBody: !body.isEmpty) { () -> [UInt8]? in
            guard offset < body.count else { return nil }
            defer { offset += MessageFrame.bodyPart }
            return Array(body[offset..<min(body.count, offset + MessageFrame.bodyPart)])
        } receive: { part in
            guard answer.count + part.count <= bodyLimit else {
                throw Messages.failure(.tooLarge, marked("the answer is larger than \(bodyLimit >> 20) MiB"))
            }
            answer += part
        }
        return (reply: reply, body: answer)
    }

    /// The same, with bodies of any size, part by part.
    ///
    /// - Parameters:
    ///   - send: returns the next part of the body, at most ``MessageFrame/bodyPart`` bytes; nil at its end.
    ///   - receive: gets the answer's body.
    /// - Throws: also in the middle of a body, when the program cannot go on with it: what came of it is not all.
    @discardableResult
    package func ask(
        _ request: Messages.Request, secrets: borrowing MessageSecrets = .none, hasBody: Bool,
        send: () throws -> [UInt8]?, receive: ([UInt8]) throws -> Void
    ) throws -> Messages.Reply {
        let id = try post(request, secrets: secrets, hasBody: hasBody, send)
        return try receiveReply(id, receive)
    }

    /// The same for an answer whose body is rows: JSON objects, a line feed behind each.
    ///
    /// - Parameter row: gets them in order.
    package func askForRows<Row: Decodable>(
        _ request: Messages.Request, of _: Row.Type, row: (Row) throws -> Void
    ) throws -> Messages.Reply {
        let decoder = JSONDecoder()
        var waiting: [UInt8] = []
        let reply = try ask(request, hasBody: false, send: { nil }) { part in
            waiting += part
            // The last row of a part goes on in the next one.
            guard let end = waiting.lastIndex(of: UInt8(ascii: "\n")) else { return }
            // As one array: a decoder costs as much to begin as a row.
            var rows = Array(waiting[..<end])
            for index in rows.indices where rows[index] == UInt8(ascii: "\n") { rows[index] = UInt8(ascii: ",") }
            waiting.removeFirst(end + 1)
            rows.insert(UInt8(ascii: "["), at: 0)
            rows.append(UInt8(ascii: "]"))
            guard let decoded = try? decoder.decode([Row].self, from: Data(rows)) else { throw garbled }
            for one in decoded { try row(one) }
        }
        guard waiting.isEmpty else { throw garbled }
        return reply
    }

    /// Sends a request whose answer is waited for beside other things, by ``descriptor``.
    ///
    /// Nothing else is asked on this connection before ``finish(_:)`` has taken the answer.
    ///
    /// - Returns: the number under which the answer comes.
    package func begin(_ request: Messages.Request) throws -> UInt32 {
        try post(request, secrets: .none, hasBody: false) { nil }
    }

    /// The same with a body, and several may be under way if their answers are short: they come in the same order.
    package func begin(_ request: Messages.Request, body: [UInt8]) throws -> UInt32 {
        var offset = 0
        return try post(request, secrets: .none, hasBody: !body.isEmpty) {
            guard offset < body.count else { return nil }
            defer { offset += MessageFrame.bodyPart }
            return Array(body[offset..<min(body.count, offset + MessageFrame.bodyPart)])
        }
    }

    /// Takes the answer that ``begin(_:)`` asked for; waits for what is not there yet of it.
    package func finish(_ id: UInt32) throws -> (reply: Messages.Reply, body: [UInt8]) {
        var answer: [UInt8] = []
        let reply = try receiveReply(id) { part in
            guard answer.count + part.count <= bodyLimit else {
                throw Messages.failure(.tooLarge, marked("the answer is larger than \(bodyLimit >> 20) MiB"))
            }
            answer += part
        }
        return (reply: reply, body: answer)
    }

    /// Waits until the program ends this connection, as it does when it replaces itself.
    package func waitForEnd() {
        try? socket.setTimeout(Self.patience.short)
        while true {
            do { _ = try nextFrame() } catch { return }
        }
    }

    /// Sends a request whose answer is a secret.
    ///
    /// - Throws: as ``ask(_:secrets:body:)``; the failure `unavailable` for an answer without one.
    package func askForSecret(
        _ request: Messages.Request, secrets: borrowing MessageSecrets = .none
    ) throws -> SecretBytes {
        let id = try post(request, secrets: secrets, hasBody: false) { nil }
        var frame = try replyFrame(id)
        _ = try reply(in: frame)
        var secrets = frame.takeSecrets()
        guard let secret = secrets.takeFirst() else { throw garbled }
        return secret
    }

    /// - Returns: the number under which the answer comes.
    private func post(
        _ request: Messages.Request, secrets: borrowing MessageSecrets, hasBody: Bool, _ send: () throws -> [UInt8]?
    ) throws -> UInt32 {
        let id = nextID
        nextID = nextID == .max ? 1 : nextID + 1
        output.removeAll()
        waits = limit ?? (Messages.isLong(request) ? Self.patience.long : Self.patience.short)
        try socket.setTimeout(waits)
        try MessageFrame.appendHead(request, id: id, secrets: secrets, hasBody: hasBody, to: &output)
        try flush()
        if hasBody {
            var next = try send()
            while let part = next {
                next = try send()
                try part.withSpan { try MessageFrame.appendBody($0, id: id, isLast: next == nil, to: &output) }
                try flush()
            }
        }
        return id
    }

    private func receiveReply(_ id: UInt32, _ receive: ([UInt8]) throws -> Void) throws -> Messages.Reply {
        let frame = try replyFrame(id)
        let reply = try reply(in: frame)
        var hasMore = frame.hasMore
        while hasMore {
            let part = try nextFrame()
            guard part.id == id, part.part != .head else { throw garbled }
            if part.part == .failure {
                let reply = try part.message(as: Messages.Reply.self)
                throw Messages.failure(of: reply) ?? garbled
            }
            hasMore = part.hasMore
            try receive(part.bytes)
        }
        return reply
    }

    /// The head of an answer; events that came before it wait.
    private func replyFrame(_ id: UInt32) throws -> MessageFrame {
        while true {
            let frame = try nextFrame()
            guard frame.id == 0 else {
                guard frame.id == id, frame.part == .head else { throw garbled }
                return frame
            }
            events.append(try frame.message(as: Messages.Event.self))
        }
    }

    private func reply(in frame: borrowing MessageFrame) throws -> Messages.Reply {
        let reply = try frame.message(as: Messages.Reply.self)
        // A failure has no body.
        if let failure = Messages.failure(of: reply) { throw failure }
        return reply
    }

    /// Whether an event waits here already, so that the descriptor need not be readable any more: it came ahead of an
    /// answer, or together with one.
    package var hasWaitingEvent: Bool {
        !events.isEmpty || (try? input.wholeFrame(limit: StreamFrame.keychainLimit)) != nil
    }

    /// The next event that has arrived; nil where none waits.
    ///
    /// - Throws: the failure `unavailable` when the program has ended.
    package func nextEvent() throws -> Messages.Event? {
        while events.isEmpty {
            if try input.wholeFrame(limit: StreamFrame.keychainLimit) == nil {
                switch try Poll.wait(untilReadable: socket.raw, milliseconds: 0) {
                case .ready: break
                case .timedOut, .interrupted: return nil
                }
            }
            let frame = try nextFrame()
            guard frame.id == 0 else { throw garbled }
            events.append(try frame.message(as: Messages.Event.self))
        }
        return events.removeFirst()
    }

    private func flush() throws {
        defer { output.removeAll() }
        do {
            guard try output.withBytes({ try socket.writeAll($0) }) else { throw gone }
        } catch let error as LinuxError { throw error.isTimeout ? silent : gone }
    }

    private func nextFrame() throws -> MessageFrame {
        do {
            while true {
                if let end = try input.wholeFrame(limit: StreamFrame.keychainLimit) {
                    defer { input.removeFirst(end) }
                    return try input.withBytes {
                        try MessageFrame.decode($0.extracting(StreamFrame.headerByteCount..<end))
                    }
                }
                let missing = try input.missing(limit: StreamFrame.keychainLimit, least: 64 * 1024)
                try attend()
                switch try socket.read(into: &input.storage, room: missing) {
                case .moved: break
                case .wouldBlock: throw silent
                case .closed: throw gone
                }
            }
        } catch is LinuxError { throw gone } catch is DecodingError { throw garbled }
    }

    /// Waits until bytes of an answer are there, and hears what else there is to hear meanwhile.
    private func attend() throws {
        // A signal ends a poll early, and says nothing of the program.
        let end = SuspendingClock.now + waits
        while let attention, let other = attention.descriptor() {
            var poll = Poll()
            let answer = poll.add(socket.raw, reading: true, writing: false)
            let notice = poll.add(other, reading: true, writing: false)
            let left = SuspendingClock.now.duration(to: end)
            guard left > .zero else { throw silent }
            try poll.wait(atMost: left)
            guard !poll.isReadable(answer) else { return }
            guard poll.isReadable(notice), attention.hear() else { continue }
            waits = min(waits, .seconds(1))
            return try socket.setTimeout(waits)
        }
    }

    private var gone: Messages.Failure {
        Messages.failure(.ended, marked("\(program.name) ended before it answered; its log says why: \(program.log)"))
    }

    private var silent: Messages.Failure {
        Messages.failure(
            .noAnswer,
            marked(
                "\(program.name) has not answered for \(waits.components.seconds) seconds: it is busy, or was stopped"))
    }

    private var garbled: Messages.Failure {
        Messages.failure(
            .unavailable, marked("the answer of \(program.name) cannot be read; its version may be another"))
    }
}
