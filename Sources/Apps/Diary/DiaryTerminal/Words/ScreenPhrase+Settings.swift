import DiaryViews
import Localization

/// The settings, and the trash.
extension ScreenPhrase {
    static let settings = ScreenPhrase("Settings")
    static let trash = ScreenPhrase("Trash")
    static let lockMinutes = ScreenPhrase("Locks by itself")
    static let locksOnResign = ScreenPhrase("Locks as soon as the window loses the focus")
    static let excludedFromBackup = ScreenPhrase("Left out of backups")
    static let waitingPhotos = ScreenPhrase("Photos not looked at yet")
    static let passwordHint = ScreenPhrase("Password and key: ‘tresor diary password’, ‘… recovery-key’")
    static let nothingHere = ScreenPhrase("Nothing is here.")
    static let yes = ScreenPhrase("yes")
    static let no = ScreenPhrase("no")
    static let removed = ScreenPhrase("Gone for good.")
    static let askRemoval = ScreenPhrase("Remove for good, with all its files? y/n")
    static let trashKeys = ScreenPhrase("? help  Enter open  z take back  d remove for good  Esc back")
    static let trashedEntryKeys = ScreenPhrase(
        "? help  Esc back  j/k scroll  f files  z take back  d remove for good")
    static let settingsKeys = ScreenPhrase("j/k setting  ←→ change  Esc back")

    /// After how long; never where it is 0.
    static func minutes(_ count: Int, in language: DiaryLanguage) -> String {
        guard count > 0 else { return language.phrase("never") }
        return language.phrase(count, one: "after 1 minute", many: "after \(count) minutes")
    }
}
