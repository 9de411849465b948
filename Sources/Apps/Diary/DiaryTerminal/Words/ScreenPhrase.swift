import DiaryViews
import Localization

/// What the terminal's screens say besides `DiaryPhrase`: their keys, and what became of something.
struct ScreenPhrase: Sendable {
    private let message: Message

    /// - Parameter message: a literal, so that `make catalogues` finds it.
    init(_ message: Message) { self.message = message }

    func text(in language: DiaryLanguage) -> String { language.text(of: message, context: "diary screen") }

    static let tooSmall = ScreenPhrase("Window too small")

    // MARK: The door

    static let arriving = ScreenPhrase("One moment …")
    static let notShown = ScreenPhrase("Each character is shown as a dot.")
    static let doorKeys = ScreenPhrase("Esc: back")
    static let quitKey = ScreenPhrase("q: quit")
    static let next = ScreenPhrase("Enter: go on")
    static let emptyPassword = ScreenPhrase("A password has at least one character.")
    static let recoveryKey = ScreenPhrase("Recovery key")
    static let recoveryAdvice = ScreenPhrase(
        "It opens the diary when the password is forgotten. Write it down: it is shown only now.")
    /// The same where there is no room for more.
    static let recoveryBrief = ScreenPhrase("Write it down now.")
    static let deviceIsLocked = ScreenPhrase("The device is locked.")
    static let passcode = ScreenPhrase("The device’s passcode")
    static let wrongPasscode = ScreenPhrase("The passcode is wrong.")
    static let disconnected = ScreenPhrase("tresor-diary does not answer. Trying again.")

    static let noneHere = ScreenPhrase("There is no place in this section.")

    // MARK: Templates

    static let templates = ScreenPhrase("Templates")
    static let noTemplates = ScreenPhrase("No templates. ‘tresor diary template set NAME’ makes one.")

    // MARK: What became of something

    static let saved = ScreenPhrase("Saved.")
    static let draftKept = ScreenPhrase("Kept as a draft; D shows the drafts.")
    static let deleted = ScreenPhrase("In the trash. z takes it back.")
    static let restored = ScreenPhrase("The entry is back.")
    static let partial = ScreenPhrase("The diary is still being read; there may be more.")
    static let unreadable = ScreenPhrase("The answer of tresor-diary cannot be read.")

    // MARK: Questions

    static let askDeletion = ScreenPhrase("Move this entry to the trash? y/n")
    static let askDiscarding = ScreenPhrase("Discard what you wrote? y/n")
    /// The letter that means yes.
    static let yesKey = ScreenPhrase("y")

    // MARK: Fields

    static let untitled = ScreenPhrase("Without words")
    static let edit = ScreenPhrase("Edit entry")
    static let date = ScreenPhrase("Date")
    static let dateNow = ScreenPhrase("now")
    static let mood = ScreenPhrase("Mood")
    static let star = ScreenPhrase("Star")
    static let files = ScreenPhrase("Files")
    static let filesHint = ScreenPhrase("path, Tab completes, Enter adds")
    static let notSaved = ScreenPhrase("not saved")
    static let place = ScreenPhrase("Place")

    // MARK: Keys

    static let listKeys = ScreenPhrase("? help  Enter open  n new  e edit  d delete  ^L lock  q quit")
    static let calendarKeys = ScreenPhrase("? help  ←↓↑→ day  [ ] month  { } written  . today  Enter open  n new")
    static let mapKeys = ScreenPhrase("? help  ←↓↑→ move  + - zoom  0 all  Tab next place  Enter open")
    static let entryKeys = ScreenPhrase("? help  Esc back  j/k scroll  [ ] earlier, later  f files  e edit  d delete")
    static let editorKeys = ScreenPhrase(
        "F1 help  Tab field  ^S save and close  ^D draft  ^C discard  ^X ^Y undo, redo")
    static let helpKeys = ScreenPhrase("j/k scroll  any other key closes")
}

/// What is counted, or chosen, as words.
extension ScreenPhrase {
    static func damaged(_ count: Int, in language: DiaryLanguage) -> String {
        language.phrase("Damaged records: \(count). ‘tresor diary status’ names them.")
    }

    /// What an answer could not look at.
    static func unread(_ count: Int, in language: DiaryLanguage) -> String {
        language.phrase("Could not be read: \(count). ‘tresor doctor --data’ names them.")
    }

    /// How long no password is taken.
    static func wait(_ seconds: Int, in language: DiaryLanguage) -> String {
        let time = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        return language.phrase("Next try in \(time)")
    }

    /// Shown in the last half minute.
    static func ending(_ seconds: Int, in language: DiaryLanguage) -> String {
        language.phrase("Locks in \(seconds) s. Any key keeps it open.")
    }

    /// A key that does nothing, by its name.
    ///
    /// - Parameter isTyping: whether `?` is a letter there.
    static func dead(_ key: String, isTyping: Bool, in language: DiaryLanguage) -> String {
        isTyping
            ? language.phrase("'\(key)' does nothing here; F1 for help")
            : language.phrase("'\(key)' does nothing here; ? for help")
    }

    static func more(_ count: Int, in language: DiaryLanguage) -> String {
        language.phrase("+ \(count) more")
    }

    static func entries(_ count: Int, in language: DiaryLanguage) -> String {
        language.phrase(count, one: "1 entry", many: "\(count) entries")
    }
}
