import DiaryClient
import Localization
import Resident
import ResidentClient
import Secrets

/// One client of tresor-diary.
final class DiaryPeer: HandingIn, BodyTaking {
    /// A request whose body is still coming.
    final class Request: IncomingRequest {
        let id: UInt32
        let request: DiaryRequest
        var secrets: MessageSecrets
        var body: [UInt8] = []
        var incoming: IncomingMedia?
        /// What it takes, once it is whole.
        var staged: [StagedMedia] = []
        /// Why it will be refused when the rest of its body has come.
        var failure: DiaryError?

        init(id: UInt32, _ request: DiaryRequest, _ secrets: consuming MessageSecrets) {
            self.id = id
            self.request = request
            self.secrets = secrets
        }

        func dropBody() {
            incoming = nil
            body = []
        }
    }

    /// Bytes of a text that is kept in memory while it comes.
    static let textLimit = 16 << 20
    /// Bytes of all texts that come at a time.
    static let textsLimit = 64 << 20
    static let mostStaged = 1000

    let pipe: MessagePipe
    var request: Request?
    /// Files of an entry that will follow.
    var staged: [StagedMedia] = []
    var isSubscribed = false
    /// Hears events, and is no window.
    var isFollower = false
    /// Whether it has asked for the lock itself, having handed in what it held; it waits for the end of its connection.
    var hasAskedToLock = false
    var hasHandedIn = false
    var mayHoldWords: Bool { isWindow && !hasAskedToLock }
    var hearsEvents: Bool { isSubscribed || isFollower }
    var keepsItsPlace: Bool { hearsEvents }
    /// Whether it has given the password; a lock ends the connection, and this.
    var hasProven = false
    /// Whether it has asked for anything that only an open diary answers.
    var wasInside = false
    /// Whether somebody sees the diary by it.
    var isWindow: Bool { isSubscribed && wasInside }
    /// An answer waits for a photo to be looked at; nothing more is taken from this client before.
    var isAnswering: Bool { answerEarly != nil }
    /// Answers it without that photo, once: the diary is about to lock, and last words come behind this answer.
    var answerEarly: (() -> Void)?

    init(_ pipe: MessagePipe) { self.pipe = pipe }

    func send(_ reply: DiaryReply, id: UInt32, body: MessageBody = .none) throws {
        do { try pipe.send(reply, id: id, body: body) } catch DecodingError.tooLong {
            let error = DiaryError(.tooLarge, marked("the answer is too long; ask for fewer at once"))
            try pipe.send(DiaryReply.error(error), id: id, body: .none)
        }
    }

    /// What was staged is the entry's, or nobody's.
    func takeStaged() -> [StagedMedia] {
        defer { staged = [] }
        return staged
    }
}
