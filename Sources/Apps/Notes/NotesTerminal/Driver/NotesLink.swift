import Localization
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
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

    /// - Parameters:
    ///   - passphrase: goes with the question, and is wiped afterwards.
    ///   - second: a new one, where it is changed.
    func ask(_ ask: Ask, passphrase: consuming SecretBytes?, second: consuming SecretBytes? = nil) -> Outcome {
        do {
            // Who is gone waits for nobody's words.
            if connection == nil, ask.request == .handedIn { return .answer(.done, []) }
            if connection == nil { try connect() }
            guard let connection else { return .lost(Self.gone) }
            var secrets = MessageSecrets.none
            if let passphrase { secrets = MessageSecrets(passphrase, second) }
            let (reply, body) = try connection.ask(ask.request, secrets: secrets, body: ask.body)
            return .answer(reply, body)
        } catch { return failure(error) }
    }

    /// Brings a file to tresor-notes, part by part.
    func send(_ request: NotesRequest, _ next: () throws -> [UInt8]?) -> Outcome {
        transfer(request, hasBody: true, send: next) { _ in }
    }

    /// Takes a file from tresor-notes, part by part.
    func fetch(_ request: NotesRequest, _ receive: ([UInt8]) -> Void) -> Outcome {
        transfer(request, hasBody: false, send: { nil }, receive: receive)
    }

    private func transfer(
        _ request: NotesRequest, hasBody: Bool, send: () throws -> [UInt8]?, receive: ([UInt8]) -> Void
    ) -> Outcome {
        do {
            if connection == nil { try connect() }
            guard let connection else { return .lost(Self.gone) }
            return .answer(try connection.ask(request, hasBody: hasBody, send: send, receive: receive), [])
        } catch is PersonsFileFailure {
            // Half of a body has gone out: nothing else can follow it.
            connection = nil
            return .lost(NotesError(.invalid, localized("the file could not be read to its end; nothing was attached")))
        } catch { return failure(error) }
    }

    private func failure(_ error: any Error) -> Outcome {
        let reason = error as? NotesError ?? Self.gone
        if reason.code != .unavailable || stillAnswers { return .refusal(reason) }
        connection = nil
        return .lost(reason)
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

    private static var gone: NotesError { NotesError(.unavailable, localized("tresor-notes does not answer")) }
}
