import NotesClient
import ResidentClient
import Secrets
import Wire

/// The connection to tresor-notes, made anew when it was lost.
final class NotesLink {
    enum Outcome {
        case answer(NotesReply, [UInt8])
        case refusal(NotesError)
        /// There is no connection any more.
        case lost(NotesError)
    }

    private let home: Home
    private var connection: NotesConnection?
    /// What counts beside an answer, while it is waited for.
    var attention: Attention? { didSet { connection?.attention = attention } }

    /// - Throws: `NotesError` when tresor-notes neither runs nor starts.
    init(home: Home) throws {
        self.home = home
        try connect()
    }

    /// To poll; nil while there is no connection.
    var descriptor: Int32? { connection?.descriptor }

    /// Whether an event waits here, so that the descriptor need not be readable any more.
    var hasWaitingEvent: Bool { connection?.hasWaitingEvent ?? false }

    /// - Parameter passphrase: goes with the question, and is wiped afterwards.
    func ask(_ ask: Ask, passphrase: consuming SecretBytes?) -> Outcome {
        do {
            // Who is gone waits for nobody's words.
            if connection == nil, ask.request == .handedIn { return .answer(.done, []) }
            if connection == nil { try connect() }
            guard let connection else { return .lost(Self.gone) }
            var secrets = MessageSecrets.none
            if let passphrase { secrets = MessageSecrets(passphrase, nil) }
            let (reply, body) = try connection.ask(ask.request, secrets: secrets, body: ask.body)
            return .answer(reply, body)
        } catch {
            let reason = error as? NotesError ?? Self.gone
            if reason.code != .unavailable || stillAnswers { return .refusal(reason) }
            connection = nil
            return .lost(reason)
        }
    }

    /// The same code says that one request failed and that nobody is there; another request tells them apart.
    private var stillAnswers: Bool {
        guard let connection else { return false }
        do { try connection.subscribe() } catch { return false }
        return true
    }

    /// The next event that has arrived.
    ///
    /// - Throws: when the connection is lost.
    func nextEvent() throws -> NotesEvent? {
        guard let connection else { return nil }
        do { return try connection.nextEvent() } catch {
            self.connection = nil
            throw error
        }
    }

    private func connect() throws {
        let fresh = try NotesConnection(home: home)
        try fresh.subscribe()
        fresh.attention = attention
        connection = fresh
    }

    private static let gone = NotesError(.unavailable, "tresor-notes does not answer")
}
