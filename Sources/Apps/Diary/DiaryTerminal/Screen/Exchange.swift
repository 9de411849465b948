import DiaryClient
import DiaryViews
import TerminalScreen
import Tresor

/// A question to tresor-diary, and what goes with it.
struct Ask: Equatable, Sendable {
    var request: DiaryRequest
    var body: [UInt8] = []
    /// A file that goes with it in place of a body, part by part.
    var file: String?
    /// Where the answer's body goes, in place of memory: a file that must not exist yet.
    var destination: String?
    /// Whether it must not take the files that wait for another entry.
    var isAside = false
    /// Whether the password that was just typed goes with it.
    var hasSecret = false
    /// Whether nobody else has these words any more: where they are not taken, the driver holds them until they are.
    var isLastWords = false

    init(
        _ request: DiaryRequest, body: [UInt8] = [], file: String? = nil, destination: String? = nil,
        isAside: Bool = false, hasSecret: Bool = false
    ) {
        self.request = request
        self.body = body
        self.file = file
        self.destination = destination
        self.isAside = isAside
        self.hasSecret = hasSecret
    }

    /// Whether it keeps what is not saved yet.
    var keepsDraft: Bool {
        switch request {
        case .create(let new): new.isDraft
        case .edit(_, _, _, _, let isDraft): isDraft
        default: false
        }
    }
}

extension Ask {
    /// The request by which these words are handed in later: files that waited on a connection are gone with it.
    var later: DiaryRequest {
        if case .create(let new) = request {
            return .create(NewEntry(head: new.head, isDraft: true, mediaCount: 0))
        }
        return request
    }

    /// The same words as a draft of their own, where the one they were meant for is gone or another by now.
    var anew: DiaryRequest? {
        guard case .edit(_, _, let head, _, _) = request else { return nil }
        return .create(NewEntry(head: head, isDraft: true, mediaCount: 0))
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

/// How an attempt to unlock the device ended; the passcode itself never comes here.
enum UnlockOutcome: Equatable, Sendable {
    case unlocked
    /// The passcode was wrong, or no try is due yet; the next one may come after so many seconds.
    case wrongPasscode(retryAfter: Int?)
    /// Why else not, as a sentence.
    case failed(String)
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
    /// A file of this computer could not be read or written.
    case fileFailed(FileFailure, to: Ask)
    /// What Tab makes of a path that was typed.
    case pathCompleted(TypedPath.Completion, of: String)
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
    /// Something is done to the entry that is written, in words.
    case write(WritingStep)
    /// A file of the entry that is read is to be saved, or a setting changed, in words.
    case act(SpokenAct)
    /// The list is read on from here.
    case more(from: Int)
    /// Keys that were pressed while the entry was on the screen, and that came as it was covered.
    case lateKeys([Key])
    /// The device is locked, as tresord says; tresor-diary will say it too.
    case lockSeen
    /// tresord runs no more, so that nobody vouches for an open device, and nobody unlocks one.
    case daemonEnded
    /// What was typed could not be handed in, for this reason; the driver holds so many texts.
    case held(DiaryError, count: Int)
    /// What the driver held has been handed in, the last of it as this entry.
    case heldHandedIn(EntrySummary?)
    /// Whether the device is locked, as tresord says, which runs then.
    case deviceLooked(isLocked: Bool)
    case unlockEnded(UnlockOutcome)
    /// The driver can draw pictures, or no longer.
    case showsPictures(Bool)
    /// The time has passed on.
    case tick
}

/// What the screen's state wants done, in this order.
enum Effect: Equatable, Sendable {
    case ask(Ask)
    /// Tell what Tab makes of a path.
    case completePath(String)
    /// Tell whether the device is locked.
    case lookAtDevice
    /// Unlock the device with the passcode that was typed.
    case unlockDevice
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
    /// Try to hand in what the driver holds.
    case handInHeld
    /// Wipe what the driver holds: the person does not want it.
    case forgetHeld
    /// Drop the connection, and what was staged on it.
    case reconnect
    /// Give the terminal to the shell until it continues us.
    case suspend
    case quit
}

extension DiaryError {
    /// The reason as a sentence.
    ///
    /// - Parameter language: the diary's, which need not be that of this program.
    func sentence(in language: DiaryLanguage) -> String {
        let message = language.text(saidInEnglish: english)
        let end = message.last.map { ".!?".contains($0) } ?? true ? "" : "."
        return message.prefix(1).uppercased() + message.dropFirst() + end
    }
}
