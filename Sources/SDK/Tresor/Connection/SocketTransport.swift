import Linux
import Localization
import Secrets
package import Wire

/// tresord's keychain socket, blocking.
///
/// Only a server of this user, or of root, is spoken to.
package final class SocketTransport: Transport {
    private var socket: FileDescriptor
    private var input: SecretBuffer
    private var output: SecretBuffer
    private var nextID: UInt32 = 1

    /// Whom the daemon takes this program for; nil where it does not say.
    package private(set) var report: CallerReport?

    /// Connects, and makes this program known: the daemon looks at it, and what it sees holds for later connections.
    ///
    /// - Parameters:
    ///   - introduces: false for who wants no items, and is spared the look.
    ///   - time: how long the daemon may take for each answer; nil waits for ever.
    package init(_ home: Home, introduces: Bool = true, within time: Duration? = nil) throws {
        socket = try Self.connect(home, within: time)
        input = try SecretBuffer(capacity: 4096)
        output = try SecretBuffer(capacity: 4096)
        guard introduces else { return }
        try introduce()
        if report?.holdsHere == false { socket = try Self.connect(home, within: time) }
    }

    private static func connect(_ home: Home, within time: Duration?) throws -> FileDescriptor {
        let socket: FileDescriptor
        do {
            if let time {
                socket = try UnixSocket.connect(home.socket, within: time)
            } else {
                socket = try UnixSocket.connectAsKnown(home.socket)
            }
        } catch {
            throw TresorError(
                .unavailable, localized("tresord does not run; start it with 'tresor up'"), cause: error.description)
        }
        let peer = try PeerCredentials(of: socket)
        guard peer.user == CurrentProcess.user || peer.user == 0 else {
            throw TresorError(
                .untrustedServer, localized("the socket \(home.socket) is served by another user; nothing was sent"))
        }
        return socket
    }

    private func introduce() throws {
        for attempt in 1... {
            do { return try introduceOnce() } catch let error as KeychainError where error.reason == .tryAgain {
                // What keeps it from being looked up passes, as a rule.
                guard attempt < 4 else { throw error }
                SystemClock.sleep(milliseconds: 20)
            }
        }
    }

    private func introduceOnce() throws {
        do {
            try exchange(.identify) { payload in
                var reader = ByteReader(payload)
                try reader.expect(.identity)
                report = try CallerReport(from: &reader)
                try reader.end()
            }
        } catch let error as KeychainError where error.reason == .unknownProgram { report = nil }
    }

    /// Waits for the answer, past events that come before it.
    package func exchange(_ request: consuming KeychainRequest, _ receive: (RawSpan) throws -> Void) throws {
        let id = try post(request)
        try takeReply(id, receive)
    }

    /// All requests go into one write, as far as they fit, and the answers are taken in their order.
    package func exchange(
        _ count: Int, _ request: (Int) throws -> KeychainRequest, _ receive: (Int, RawSpan) throws -> Void
    ) throws {
        var failure: (any Error)?
        var ids: [UInt32] = []
        defer { output.removeAll() }
        do {
            for number in 0..<count {
                ids.append(try append(try request(number)))
                // One call for many: who answers finds them together.
                if output.count >= Self.writtenAtOnce { try flush() }
            }
        } catch { failure = error }
        // Those before one that could not be made are sent.
        try flush()
        // All that were sent are answered, and each answer is taken: the next one is another request's.
        for (number, id) in ids.enumerated() {
            try takeReply(id) { payload in
                guard failure == nil else { return }
                do { try receive(number, payload) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    /// Bytes of requests that wait to be written.
    private static let writtenAtOnce = 32 * 1024

    private func post(_ request: consuming KeychainRequest) throws -> UInt32 {
        defer { output.removeAll() }
        let id = try append(request)
        try flush()
        return id
    }

    private func append(_ request: consuming KeychainRequest) throws -> UInt32 {
        let id = nextID
        nextID = nextID == .max ? 1 : nextID + 1
        let start = output.count
        do {
            try request.encode(id: id, into: &output)
            guard output.count - start - StreamFrame.headerByteCount <= StreamFrame.keychainLimit else {
                throw KeychainError(.parameter, .tooLarge)
            }
        } catch {
            output.truncate(to: start)
            throw error
        }
        return id
    }

    private func flush() throws {
        guard output.count > 0 else { return }
        guard try output.withBytes({ try socket.writeAll($0) }) else { throw Self.gone }
        output.removeAll()
    }

    private func takeReply(_ id: UInt32, _ receive: (RawSpan) throws -> Void) throws {
        let end = try receiveFrame()
        defer { input.removeFirst(end) }
        try input.withBytes { bytes in
            let payload = bytes.extracting(StreamFrame.headerByteCount..<end)
            var reader = ByteReader(payload)
            guard try KeychainReply.header(&reader).id == id else { throw DecodingError.invalid }
            try receive(payload)
        }
    }

    /// Sends a request, and leaves its reply for ``takeWaitingReply()``.
    func send(_ request: consuming KeychainRequest) throws {
        defer { output.removeAll() }
        nextID = nextID == .max ? 1 : nextID + 1
        try request.encode(id: nextID, into: &output)
        guard try output.withBytes({ try socket.writeAll($0) }) else { throw Self.gone }
    }

    /// Drops the reply to what was sent, if it has come.
    func takeWaitingReply() throws -> Bool {
        let outcome = try Poll.wait(untilReadable: socket.raw, milliseconds: 0)
        guard hasWaitingFrame || outcome == .ready else { return false }
        try waitForEvent { _ in }
        return true
    }

    /// Ends the connection from another thread, so that a wait on it returns.
    var ender: ConnectionEnder { ConnectionEnder(socket) }

    /// To poll for events.
    var descriptor: Int32 { socket.raw }

    /// Whether a whole frame has been read and waits.
    var hasWaitingFrame: Bool { (try? input.wholeFrame(limit: StreamFrame.keychainLimit)) != nil }

    /// Waits for one frame that nobody asked for, and lends it to `receive`.
    func waitForEvent(_ receive: (RawSpan) throws -> Void) throws {
        let end = try receiveFrame()
        defer { input.removeFirst(end) }
        try input.withBytes { try receive($0.extracting(StreamFrame.headerByteCount..<end)) }
    }

    private func receiveFrame() throws -> Int {
        while true {
            if let end = try input.wholeFrame(limit: StreamFrame.keychainLimit) { return end }
            let missing = try input.missing(limit: StreamFrame.keychainLimit, least: 4096)
            guard case .moved = try socket.read(into: &input.storage, room: missing) else {
                throw input.count > 0 ? Self.cut : Self.gone
            }
        }
    }

    private static var gone: TresorError {
        TresorError(.unavailable, localized("tresord went away before it answered"))
    }

    /// At a lock a client that takes its answer slowly loses the rest of it.
    private static var cut: TresorError {
        TresorError(
            .unavailable,
            localized(
                """
                the connection ended in the middle of an answer: the device was locked, or nothing was taken for ten \
                seconds
                """))
    }
}
