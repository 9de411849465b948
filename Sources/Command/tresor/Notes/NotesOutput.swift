import ArgumentParser
import FoundationEssentials
import Linux
import Localization
import NotesClient
import SoughtNames
import TerminalScreen
import Wire

/// Notes as the commands print them.
enum NotesOutput {
    /// What `--json` prints of a note.
    struct Entry: Encodable {
        let id: String
        let title: String
        let locked: Bool
        let open: Bool
        let pinned: Bool
        let folder: String
        let tags: [String]
        let created: Date?
        let modified: Date?
        let deleted: Date?
        let attachments: Int
        let excerpt: String?
        let conflict: Bool
        /// What `edit --base` takes; left out without the head, which alone knows it.
        let revision: UInt64?
        /// What of it cannot be read: `head`, `text`.
        let damage: [NotePart]?

        init(_ note: NoteSummary) {
            id = note.id
            title = note.title
            locked = note.isLocked
            open = note.isOpen
            pinned = note.isPinned
            folder = note.folder
            tags = note.tags
            let hasHead = note.damage?.contains(.head) != true
            created = hasHead ? NotesOutput.date(note.created) : nil
            modified = hasHead ? NotesOutput.date(note.modified) : nil
            revision = hasHead ? note.revision : nil
            damage = note.damage
            deleted = note.deleted.map(NotesOutput.date)
            attachments = note.attachmentCount
            excerpt = note.excerpt
            conflict = note.hasConflict
        }
    }

    static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }

    static func print(_ note: NoteSummary, json: Bool) throws {
        if json { try Output.json(Entry(note)) } else { try Output.line(note.id) }
    }

    /// - Parameter ids: of all notes there are, which say how short an id may be.
    static func print(_ notes: [NoteSummary], json: Bool, ids: () throws -> ShortIDs) throws {
        if json { return try Output.json(notes.map(Entry.init)) }
        guard !notes.isEmpty else { return }
        let ids = try ids()
        // What was found stands on a line of its own, below the note.
        guard Terminal.isTerminal(1), notes.allSatisfy({ $0.excerpt == nil }) else {
            // Scripts know these lines.
            let language = Terminal.isTerminal(1) ? Localization.catalogue : nil
            return try Output.words(notes.map { line($0, ids, in: language) }.joined(separator: "\n"))
        }
        // A title may be a whole sentence; the id is what names the note for sure.
        var table = TextTable(
            [localized("ID"), localized("CHANGED"), localized("STATE"), localized("FOLDER"), localized("TITLE")],
            yielding: [
                .shortened(4, to: 30), .shortened(3, to: 12), .dropped(1), .dropped(3), .shortened(4, to: 12),
                .dropped(2), .shortened(4, to: 6),
            ])
        for note in notes { table.add(cells(note, ids)) }
        try Output.table(table)
    }

    private static func cells(_ note: NoteSummary, _ ids: ShortIDs) -> [String] {
        if note.damage?.contains(.head) == true {
            return [note.id, "", localized("damaged"), "", localized("its head cannot be read; kept")]
        }
        let lock = note.isLocked ? (note.isOpen ? localized("open") : localized("locked")) : nil
        let states = [
            note.isPinned ? localized("pinned") : nil, lock, note.hasConflict ? localized("two edits") : nil,
        ]
        return [
            ids.short(note.id), day(note.modified), states.compactMap(\.self).joined(separator: ", "),
            note.folder, title(note, in: Localization.catalogue),
        ]
    }

    private static func title(_ note: NoteSummary, in language: MessageCatalogue?) -> String {
        guard note.title.isEmpty else { return SafeText.line(note.title) }
        return note.isLocked ? localized("Locked note", in: language) : localized("Untitled", in: language)
    }

    /// One line: the beginning of the id, marks, the day of the last change, folder and title.
    static func line(
        _ note: NoteSummary, _ ids: ShortIDs, in language: MessageCatalogue? = Localization.catalogue
    ) -> String {
        // Of its title and dates nothing is known, so all of its id is needed to tell it from others.
        if note.damage?.contains(.head) == true {
            return localized("\(note.id)  damaged: its head cannot be read; it is kept", in: language)
        }
        let lock = note.isOpen ? localized("open ", in: language) : localized("locked ", in: language)
        let marks = (note.isPinned ? localized("pinned ", in: language) : "") + (note.isLocked ? lock : "")
        let folder = note.folder.isEmpty ? "" : SafeText.line(note.folder) + "/ "
        let title = title(note, in: language)
        let hit = note.excerpt.map { "\n          " + SafeText.line($0) } ?? ""
        let conflict =
            note.hasConflict ? localized("  (two edits of one passage: both are in it)", in: language) : ""
        return "\(ids.short(note.id))  \(day(note.modified))  \(marks)\(folder)\(title)\(conflict)\(hit)"
    }

    /// Says which notes could not be read, and ends with the exit code for damage, where there are any.
    static func report(damaged notes: [NoteSummary]) throws {
        let damaged = notes.filter { $0.damage != nil }
        for note in damaged {
            let title = note.title.isEmpty ? "" : " (\(SafeText.line(note.title)))"
            let parts = (note.damage ?? []).map(\.words).joined(separator: ", ")
            Output.error(localized("the note \(note.id)\(title) is damaged: \(parts); it is kept"))
        }
        if !damaged.isEmpty { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
    }

    /// Says which attachments of a note could not be read, and ends with the exit code for damage, where there are any.
    static func report(unread attachments: [AttachmentSummary], of note: String) throws {
        for attachment in attachments {
            let name = attachment.name.isEmpty ? "" : " (\(SafeText.line(attachment.name)))"
            let part = attachment.isDamaged == true ? localized("record") : localized("file")
            Output.error(
                localized(
                    "the attachment \(attachment.id)\(name) of the note \(note) cannot be read: \(part); it is kept"))
        }
        if !attachments.isEmpty { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
    }

    static func day(_ microseconds: Int64) -> String { String(date(microseconds).formatted(.iso8601).prefix(10)) }

    static func session(_ session: SessionSummary, json: Bool) throws {
        struct State: Encodable {
            let open: Bool
            let endsInSeconds: Int?
            let passphraseSet: Bool
        }
        if json {
            return try Output.json(
                State(open: session.isOpen, endsInSeconds: session.endsIn, passphraseSet: session.hasPassphrase))
        }
        try Output.done(describe(session))
    }

    static func describe(_ settings: NotesSettings) -> String {
        let (protectionClass, suite) = (settings.protectionClass ?? "", settings.lockSuite ?? "")
        let minutes = settings.sessionMinutes ?? 8
        return settings.showsLockedTitles == false
            ? localized(
                """
                class \(protectionClass), suite \(suite), a session of \(minutes) minutes, titles of locked notes hidden
                """)
            : localized(
                """
                class \(protectionClass), suite \(suite), a session of \(minutes) minutes, titles of locked notes shown
                """)
    }

    static func describe(_ session: SessionSummary) -> String {
        guard session.hasPassphrase else { return localized("no passphrase for locked notes is set") }
        guard let seconds = session.endsIn, session.isOpen else { return localized("locked: locked notes are shut") }
        let rest = seconds % 60
        let clock = "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
        return localized("open: locks in \(clock) without input")
    }
}

extension NotePart {
    /// What a person calls it.
    var words: String {
        switch self {
        case .head: localized("head")
        case .text: localized("text")
        case .lock: localized("lock")
        case .origin: localized("origin")
        }
    }
}
