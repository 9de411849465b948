import Linux
import NotesClient
import Secrets
import Wire

/// One client of tresor-notes: what has come from it, and what it has not taken yet.
final class NotesPeer {
    /// A request whose body is still coming.
    final class Request {
        let id: UInt32
        let request: NotesRequest
        var secrets: NotesSecrets
        var body: [UInt8] = []
        var incoming: IncomingAttachment?
        var isAboutLockedNote = false
        /// Why it will be refused when the rest of its body has come.
        var failure: NotesError?

        init(id: UInt32, _ request: NotesRequest, _ secrets: consuming NotesSecrets) {
            self.id = id
            self.request = request
            self.secrets = secrets
        }
    }

    /// The body of an answer, part by part.
    private enum Outgoing {
        case bytes([UInt8], offset: Int)
        case file(AssetFile, waiting: [UInt8], offset: Int)
    }

    /// Bytes of a text that is kept in memory while it comes.
    static let textLimit = 64 << 20

    let socket: FileDescriptor
    private var input: SecretBuffer
    private var output: SecretBuffer
    private var outgoing: (id: UInt32, content: Outgoing)?
    /// Whether what it is taking belongs to a locked note, and so must not outlive the session.
    private var isTakingSecret = false
    var request: Request?
    /// Attachments of a note that is about to be imported.
    var staged: [StagedAttachment] = []
    static let mostStaged = 10_000
    /// Notes with edits of this client that it has not saved.
    var drafts: Set<Identifier> = []
    /// The locked note on its screen.
    var viewed: Identifier?
    var isSubscribed = false
    var isClosed = false

    init(_ socket: consuming FileDescriptor) throws {
        self.socket = socket
        input = try SecretBuffer(capacity: 4096)
        output = try SecretBuffer(capacity: 4096)
    }

    /// While it has not taken its answer, nothing more is read from it.
    var wantsToWrite: Bool { output.count > 0 || outgoing != nil }

    /// Reads what is there.
    func receive() throws {
        let end = try input.withBytes { try Frame.byteCount(of: $0, limit: Frame.nativeLimit) }
        let room = max(64 * 1024, (end ?? 0) - input.count)
        if try socket.read(into: &input.storage, room: room) == .closed { isClosed = true }
    }

    /// Whether a whole frame waits.
    var hasFrame: Bool {
        get throws {
            try input.withBytes { bytes in
                try Frame.byteCount(of: bytes, limit: Frame.nativeLimit).map { bytes.byteCount >= $0 } ?? false
            }
        }
    }

    /// The next whole frame, which ``hasFrame`` has promised.
    func takeFrame() throws -> NotesFrame {
        let end = try input.withBytes { try Frame.byteCount(of: $0, limit: Frame.nativeLimit) ?? 0 }
        guard end > Frame.headerByteCount, input.count >= end else { throw DecodingError.truncated }
        defer {
            input.removeFirst(end)
            // A large frame must not hold on to locked memory that others need.
            if input.count == 0 && end > 64 * 1024, let small = try? SecretBuffer(capacity: 4096) { input = small }
        }
        return try input.withBytes { try NotesFrame.decode($0.extracting(Frame.headerByteCount..<end)) }
    }

    /// What belongs to a locked note, coming or going, is dropped; half of an answer ends the connection.
    func dropSecrets() {
        if outgoing != nil && isTakingSecret {
            outgoing = nil
            isClosed = true
        }
        if let request, request.isAboutLockedNote {
            request.body = []
            request.incoming = nil
            request.failure = NotesError.noSession
        }
        staged = []
        viewed = nil
    }

    /// - Parameter isSecret: whether the body belongs to a locked note.
    func send(_ answer: NotesAnswer, id: UInt32, isSecret: Bool = false) throws {
        isTakingSecret = isSecret
        switch answer {
        case .reply(let reply):
            do { try NotesFrame.appendHead(reply, id: id, to: &output) } catch DecodingError.tooLong {
                let error = NotesError(.tooLarge, "the answer is too long; ask for fewer at once")
                try NotesFrame.appendHead(NotesReply.error(error), id: id, to: &output)
            }
        case .text(let reply, let bytes):
            try NotesFrame.appendHead(reply, id: id, hasBody: true, to: &output)
            outgoing = (id: id, content: .bytes(bytes, offset: 0))
        case .file(let reply, let file):
            let first = try file.nextChunk() ?? []
            try NotesFrame.appendHead(reply, id: id, hasBody: true, to: &output)
            outgoing = (id: id, content: .file(file, waiting: first, offset: 0))
        }
        try flush()
    }

    func send(_ event: NotesEvent) throws {
        // An event in the middle of a body would be taken for a part of it; such a client hears of it by asking.
        guard outgoing == nil else { return }
        try NotesFrame.appendHead(event, id: 0, to: &output)
        try flush()
    }

    /// Writes as much as the client takes.
    func flush() throws {
        while true {
            while output.count > 0 {
                let transfer = try output.withBytes { try socket.write($0) }
                if transfer == .closed { return isClosed = true }
                guard case .moved(let count) = transfer else { return }
                output.removeFirst(count)
            }
            guard outgoing != nil else { return }
            try appendOutgoing()
        }
    }

    private func appendOutgoing() throws {
        guard let (id, content) = outgoing.take() else { return }
        switch content {
        case .bytes(let bytes, let offset):
            let end = min(bytes.count, offset + NotesFrame.bodyPart)
            try append(bytes[offset..<end], id, isLast: end == bytes.count)
            if end < bytes.count { outgoing = (id: id, content: .bytes(bytes, offset: end)) }
        case .file(let file, let waiting, let offset):
            let end = min(waiting.count, offset + NotesFrame.bodyPart)
            // A file whose next chunk does not open ends the connection: half of it must not look like all of it.
            let next = end == waiting.count ? try file.nextChunk() : nil
            try append(waiting[offset..<end], id, isLast: end == waiting.count && next == nil)
            if let next {
                outgoing = (id: id, content: .file(file, waiting: next, offset: 0))
            } else if end < waiting.count {
                outgoing = (id: id, content: .file(file, waiting: waiting, offset: end))
            }
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, _ id: UInt32, isLast: Bool) throws {
        try Array(bytes).withSpan { try NotesFrame.appendBody($0, id: id, isLast: isLast, to: &output) }
    }
}
