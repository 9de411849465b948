import ArgumentParser
import FoundationEssentials
import Linux
import NotesClient
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
            return try Output.line(notes.map { line($0, ids) }.joined(separator: "\n"))
        }
        var table = TextTable(["ID", "CHANGED", "STATE", "FOLDER", "TITLE"])
        for note in notes { table.add(cells(note, ids)) }
        for line in table.lines { try Output.line(line) }
    }

    private static func cells(_ note: NoteSummary, _ ids: ShortIDs) -> [String] {
        if note.damage?.contains(.head) == true {
            return [note.id, "", "damaged", "", "its head cannot be read; kept"]
        }
        let lock = note.isLocked ? (note.isOpen ? "open" : "locked") : nil
        let states = [note.isPinned ? "pinned" : nil, lock, note.hasConflict ? "two edits" : nil]
        return [
            ids.short(note.id), day(note.modified), states.compactMap(\.self).joined(separator: ", "),
            note.folder, title(note),
        ]
    }

    private static func title(_ note: NoteSummary) -> String {
        note.title.isEmpty ? (note.isLocked ? "Locked note" : "Untitled") : SafeText.line(note.title)
    }

    /// One line: the beginning of the id, marks, the day of the last change, folder and title.
    static func line(_ note: NoteSummary, _ ids: ShortIDs) -> String {
        // Of its title and dates nothing is known, so all of its id is needed to tell it from others.
        if note.damage?.contains(.head) == true { return "\(note.id)  damaged: its head cannot be read; it is kept" }
        let marks = (note.isPinned ? "pinned " : "") + (note.isLocked ? (note.isOpen ? "open " : "locked ") : "")
        let folder = note.folder.isEmpty ? "" : SafeText.line(note.folder) + "/ "
        let title = title(note)
        let hit = note.excerpt.map { "\n          " + SafeText.line($0) } ?? ""
        let conflict = note.hasConflict ? "  (two edits of one passage: both are in it)" : ""
        return "\(ids.short(note.id))  \(day(note.modified))  \(marks)\(folder)\(title)\(conflict)\(hit)"
    }

    /// Says which notes could not be read, and ends with the exit code for damage, where there are any.
    static func report(damaged notes: [NoteSummary]) throws {
        let damaged = notes.filter { $0.damage != nil }
        for note in damaged {
            let title = note.title.isEmpty ? "" : " (\(SafeText.line(note.title)))"
            let parts = (note.damage ?? []).map(\.rawValue).joined(separator: ", ")
            Output.error("the note \(note.id)\(title) is damaged: \(parts); it is kept")
        }
        if !damaged.isEmpty { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
    }

    /// Says which attachments of a note could not be read, and ends with the exit code for damage, where there are any.
    static func report(unread attachments: [AttachmentSummary], of note: String) throws {
        for attachment in attachments {
            let name = attachment.name.isEmpty ? "" : " (\(SafeText.line(attachment.name)))"
            let part = attachment.isDamaged == true ? "record" : "file"
            Output.error(
                "the attachment \(attachment.id)\(name) of the note \(note) cannot be read: \(part); it is kept")
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
        let titles = settings.showsLockedTitles == false ? "hidden" : "shown"
        return "class \(settings.protectionClass ?? ""), suite \(settings.lockSuite ?? ""), "
            + "a session of \(settings.sessionMinutes ?? 8) minutes, titles of locked notes \(titles)"
    }

    static func describe(_ session: SessionSummary) -> String {
        guard session.hasPassphrase else { return "no passphrase for locked notes is set" }
        guard let seconds = session.endsIn, session.isOpen else { return "locked: locked notes are shut" }
        let rest = seconds % 60
        return "open: locks in \(seconds / 60):\(rest < 10 ? "0" : "")\(rest) without input"
    }
}
