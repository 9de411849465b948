import Localization
import NotesClient
import Resident
import ResidentClient
import Secrets
import Wire

/// One client of tresor-notes: what has come from it, and what it has not taken yet.
final class NotesPeer: HandingIn, BodyTaking {
    /// A request whose body is still coming.
    final class Request: IncomingRequest {
        let id: UInt32
        let request: NotesRequest
        var secrets: MessageSecrets
        var body: [UInt8] = []
        var incoming: IncomingAttachment?
        var isAboutLockedNote = false
        /// Why it will be refused when the rest of its body has come.
        var failure: NotesError?

        init(id: UInt32, _ request: NotesRequest, _ secrets: consuming MessageSecrets) {
            self.id = id
            self.request = request
            self.secrets = secrets
        }

        func dropBody() {
            incoming = nil
            body = []
        }
    }

    /// Bytes of all texts that come at a time.
    static let textsLimit = 64 << 20

    let pipe: MessagePipe
    /// Whether what it is taking belongs to a locked note, and so must not outlive the session.
    private var isTakingSecret = false
    var request: Request?
    /// What it has asked while a session ends, and is answered afterwards.
    var postponed: Request?
    /// Attachments of a note that is about to be imported.
    var staged: [StagedAttachment] = []
    static let mostStaged = 10_000
    /// Notes with edits of this client that it has not saved.
    var drafts: Set<Identifier> = []
    /// The files of notes whose texts it was given, as they were then: what it writes lacks those that came since, and
    /// may show some that have gone.
    var seenFiles: [Identifier: [Identifier]] = [:]
    /// The locked note on its screen.
    var viewed: Identifier?
    /// Whether it has given a passphrase that was right, in a session that goes on.
    var hasProven = false
    var isSubscribed = false
    var hasHandedIn = false
    /// Whether it waits for an answer, so that it hears nothing before; it has handed in what it held.
    var isAskingToLock = false
    var mayHoldWords: Bool { isSubscribed && !isAskingToLock }
    /// Hears of changes, and edits none.
    var isFollower = false
    /// Whether a person may be behind it though nothing comes: it is not asked to make room.
    var isWindow: Bool { isSubscribed || isFollower || !drafts.isEmpty }
    var keepsItsPlace: Bool { isWindow }
    var isClosed: Bool {
        get { pipe.isClosed }
        set { pipe.isClosed = newValue }
    }

    init(_ pipe: MessagePipe) { self.pipe = pipe }

    /// What belongs to a locked note, coming or going, is dropped; half of an answer ends the connection.
    ///
    /// - Parameter isSessionOpen: of another passphrase.
    func dropSecrets(isSessionOpen: Bool) {
        if !isSessionOpen { hasProven = false }
        if isTakingSecret { pipe.dropOutgoing() }
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
            do { try pipe.send(reply, id: id, body: .none) } catch DecodingError.tooLong {
                let error = NotesError(.tooLarge, marked("the answer is too long; ask for fewer at once"))
                try pipe.send(NotesReply.error(error), id: id, body: .none)
            }
        case .text(let reply, let bytes): try pipe.send(reply, id: id, body: .bytes(bytes))
        case .file(let reply, let file):
            try pipe.send(reply, id: id, body: .parts(file.nextChunk) { NotesReply.error(NotesError($0)) })
        case .rows(let reply, let rows):
            try pipe.send(reply, id: id, body: .parts(rows.nextPart) { NotesReply.error(NotesError($0)) })
        }
    }

    func hears(_ event: NotesEvent) -> Bool {
        guard isFollower else { return isSubscribed }
        if case .noteChanged = event { return true }
        return false
    }

    func send(_ event: NotesEvent) throws { try pipe.send(event: event) }
}
