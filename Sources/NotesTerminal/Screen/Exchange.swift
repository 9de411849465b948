import NotesClient
import TerminalScreen

/// A question to tresor-notes, and what goes with it.
struct Ask: Equatable, Sendable {
    var request: NotesRequest
    var body: [UInt8] = []
    /// Whether the passphrase that was just typed goes with it.
    var needsSecret = false

    init(_ request: NotesRequest, body: [UInt8] = [], needsSecret: Bool = false) {
        self.request = request
        self.body = body
        self.needsSecret = needsSecret
    }
}

/// What reaches the screen's state.
enum Input: Sendable {
    case started
    case key(Key)
    case resized(columns: Int, rows: Int)
    case event(NotesEvent)
    case answer(NotesReply, [UInt8], to: Ask)
    case refusal(NotesError, to: Ask)
    /// A passphrase lies in the driver's hands; its bytes never come here.
    case secretEntered
    case secretCancelled
    /// Nothing is known of the session until tresor-notes answers again.
    case connectionLost
    /// The time has passed on.
    case tick
}

/// What the screen's state wants done.
enum Effect: Equatable, Sendable {
    case ask(Ask)
    /// Erase the terminal before anything else is drawn.
    case clear
    /// Give the terminal to the shell for a while.
    case suspend
    case quit
}

extension NotesError {
    /// The reason as a sentence, and the hint where there is one.
    var sentence: String {
        let end = message.last.map { ".!?".contains($0) } ?? true ? "" : "."
        return message.prefix(1).uppercased() + message.dropFirst() + end + (hint.map { " Hint: " + $0 } ?? "")
    }
}
