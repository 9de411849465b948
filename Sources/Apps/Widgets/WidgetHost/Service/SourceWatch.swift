import Linux
import Resident
import ResidentClient
import Wire

/// A connection to a sibling program on which it tells of changes; it never starts that program, and never waits.
final class SourceWatch<Messages: ResidentMessages> {
    private let program: ResidentProgram
    private let request: Messages.Request
    private var pipe: MessagePipe?
    private var nextTry: UInt64 = 0

    /// - Parameter request: that asks for events.
    init(_ program: ResidentProgram, _ request: Messages.Request) {
        self.program = program
        self.request = request
    }

    /// What has come.
    enum News {
        case reply(Messages.Reply)
        case event(Messages.Event)
        /// The program has ended, or replaced itself.
        case ended
    }

    /// To poll; -1 where there is no connection.
    var descriptor: Int32 { pipe.map { $0.socket.raw } ?? -1 }
    var isConnected: Bool { pipe != nil }

    /// Connects where the program serves, at most every second.
    ///
    /// - Returns: false where it does not serve.
    func connect(now: UInt64) -> Bool {
        guard pipe == nil else { return true }
        guard now >= nextTry else { return false }
        nextTry = now + 1000
        guard let socket = try? UnixSocket.connect(program.socket),
            let peer = try? PeerCredentials(of: socket), peer.user == CurrentProcess.user,
            let pipe = try? MessagePipe(socket)
        else { return false }
        do { try pipe.send(request, id: 1, body: .none) } catch { return false }
        self.pipe = pipe
        return true
    }

    /// Reads what is there; to be called when the descriptor is readable.
    func takeNews() -> [News] {
        guard let pipe else { return [] }
        var news: [News] = []
        do {
            try pipe.receive()
            while try pipe.hasFrame {
                let frame = try pipe.takeFrame()
                if frame.id == 0 {
                    news.append(.event(try frame.message(as: Messages.Event.self)))
                } else {
                    news.append(.reply(try frame.message(as: Messages.Reply.self)))
                }
            }
        } catch { pipe.isClosed = true }
        if pipe.isClosed {
            self.pipe = nil
            news.append(.ended)
        }
        return news
    }
}
