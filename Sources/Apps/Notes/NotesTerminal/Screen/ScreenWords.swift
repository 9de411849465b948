import Localization
import NotesClient
import TerminalScreen
import Tresor

/// What the screen of notes says.
enum ScreenWords {
    // MARK: Secrets

    static var passcodePrompt: String { localized("Passcode of the device: ") }
    static var passphrasePrompt: String { localized("Passphrase for notes: ") }
    static var olderPassphrasePrompt: String { localized("Older passphrase, from before the reset: ") }
    /// Behind a wrong passphrase.
    static var wayOut: String { localized("Forgotten? Esc, then Ctrl+P, sets a new one.") }
    static var fingerOffered: String { localized("Enter alone waits for a finger.") }
    static var fingerAwaited: String { localized("Touch the reader. Esc ends the wait.") }
    static var cancelled: String { localized("Cancelled.") }
    static var discarded: String { localized("Discarded.") }

    /// Why no finger opened the passphrase, and what does.
    static func fingerFailed(_ error: TresorError) -> String {
        let reason = error.message.prefix(1).uppercased() + error.message.dropFirst()
        return localized("\(reason). Type the passphrase.")
    }

    static var lockedNote: [String] {
        [localized(" 🔒 This note is locked."), localized(" Press Enter and type the passphrase.")]
    }
    static var noteOfOlderPassphrase: String { localized(" It is the one from before a reset.") }
    /// Letters may be those of a passphrase that nobody has asked for yet.
    static var lettersAtLockedNote: String {
        localized("This note is locked: letters do nothing here. Enter asks for the passphrase.")
    }
    /// The same, with the key that does here what this one does elsewhere.
    static func atLockedNote(_ key: Key) -> String {
        switch key {
        case .text("n"): localized("This note is locked: letters do nothing here. Ctrl+N makes a new note.")
        case .text("/"): localized("This note is locked: letters do nothing here. Ctrl+F searches.")
        case .text("z"): localized("This note is locked: letters do nothing here. Ctrl+U takes back the last delete.")
        case .text("d"): localized("This note is locked: letters do nothing here. Del puts it into the trash.")
        case .text("P"): localized("This note is locked: letters do nothing here. Ctrl+P changes the passphrase.")
        default: lettersAtLockedNote
        }
    }
    static var noPassphrase: String { localized("There is no passphrase for notes yet. Press P to set one.") }

    // MARK: The device

    static var deviceLocked: [String] {
        [localized("🔒 The device is locked."), localized("Type its passcode, and press Enter."), ""]
    }
    /// Nobody can unlock the device then.
    static var daemonGone: [String] { DaemonAbsence.lines + [""] }
    static var lockScreenKeys: String { DaemonAbsence.leavingKeys }
    static var leavesNextTime: String { DaemonAbsence.leavesNextTime }
    static var unlocking: String { localized("Unlocking…") }

    /// As the command says it: what is wrong, how often it was, and how long to wait.
    static func refusal(_ refusal: DeviceUnlock.Refusal) -> String {
        var words = refusal.message.prefix(1).uppercased() + refusal.message.dropFirst() + "."
        if let failures = refusal.failures, failures > 0 { words += " " + localized("\(failures) wrong in a row.") }
        if refusal.secondsToWait > 0 { words += " " + wait(refusal.secondsToWait) }
        return words
    }

    /// In seconds, minutes, hours or days, rounded up, so that nobody tries too early.
    static func wait(_ seconds: UInt64) -> String {
        let seconds = Int(clamping: seconds)
        switch seconds {
        case ..<60:
            return localized(
                seconds, one: "The next try is possible in 1 second.",
                many: "The next try is possible in \(seconds) seconds.")
        case ..<3600:
            let minutes = (seconds + 59) / 60
            return localized(
                minutes, one: "The next try is possible in 1 minute.",
                many: "The next try is possible in \(minutes) minutes.")
        case ..<86_400:
            let hours = (seconds + 3599) / 3600
            return localized(
                hours, one: "The next try is possible in 1 hour.", many: "The next try is possible in \(hours) hours.")
        default:
            let days = seconds / 86_400 + (seconds % 86_400 > 0 ? 1 : 0)
            return localized(
                days, one: "The next try is possible in 1 day.", many: "The next try is possible in \(days) days.")
        }
    }

    // MARK: Keys

    static var listKeys: String {
        localized("? help  / search  n new  e edit  d delete  p pin  L lock  u unlock  q quit")
    }
    static var editorKeys: String {
        localized("F1 help  Esc save and close  ^S save  ^C discard  ^Z undo  ^Y redo  ^L lock")
    }
    static var lockedNoteKeys: String {
        localized("? help  Enter open  ^P passphrase  Del trash  ^U undo  ^N new  ^F search")
    }

    static var pageKeys: String { localized("j/k scroll  r make this the text  Esc back") }

    static func keys(_ rows: NotePicker.Rows) -> String {
        switch rows {
        case .files: localized("Enter open  s save  a attach  d take out  Esc back")
        case .versions: localized("Enter look  r make it the text  Esc back")
        case .links: localized("Enter follow  Esc back")
        }
    }
}
