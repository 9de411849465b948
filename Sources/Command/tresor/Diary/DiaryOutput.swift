import ArgumentParser
import DiaryClient
import DiaryViews
import FoundationEssentials
import Linux
import Localization
import SoughtNames
import TerminalScreen
import Wire

/// Entries as the commands print them.
enum DiaryOutput {
    /// Says on standard error which entries could not be read.
    static func name(_ unread: [UnreadEntry]) {
        for entry in unread {
            let part = entry.part == .head ? localized("head") : localized("text")
            guard let date = entry.date.map({ Self.date($0).formatted(.iso8601).prefix(10) }) else {
                Output.error(localized("the entry \(entry.id) is damaged: \(part); it is kept"))
                continue
            }
            Output.error(localized("the entry \(entry.id) of \(date) is damaged: \(part); it is kept"))
        }
    }

    /// The same, and the exit code for damage where there are any.
    static func report(unread: [UnreadEntry]) throws {
        name(unread)
        if !unread.isEmpty { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
    }

    /// What `--json` prints of an entry.
    struct Entry: Encodable {
        let id: String
        let date: Date
        let timeZone: String
        /// In that zone: `2026-11-22 14:05`.
        let localTime: String
        let opening: String
        let tags: [String]
        let mood: String?
        let starred: Bool
        let place: DiaryPlace?
        let draft: Bool
        let created: Date
        let modified: Date
        let revision: UInt64
        let media: [File]
        let excerpt: String?
        /// Where it was imported from, and what was said there besides, as it was said.
        let source: String?
        let foreign: String?
        var text: String?

        init(_ entry: EntrySummary, text: String? = nil) {
            id = entry.id
            date = DiaryOutput.date(entry.head.date)
            timeZone = entry.head.timeZone
            localTime = "\(entry.head.localDay) \(entry.head.localTime.clock)"
            opening = entry.opening
            tags = entry.head.tags
            mood = entry.head.mood?.rawValue
            starred = entry.head.isStarred
            place = entry.head.place
            draft = entry.isDraft
            created = DiaryOutput.date(entry.created)
            modified = DiaryOutput.date(entry.modified)
            revision = entry.revision
            media = entry.media.map(File.init)
            excerpt = entry.excerpt
            source = entry.source
            foreign = entry.foreign
            self.text = text
        }
    }

    /// What `--json` prints of one that cannot be read whole, behind those that can.
    private struct Damaged: Encodable {
        let id: String
        let date: Date?
        let damage: [UnreadEntry.Part]

        init(_ entry: UnreadEntry) {
            id = entry.id
            date = entry.date.map(DiaryOutput.date)
            damage = [entry.part]
        }
    }

    struct File: Encodable {
        let id: String
        let kind: String
        let name: String
        let mediaType: String
        let bytes: UInt64
        let width: Int?
        let height: Int?
        let orientation: Int?
        let camera: String?
        /// By the camera's clock, without a zone: `2026-11-22 14:05`.
        let taken: String?
        /// Minutes by which that clock was ahead of UTC.
        let offsetMinutes: Int?
        let latitude: Double?
        let longitude: Double?
        let thumbnail: Bool
        let problem: String?

        init(_ file: MediaSummary) {
            id = file.id
            kind = file.kind.rawValue
            name = file.name
            mediaType = file.mediaType
            bytes = file.byteCount
            width = file.facts.width
            height = file.facts.height
            orientation = file.facts.orientation
            camera = file.facts.camera
            taken = file.facts.wallClock.map(DiaryFacts.clock)
            offsetMinutes = file.facts.offsetMinutes
            latitude = file.facts.latitude
            longitude = file.facts.longitude
            thumbnail = file.hasThumbnail
            problem = file.problem
        }
    }

    static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }

    static func print(_ entry: EntrySummary, json: Bool) throws {
        if json { try Output.json(Entry(entry)) } else { try Output.line(entry.id) }
    }

