import NotesClient
import TerminalScreen
import Tresor

/// What the screen of notes says; other languages come to stand here.
enum ScreenWords {
    // MARK: Secrets

    static let passcodePrompt = "Passcode of the device: "
    static let passphrasePrompt = "Passphrase for notes: "
    static let fingerOffered = "Enter alone waits for a finger."
    static let fingerAwaited = "Touch the fingerprint reader. Esc ends the wait."
    static let cancelled = "Cancelled."

    /// Why no finger opened the passphrase, and what does.
    static func fingerFailed(_ error: TresorError) -> String {
        error.message.prefix(1).uppercased() + error.message.dropFirst() + ". Type the passphrase."
    }

    static let lockedNote = [" 🔒 This note is locked.", " Press Enter and type the passphrase."]
    /// Letters may be those of a passphrase that nobody has asked for yet.
    static let lettersAtLockedNote = "This note is locked: letters do nothing here. Enter asks for the passphrase."
    static let noPassphrase = "There is no passphrase for notes yet. Press P to set one."

    // MARK: The device

    static let deviceLocked = ["🔒 The device is locked.", "Type its passcode, and press Enter.", ""]
    static let lockScreenKeys = "Esc, twice, quits."
    static let leavesNextTime = "Press it once more to quit."
    static let unlocking = "Unlocking…"

    /// As the command says it: what is wrong, how often it was, and how long to wait.
    static func refusal(_ refusal: DeviceUnlock.Refusal) -> String {
        var words = refusal.message.prefix(1).uppercased() + refusal.message.dropFirst() + "."
        if let failures = refusal.failures, failures > 0 { words += " \(failures) wrong in a row." }
        if refusal.secondsToWait > 0 { words += " " + wait(refusal.secondsToWait) }
        return words
    }

    static func wait(_ seconds: UInt64) -> String { "The next try is possible in \(time(seconds))." }

    /// `40 seconds`, `5 minutes`, `1 hour`: rounded up, so that nobody tries too early.
    static func time(_ seconds: UInt64) -> String {
        let (count, unit) =
            switch seconds {
            case ..<60: (seconds, "second")
            case ..<3600: ((seconds + 59) / 60, "minute")
            case ..<86_400: ((seconds + 3599) / 3600, "hour")
            default: ((seconds + 86_399) / 86_400, "day")
            }
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }

    // MARK: Keys

    static let listKeys = "? help  / search  n new  e edit  d delete  p pin  L lock  u unlock  q quit"
    static let editorKeys = "Esc save and close  ^S save  ^C discard  ^Z undo  ^Y redo  ^L lock now"
    static let lockedNoteKeys = "Enter passphrase  ↑ ↓ move  Del to the trash  ^U undo  ^N new  ^F search  ^C quit"

    static let pageKeys = "j/k scroll  r make this the text  Esc back"

    static func keys(_ rows: NotePicker.Rows) -> String {
        switch rows {
        case .files: "Enter open  s save  a attach  d take out  Esc back"
        case .versions: "Enter look  r make it the text  Esc back"
        case .links: "Enter follow  Esc back"
        }
    }
}
