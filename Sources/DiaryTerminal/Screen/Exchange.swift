import DiaryClient
import TerminalScreen
import Tresor

/// A question to tresor-diary, and what goes with it.
struct Ask: Equatable, Sendable {
    var request: DiaryRequest
    var body: [UInt8] = []
    /// A file that goes with it in place of a body, part by part.
    var file: String?
    /// Whether the password that was just typed goes with it.
    var hasSecret = false

    init(_ request: DiaryRequest, body: [UInt8] = [], file: String? = nil, hasSecret: Bool = false) {
        self.request = request
        self.body = body
        self.file = file
        self.hasSecret = hasSecret
    }
}

/// The two clocks that the screen goes by.
struct Moment: Equatable, Sendable {
    /// Milliseconds of a clock that goes on while the machine sleeps.
    var uptime: UInt64
    /// Microseconds since 1970, UTC.
    var date: Int64
}

/// Whether a new password was typed the same way twice; the passwords themselves never come here.
enum SecretComparison: Equatable, Sendable {
    case same, different, empty
}

/// What reaches the screen's state.
enum Input: Sendable {
    case started
    case key(Key)
    case resized(columns: Int, rows: Int)
    case event(DiaryEvent)
    /// What the terminal, the shell or a signal tells.
    case lifecycle(AppLifecycle.Event)
    case answer(DiaryReply, [UInt8], to: Ask)
    case refusal(DiaryError, to: Ask)
    /// A password lies in the driver's hands; its bytes never come here.
    case secretEntered
    case secretCancelled
    case secretsCompared(SecretComparison)
    /// The recovery key lies in the driver's hands, which writes it where ``DiaryScreen/secretPlace`` says.
    case recoveryKeyHeld
    /// Nothing is known of the diary until tresor-diary answers again.
    case connectionLost
    /// The entry or tag of this number in what is listed, from 1: to be opened, or only selected.
    case choose(Int, isOnlySelected: Bool)
    /// The list is read on from here.
    case more(from: Int)
    /// The time has passed on.
    case tick
}

/// What the screen's state wants done, in this order.
enum Effect: Equatable, Sendable {
    case ask(Ask)
    /// Keep the password that was typed: it will be typed once more.
    case keepSecret
    /// Tell whether it is the one that was kept; where it is, that one goes with the next question.
    case compareSecrets
    /// Wipe whatever was typed, kept or shown.
    case forgetSecrets
    /// Erase the terminal and its pictures before anything else is drawn.
    case clear
    /// Draw now, before what follows, which may take long.
    case show
    /// From here to ``endClearing`` five seconds may pass, then the process is ended.
    case beginClearing
    case endClearing
    /// Drop the connection, and what was staged on it.
    case reconnect
    /// Give the terminal to the shell until it continues us.
    case suspend
    case quit
}

extension DiaryError {
    /// The reason as a sentence.
    var sentence: String {
        let end = message.last.map { ".!?".contains($0) } ?? true ? "" : "."
        return message.prefix(1).uppercased() + message.dropFirst() + end
    }
}