    /// - Parameters:
    ///   - unread: what `--json` has as fields; ``report(unread:)`` says it to a person.
    ///   - ids: how short the ids may be that are printed.
    static func print(
        _ entries: [EntrySummary], unread: [UnreadEntry], json: Bool, ids: () throws -> ShortIDs = { ShortIDs([]) }
    ) throws {
        if json {
            return try Output.json(entries.map { JSONElement(Entry($0)) } + unread.map { JSONElement(Damaged($0)) })
        }
        let ids = try ids()
        // What was found stands on a line of its own, below the entry.
        guard Terminal.isTerminal(1), entries.allSatisfy({ $0.excerpt == nil }) else {
            // Scripts know these lines.
            let language = Terminal.isTerminal(1) ? Localization.catalogue : nil
            for entry in entries { try Output.words(line(entry, ids, in: language)) }
            return
        }
        var table = TextTable(
            [localized("ID"), localized("WHEN"), localized("WITH"), localized("TEXT")],
            yielding: [
                .shortened(3, to: 30), .shortened(2, to: 12), .dropped(2), .shortened(3, to: 12), .dropped(1),
                .shortened(3, to: 6),
            ])
        for entry in entries {
            let when = "\(entry.head.localDay) \(entry.head.localTime.clock)"
            table.add([
                ids.short(entry.id), when, marks(entry, in: Localization.catalogue).joined(separator: " "),
                entry.opening,
            ])
        }
        try Output.table(table)
    }

    /// One line: the beginning of the id, day and time where it happened, marks, the first words.
    static func line(
        _ entry: EntrySummary, _ ids: ShortIDs = ShortIDs([]), in language: MessageCatalogue? = Localization.catalogue
    ) -> String {
        let marks = marks(entry, in: language)
        let hit = entry.excerpt.map { "\n          " + SafeText.line($0) } ?? ""
        let words = SafeText.line(entry.opening)
        let mark = marks.isEmpty ? "" : marks.joined(separator: " ") + (words.isEmpty ? "" : "  ")
        return "\(ids.short(entry.id))  \(entry.head.localDay) \(entry.head.localTime.clock)  \(mark)\(words)\(hit)"
    }

    /// What an entry has besides its words.
    private static func marks(_ entry: EntrySummary, in language: MessageCatalogue?) -> [String] {
        let photos = entry.photoCount
        let others = entry.media.count - photos
        var marks: [String] = []
        if entry.head.isStarred { marks.append("★") }
        if photos > 0 {
            marks.append(localized(photos, one: "[photo]", many: "[\(photos) photos]", in: language))
        }
        if others > 0 { marks.append(localized(others, one: "[file]", many: "[\(others) files]", in: language)) }
        marks += entry.head.tags.map { "#" + SafeText.line($0) }
        if let place = entry.head.place?.name ?? entry.head.place?.locality {
            marks.append("@ " + SafeText.line(place))
        }
        return marks
    }

    static func count(_ entries: Int?) -> String {
        guard let entries else { return localized("how many entries there are cannot be read now") }
        return localized(entries, one: "1 entry", many: "\(entries) entries")
    }

    static func print(_ status: DiaryStatus, json: Bool) throws {
        if json { return try Output.json(status) }
        guard status.isRegistered else { return try Output.words(localized("no password is registered")) }
        let count = count(status.entries)
        guard status.isSignedIn else {
            return try Output.words(localized("locked: \(count), drafts and the trash among them"))
        }
        if let seconds = status.locksIn {
            let clock = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
            try Output.words(localized("open: \(count), locks in \(clock) without input"))
        } else {
            try Output.words(localized("open: \(count)"))
        }
        if let drafts = status.drafts, drafts > 0 { try Output.words(localized("drafts: \(drafts)")) }
        if let trashed = status.trashed, trashed > 0 { try Output.words(localized("in the trash: \(trashed)")) }
        for record in status.damaged { try Output.words(localized("damaged, and kept: \(record)")) }
    }
}
