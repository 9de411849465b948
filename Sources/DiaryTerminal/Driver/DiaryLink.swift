import DiaryClient
import Linux
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
        /// There is no connection any more.
        case lost(DiaryError)
    }

    private let home: Home
    private var connection: DiaryConnection?

    /// - Throws: `DiaryError` when tresor-diary neither runs nor starts.
    init(home: Home) throws {
        self.home = home
        try connect()
    }

    /// To poll; nil while there is no connection.
    var descriptor: Int32? { connection?.descriptor }

    /// - Parameter password: goes with the question, and is wiped afterwards.
    func ask(_ ask: Ask, password: consuming SecretBytes?) -> Outcome {
        do {
            if connection == nil { try connect() }
            guard let connection else { return .lost(Self.gone) }
            var secrets = MessageSecrets.none
            if let password { secrets = MessageSecrets(password, nil) }
            if case .register = ask.request {
                return .secret(try connection.askForSecret(ask.request, secrets: secrets))
            }
            if let path = ask.file { return try send(path, with: ask.request, over: connection) }
            let (reply, body) = try connection.ask(ask.request, secrets: secrets, body: ask.body)
            if ask.request == .lock {
                // The program replaces itself: its end of this connection says that it is done.
                connection.waitForEnd()
                self.connection = nil
            }
            return .answer(reply, body)
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
        connection = fresh
    }

    private static let gone = DiaryError(.unavailable, "tresor-diary does not answer")
}

/// A file on its way to tresor-diary, part by part.
final class StagedFile {
    private let input: FileDescriptor
    private var offset = 0
    private var hasSentEmpty = false

    /// - Parameter path: absolute, from the working folder, or from the home with `~/`.
    /// - Throws: `DiaryError` with code `invalid` for what is no file that can be read.
    init(_ path: String) throws {
        let full = path.hasPrefix("~/") ? (CurrentProcess.environment("HOME") ?? "~") + path.dropFirst() : path
        do {
            input = try FileDescriptor.open(full, FileFlags.readFollowing)
            // A device or a pipe may never come to an end.
            guard try input.isRegular() else { throw DiaryError(.invalid, "\(path) is no file; nothing was saved") }
        } catch let error as LinuxError { throw DiaryError(.invalid, error.description + "; nothing was saved") }
    }

    /// The next part; an empty file has one, which is empty.
    func next() throws -> [UInt8]? {
        let part = try input.read(count: MessageFrame.bodyPart, at: offset)
        offset += part.count
        if part.isEmpty && (offset > 0 || hasSentEmpty) { return nil }
        hasSentEmpty = true
        return part
    }
}
