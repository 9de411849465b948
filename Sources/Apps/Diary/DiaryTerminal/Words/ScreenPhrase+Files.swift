import DiaryClient
import DiaryViews
import Localization

/// What is said of files.
extension ScreenPhrase {
    static let kind = ScreenPhrase("Kind")
    static let size = ScreenPhrase("Size")
    static let camera = ScreenPhrase("Camera")
    static let picture = ScreenPhrase("No picture")
    static let notLooked = ScreenPhrase("not looked at yet")
    static let originalHint = ScreenPhrase("X saves the original.")
    static let filesKeys = ScreenPhrase("Esc back  j/k file  x save without place, date, camera  X the original")

    static let pictureKeys = ScreenPhrase("Esc back  ←→ other picture")

    static func kind(_ kind: MediaKind) -> ScreenPhrase {
        switch kind {
        case .photo: ScreenPhrase("photo")
        case .audio: ScreenPhrase("sound")
        case .video: ScreenPhrase("film")
        case .pdf: ScreenPhrase("PDF")
        }
    }

    static let saveAs = ScreenPhrase("Save as: ")

    /// Before the path under which a file is saved.
    static func savingTo(_ file: MediaSummary, _ size: MediaSize) -> ScreenPhrase {
        guard file.kind == .photo else { return saveAs }
        return size == .shared
            ? ScreenPhrase("Without place, date, camera as: ")
            : ScreenPhrase("Original with place and date as: ")
    }

    /// What a file that was saved says of itself.
    static func written(_ file: MediaSummary, _ size: MediaSize) -> ScreenPhrase {
        guard file.kind == .photo, size == .shared else {
            return ScreenPhrase("Saved as the file came, with all that it says of itself.")
        }
        return ScreenPhrase("Saved; place, date and camera are left out of it.")
    }

    static func failure(_ failure: FileFailure) -> ScreenPhrase {
        switch failure {
        case .absent:
            ScreenPhrase("There is no such file.")
        case .notAFile:
            ScreenPhrase("That is no file.")
        case .exists:
            ScreenPhrase("There is a file of that name; it stays as it is.")
        case .unreadable:
            ScreenPhrase("The file cannot be read.")
        case .unwritable:
            ScreenPhrase("Nothing can be written there; nothing is left of it.")
        }
    }
}
