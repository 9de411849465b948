import DiaryClient
import DiaryViews
import Localization

/// What the editor says.
extension ScreenPhrase {
    static let text = ScreenPhrase("Text")
    static let placeHint = ScreenPhrase("name 59.67, 10.63")
    static let noFiles = ScreenPhrase("No files.")
    static let unsent = ScreenPhrase("still here")
    static let notUnderstood = ScreenPhrase("That does nothing here; .help tells what does.")
    static let resumed = ScreenPhrase("This is where you were writing when it was locked.")
    static let resumedWithoutFiles = ScreenPhrase(
        "This is where you were writing when it was locked. Add new files once more.")
    static let referred = ScreenPhrase("The file is in the text now, where the cursor was.")
    static let lockedTooSoon = ScreenPhrase("it was locked before they arrived")
    static let askLosing = ScreenPhrase("What you wrote is not kept, and is lost if you quit. Quit? y/n")
    static let askDiscardingHeld = ScreenPhrase("Discard what you wrote, which is kept nowhere else? y/n")
    static let editorFilesKeys = ScreenPhrase(
        "↑↓ file  ←→ move it  Del take out  Enter into the text  ^P date, place  ^S save")

    /// Words that could not be handed in.
    ///
    /// - Parameter key: what discards them; nil where nothing does.
    static func notKept(_ reason: String, _ key: String?, in language: DiaryLanguage) -> String {
        guard let key else {
            return language.phrase("Your last words are NOT kept: \(reason). They wait in this program.")
        }
        return language.phrase(
            "Your last words are NOT kept: \(reason). They wait in this program; \(key) discards them.")
    }

    /// What was begun and not finished, and how to go on with it.
    static func drafts(_ count: Int, isSpoken: Bool, in language: DiaryLanguage) -> String {
        isSpoken
            ? language.phrase(
                count, one: "A draft is not finished. drafts lists it, edit 1 goes on with it.",
                many: "\(count) drafts are not finished. drafts lists them, edit 1 goes on with the first.")
            : language.phrase(
                count, one: "A draft is not finished. D shows it, e goes on with it.",
                many: "\(count) drafts are not finished. D lists them, e goes on with one.")
    }

    static func fieldsNotKept(_ names: String, in language: DiaryLanguage) -> String {
        language.phrase("Not kept, because it could not be understood yet: \(names).")
    }

    static func sending(_ name: String, in language: DiaryLanguage) -> String {
        language.phrase("Adding \(name) …")
    }

    static func withoutPicture(_ name: String, _ problem: String, in language: DiaryLanguage) -> String {
        language.phrase("\(name) has no picture: \(problem)")
    }

    /// - Parameter key: what takes it over.
    static func offered(_ name: String, _ words: String, _ key: String, in language: DiaryLanguage) -> String {
        language.phrase("\(name) says: \(words). \(key) takes that over.")
    }

    /// - Parameter key: what keeps a draft.
    static func conflict(_ key: String, in language: DiaryLanguage) -> String {
        language.phrase("The entry was changed elsewhere meanwhile. \(key) keeps yours as a draft.")
    }

    /// - Parameter key: what saves.
    static func entryGone(_ key: String, in language: DiaryLanguage) -> String {
        language.phrase("The entry is gone. \(key) makes a new one of yours.")
    }

    /// What changed clocks did to a time that was typed; nil where they did nothing.
    static func remark(on fit: DateInput.Fit) -> ScreenPhrase? {
        switch fit {
        case .exact: nil
        case .skipped:
            ScreenPhrase("The clocks skipped that time; it was moved on.")
        case .twice:
            ScreenPhrase("The clocks showed that time twice; the first counts.")
        }
    }

    static func problem(_ problem: PlaceProblem) -> ScreenPhrase {
        switch problem {
        case .malformed:
            ScreenPhrase("A place is written like this: Drøbak 59.67, 10.63.")
        case .unknownName:
            ScreenPhrase("No entry that was read has this place. Add its degrees: 59.67, 10.63.")
        case .outside:
            ScreenPhrase("Degrees go from −90 to 90 north, and from −180 to 180 east.")
        }
    }
}
