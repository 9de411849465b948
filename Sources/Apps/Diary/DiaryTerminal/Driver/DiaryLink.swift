import DiaryClient
import Linux
import Localization
import ResidentClient
import Secrets
import Wire

/// The connection to tresor-diary, made anew when it was lost.
final class DiaryLink {
    enum Outcome: ~Copyable {
        case answer(DiaryReply, [UInt8])
        /// The recovery key.
        case secret(SecretBytes)
        case refusal(DiaryError)
        /// A file of this computer could not be read or written.
        case fileFailure(FileFailure)
        /// There is no connection any more.
        case lost(DiaryError)
    }

    private let home: Home
    private var connection: DiaryConnection?
    /// What counts beside an answer, while it is waited for.
    var attention: Attention? { didSet { connection?.attention = attention } }

    /// - Throws: `DiaryError` when tresor-diary neither runs nor starts.
    init(home: Home) throws {
        self.home = home
        try connect()
    }

    /// To poll; nil while there is no connection.
    var descriptor: Int32? { connection?.descriptor }

    /// Whether an event waits here, so that the descriptor need not be readable any more.
    var hasWaitingEvent: Bool { connection?.hasWaitingEvent ?? false }

    /// - Parameter password: goes with the question, and is wiped afterwards.
    func ask(_ ask: Ask, password: consuming SecretBytes?) -> Outcome {
        do {
            // Who is gone waits for nobody's words.
            if connection == nil, ask.request == .handedIn { return .answer(.done, []) }
            if connection == nil { try connect() }
            guard let connection else { return .lost(Self.gone) }
            var secrets = MessageSecrets.none
            if let password { secrets = MessageSecrets(password, nil) }
            if case .register = ask.request {
                return .secret(try connection.askForSecret(ask.request, secrets: secrets))
            }
            if let path = ask.file { return try send(path, with: ask.request, over: connection) }
            if let path = ask.destination { return try save(path, with: ask.request, over: connection) }
            if ask.isAside { return try askAside(ask) }
            let (reply, body) = try connection.ask(ask.request, secrets: secrets, body: ask.body)
            if ask.request == .lock {
                // The program replaces itself: its end of this connection says that it is done.
                connection.waitForEnd()
                self.connection = nil
            }
            return .answer(reply, body)
        } catch let failure as FileFailure {
            return .fileFailure(failure)
        } catch {
            let reason = error as? DiaryError ?? Self.gone
            if reason.code != .unavailable || stillAnswers { return .refusal(reason) }
            connection = nil
            return .lost(reason)
        }
    }

    /// Sends a file part by part; what it holds is never in memory as a whole.
    private func send(_ path: String, with request: DiaryRequest, over connection: DiaryConnection) throws -> Outcome {
        let file = try StagedFile(path)
        let reply = try connection.ask(request, hasBody: true) {
            try file.next()
        } receive: { _ in
        }
        return .answer(reply, [])
    }

    /// Writes the answer's body to a file that must not exist yet.
    private func save(_ path: String, with request: DiaryRequest, over connection: DiaryConnection) throws -> Outcome {
        let file = try SavedFile(path)
        let reply = try connection.ask(request, hasBody: false) {
            nil
        } receive: { part in
            file.append(part)
        }
        try file.finish()
        return .answer(reply, [])
    }

    /// Asks on a connection of its own, so that what is staged on the first one stays there.
    private func askAside(_ ask: Ask) throws -> Outcome {
        let (reply, body) = try DiaryConnection(home: home).ask(ask.request, body: ask.body)
        return .answer(reply, body)
    }

    /// Drops the connection, and with it what was staged; the next question makes another.
    func drop() { connection = nil }

    /// The same code says that one request failed and that nobody is there; another request tells them apart.
    private var stillAnswers: Bool {
        guard let connection else { return false }
        do { _ = try connection.ask(.subscribe) } catch { return false }
        return true
    }

    /// The next event that has arrived.
    ///
    /// - Throws: when the connection is lost.
    func nextEvent() throws -> DiaryEvent? {
        guard let connection else { return nil }
        do { return try connection.nextEvent() } catch {
            self.connection = nil
            throw error
        }
    }

    private func connect() throws {
        let fresh = try DiaryConnection(home: home)
        try fresh.ask(.subscribe)
        fresh.attention = attention
        connection = fresh
    }

    private static let gone = DiaryError(.unavailable, marked("tresor-diary does not answer"))
}
