import NotesClient
import TerminalScreen

/// What reaches a ``PlainConversation``.
enum PlainInput: Sendable {
    case started
    /// What was typed, without its line feed.
    case line(String)
    case secretEntered
    /// Whether a finger does in place of the passphrase that is asked for.
    case fingerFound(Bool)
    /// A finger has opened the passphrase, which lies in the driver's hands.
    case fingerCame
    /// No finger came, or the reader failed; the reason is a sentence.
    case fingerFailed(String)
    case event(NotesEvent)
    case answer(NotesReply, [UInt8], to: Ask)
    case refusal(NotesError, to: Ask)
    case connectionLost
    /// tresord runs no more, and the device is locked with it.
    case daemonEnded
    /// Whether tresord runs, which was to be found out before a passcode is asked for.
    case daemonLooked(isGone: Bool)
    /// Lines that were typed into a text before it went.
    case lateLines([String])
    /// What was typed could not be handed in; the driver holds it.
    case held(NotesError)
    /// What the driver held has been handed in.
    case heldHandedIn
    /// The device was locked when the program began.
    case beganLocked
    /// Whoever sits there has unlocked the device here.
    case deviceUnlocked
    /// The passcode was refused, for this reason.
    case passcodeRefused(String)
    /// Whether the text was put on the clipboard.
    case copied(Bool)
    /// The program ends, however that came.
    case ending
}

/// What it wants done.
enum PlainEffect: Equatable, Sendable {
    case ask(Ask)
    /// Lines to print.
    case say(String)
    /// Try to hand in what the driver holds.
    case handInHeld
    /// Wipe what the driver holds.
    case forgetHeld
    /// Find out whether tresord runs, so that a passcode is asked for only where somebody takes it.
    case lookForDaemon
    /// Unlock the device by what was just typed.
    case unlockDevice
    /// Wait for a finger, for as long as the conversation does.
    case waitForFinger
    /// Put a note's text on the clipboard.
    case copy([UInt8])
    case quit
}

/// What the next line is.
enum PlainExpectation: Sendable {
    case command
    case secret(Ask)
    /// The passcode of the device.
    case passcode
    case confirmation(Ask)
    /// Whether this is to be done to that note, whose name was typed in part.
    case agreement(PlainDeed, NoteSummary)
    /// Whether to leave, though what was written is kept nowhere else.
    case leaving
    case text(PlainEditor)
}
