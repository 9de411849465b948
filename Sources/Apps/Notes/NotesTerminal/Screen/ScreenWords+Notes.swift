import Localization
import NotesClient
import TerminalScreen

/// What the screen says of passphrases, files, versions and the trash.
extension ScreenWords {
    // MARK: The passphrase

    static var passphraseMenu: String {
        localized("Passphrase: c change it  r reset it, where it is forgotten  Esc back")
    }
    static var sealing: String { localized("A moment…") }

    static func label(_ step: PassphraseForm.Step, _ kind: PassphraseForm.Kind) -> String {
        switch step {
        case .present: kind == .reset ? passcodePrompt : localized("Present passphrase: ")
        case .new: localized("New passphrase: ")
        case .again: localized("New passphrase again: ")
        case .hint: localized("Hint, or nothing: ")
        }
    }

    /// What is lost, before anything is typed.
    static func consequence(_ kind: PassphraseForm.Kind, lockedCount: Int) -> String {
        switch kind {
        case .set: localized("Nobody can recover it: without it locked notes stay shut.")
        case .change: localized("Every note under the present one goes over to the new one, all or none.")
        case .reset where lockedCount == 0: localized("The new one is for notes locked from now on.")
        case .reset:
            localized(
                lockedCount,
                one: """
                    The new one is for notes locked from now on. 1 note that was locked before stays shut, unless the \
                    old one comes back to mind.
                    """,
                many: """
                    The new one is for notes locked from now on. \(lockedCount) notes that were locked before stay \
                    shut, unless the old one comes back to mind.
                    """)
        }
    }

    static func differing(_ comparison: SecretComparison) -> String {
        comparison == .empty
            ? localized("A passphrase has at least one character.")
            : localized("The two passphrases differ. Once more:")
    }

    static func passphraseDone(_ request: NotesRequest) -> String {
        switch request {
        case .setPassphrase: localized("Passphrase set; nobody can recover it.")
        case .changePassphrase: localized("Passphrase changed, for every note that was under the former one.")
        default: localized("New passphrase set; notes locked before stay under their old one.")
        }
    }

    // MARK: Files

    static var attaching: String { localized("Attaching…") }
    static var saving: String { localized("Saving…") }
    static var opening: String { localized("Opening…") }
    static var opened: String {
        localized("Opened in another program. Its copy goes when you quit, or the device locks.")
    }

    static func label(_ purpose: LinePrompt.Purpose) -> String {
        switch purpose {
        case .attach: localized("Attach, Tab completes: ")
        case .save: localized("Save as, Tab completes: ")
        case .tags: localized("Tags, with spaces between: ")
        case .move: localized("Folder, Tab completes: ")
        }
    }

    static func attached(_ file: AttachmentSummary) -> String {
        localized("Attached: \(file.name), \(words(file.kind)).")
    }

    static func saved(_ wish: FileWish) -> String {
        localized("Saved, readable for whoever gets to see it: \(wish.path)")
    }

    static func failure(_ failure: PersonsFileFailure) -> String {
        switch failure {
        case .absent: localized("There is no such file.")
        case .notAFile: localized("That is no file.")
        case .exists: localized("There is a file of that name.")
        case .unreadable: localized("The file cannot be read.")
        case .unwritable: localized("The file cannot be written; nothing is left of it.")
        case .noOpener: localized("There is no program here to open it with (xdg-open). Press s to save it.")
        }
    }

    static func question(_ question: NotesDialog.Question) -> String {
        switch question {
        case .emptyTrash(let count):
            localized(
                count, one: "Empty the trash? 1 note is deleted for good, and cannot be brought back. y/n",
                many: "Empty the trash? \(count) notes are deleted for good, and cannot be brought back. y/n")
        case .detach(_, _, let name): localized("Take out \(name) for good? It cannot be brought back. y/n")
        case .replace(let wish): localized("\(wish.path) is there. Replace it? y/n")
        case .openLocked: localized("Another program will see this file of a locked note. Open it? y/n")
        case .openAddress(let address): openAddress(address)
        default: question.words
        }
    }

    private static func words(_ kind: AttachmentKind) -> String {
        switch kind {
        case .image: localized("image")
        case .sketch: localized("sketch")
        case .table: localized("table")
        case .map: localized("map")
        case .website: localized("website")
        case .audio: localized("audio")
        case .video: localized("video")
        case .pdf: localized("pdf")
        case .file: localized("file")
        }
    }

    static func line(_ file: AttachmentSummary) -> String {
        if file.isDamaged == true { return localized("damaged: its record cannot be read; it is kept") }
        let more = file.place?.words ?? file.address
        return localized("\(file.name)  \(words(file.kind)), \(file.byteCount) bytes") + (more.map { "  " + $0 } ?? "")
    }

    // MARK: Versions, filing, the trash

    static func line(_ version: VersionSummary, _ dates: NoteDates) -> String {
        let size =
            version.isDamaged == true
            ? localized("damaged")
            : version.byteCount > 0 ? localized("\(version.byteCount) bytes") : localized("locked")
        return "\(version.number)  \(dates.minute(version.modified))  \(size)"
    }

    static func heading(_ version: Int, _ title: String) -> String { localized("Version \(version) of \(title)") }

    static func heading(_ rows: NotePicker.Rows, _ title: String) -> String {
        switch rows {
        case .files: localized("Attachments of \(title)")
        case .versions: localized("Versions of \(title)")
        case .links: localized("Links in \(title)")
        }
    }

    static func nothing(_ rows: NotePicker.Rows) -> String {
        switch rows {
        case .files: " " + localized("None. Press a to attach a file.")
        case .versions, .links: " " + localized("None.")
        }
    }

    static func done(_ request: NotesRequest) -> String {
        switch request {
        case .move(_, let folder):
            folder.isEmpty ? localized("The note is in no folder.") : localized("The note is in \(folder).")
        case .tag: localized("The tags are changed.")
        case .detach: localized("The attachment is gone.")
        default: localized("That version is the text now; what it replaced is a version too.")
        }
    }

    /// Words between spaces and commas, each once, without the sign in front of them.
    static func tags(in text: String) -> [String] {
        text.split { $0 == " " || $0 == "," }.reduce(into: []) { tags, word in
            let tag = String(word.drop { $0 == "#" })
            if !tag.isEmpty && !tags.contains(tag) { tags.append(tag) }
        }
    }

    static var trashIsElsewhere: String { localized("Only the trash can be emptied: it is the last of the folders.") }
    static var trashIsEmpty: String { localized("The trash is empty.") }
    static func emptied(_ count: Int) -> String {
        localized(
            count, one: "The trash is empty: 1 note is gone for good.",
            many: "The trash is empty: \(count) notes are gone for good.")
    }
    static func notEmptied(_ count: Int) -> String {
        localized(count, one: "1 note is still in the trash.", many: "\(count) notes are still in the trash.")
    }

    // MARK: Lists and the reader

    static func order(_ order: NoteOrder, isSearch: Bool) -> String {
        switch order {
        case _ where isSearch: ""
        case .changed: ""
        case .title: localized(" by title")
        case .created: localized(" by day")
        }
    }

    static func ordered(_ order: NoteOrder) -> String {
        switch order {
        case .changed: localized("The last changed stand first.")
        case .title: localized("Titles in the order of letters.")
        case .created: localized("The last made stand first.")
        }
    }

    static func changed(_ time: String) -> String { time.isEmpty ? "" : localized("changed \(time)") }
    static func openAddress(_ address: String) -> String { localized("Open \(address) in another program? y/n") }
    static var noAddress: String { localized("There is no program here for this address.") }
}
