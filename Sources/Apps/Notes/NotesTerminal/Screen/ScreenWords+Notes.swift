import NotesClient
import TerminalScreen

/// What the screen says of passphrases, files, versions and the trash.
extension ScreenWords {
    // MARK: The passphrase

    static let passphraseMenu = "Passphrase: c change it  r reset it, where it is forgotten  Esc back"
    static let sealing = "A moment…"

    static func label(_ step: PassphraseForm.Step, _ kind: PassphraseForm.Kind) -> String {
        switch step {
        case .present: kind == .reset ? passcodePrompt : "Present passphrase: "
        case .new: "New passphrase: "
        case .again: "New passphrase again: "
        case .hint: "Hint, or nothing: "
        }
    }

    /// What is lost, before anything is typed.
    static func consequence(_ kind: PassphraseForm.Kind) -> String {
        switch kind {
        case .set: "Nobody can recover it: without it locked notes stay shut."
        case .change: "Every note under the present one goes over to the new one, all or none."
        case .reset:
            "The new one is for notes locked from now on. Notes that were locked before stay shut, unless the old one "
                + "comes back to mind."
        }
    }

    static func differing(_ comparison: SecretComparison) -> String {
        comparison == .empty ? "A passphrase has at least one character." : "The two passphrases differ. Once more:"
    }

    static func passphraseDone(_ request: NotesRequest) -> String {
        switch request {
        case .setPassphrase: "Passphrase set; nobody can recover it."
        case .changePassphrase: "Passphrase changed, for every note that was under the former one."
        default: "New passphrase set; notes locked before stay under their old one."
        }
    }

    // MARK: Files

    static let attaching = "Attaching…"
    static let saving = "Saving…"
    static let opening = "Opening…"
    static let opened = "Opened in another program. Its copy goes when you quit, or the device locks."

    static func label(_ purpose: LinePrompt.Purpose) -> String {
        switch purpose {
        case .attach: "Attach, Tab completes: "
        case .save: "Save as, Tab completes: "
        case .tags: "Tags, with spaces between: "
        case .move: "Folder, Tab completes: "
        }
    }

    static func attached(_ file: AttachmentSummary) -> String { "Attached: \(file.name), \(file.kind.rawValue)." }

    static func saved(_ wish: FileWish) -> String { "Saved, readable for whoever gets to see it: \(wish.path)" }

    static func failure(_ failure: PersonsFileFailure) -> String {
        switch failure {
        case .absent: "There is no such file."
        case .notAFile: "That is no file."
        case .exists: "There is a file of that name."
        case .unreadable: "The file cannot be read."
        case .unwritable: "The file cannot be written; nothing is left of it."
        case .noOpener: "There is no program here to open it with (xdg-open). Press s to save it."
        }
    }

    static func question(_ question: NotesDialog.Question) -> String {
        switch question {
        case .emptyTrash(let count):
            "Empty the trash? \(notes(count)) deleted for good, and cannot be brought back. y/n"
        case .detach(_, _, let name): "Take out \(name) for good? It cannot be brought back. y/n"
        case .replace(let wish): "\(wish.path) is there. Replace it? y/n"
        case .openLocked: "Another program will see this file of a locked note. Open it? y/n"
        case .openAddress(let address): openAddress(address)
        default: question.words
        }
    }

    private static func notes(_ count: Int) -> String { count == 1 ? "1 note is" : "\(count) notes are" }

    static func line(_ file: AttachmentSummary) -> String {
        if file.isDamaged == true { return "damaged: its record cannot be read; it is kept" }
        let more = file.place?.words ?? file.address
        return "\(file.name)  \(file.kind.rawValue), \(file.byteCount) bytes" + (more.map { "  " + $0 } ?? "")
    }

    // MARK: Versions, filing, the trash

    static func line(_ version: VersionSummary, _ dates: NoteDates) -> String {
        let size =
            version.isDamaged == true ? "damaged" : version.byteCount > 0 ? "\(version.byteCount) bytes" : "locked"
        return "\(version.number)  \(dates.minute(version.modified))  \(size)"
    }

    static func versionHeading(_ version: Int) -> String { "Version \(version) of " }

    static func heading(_ rows: NotePicker.Rows) -> String {
        switch rows {
        case .files: "Attachments of "
        case .versions: "Versions of "
        case .links: "Links in "
        }
    }

    static func nothing(_ rows: NotePicker.Rows) -> String {
        switch rows {
        case .files: " None. Press a to attach a file."
        case .versions, .links: " None."
        }
    }

    static func done(_ request: NotesRequest) -> String {
        switch request {
        case .move(_, let folder): folder.isEmpty ? "The note is in no folder." : "The note is in \(folder)."
        case .tag: "The tags are changed."
        case .detach: "The attachment is gone."
        default: "That version is the text now; what it replaced is a version too."
        }
    }

    /// Words between spaces and commas, each once, without the sign in front of them.
    static func tags(in text: String) -> [String] {
        text.split { $0 == " " || $0 == "," }.reduce(into: []) { tags, word in
            let tag = String(word.drop { $0 == "#" })
            if !tag.isEmpty && !tags.contains(tag) { tags.append(tag) }
        }
    }

    static let trashIsElsewhere = "Only the trash can be emptied: it is the last of the folders."
    static let trashIsEmpty = "The trash is empty."
    static func emptied(_ count: Int) -> String { "The trash is empty: \(notes(count)) gone for good." }
    static func notEmptied(_ count: Int) -> String { "\(notes(count)) still in the trash." }

    // MARK: Lists and the reader

    static func order(_ order: NoteOrder, isSearch: Bool) -> String {
        switch order {
        case _ where isSearch: ""
        case .changed: ""
        case .title: " by title"
        case .created: " by day"
        }
    }

    static func ordered(_ order: NoteOrder) -> String {
        switch order {
        case .changed: "The last changed stand first."
        case .title: "Titles in the order of letters."
        case .created: "The last made stand first."
        }
    }

    static func changed(_ time: String) -> String { time.isEmpty ? "" : "changed " + time }
    static func openAddress(_ address: String) -> String { "Open \(address) in another program? y/n" }
    static let noAddress = "There is no program here for this address."
}
