import ArgumentParser
import DiaryClient
import DiaryViews
import Linux
import Localization
import ResidentClient
import Secrets
import TerminalScreen
import Wire

struct DiaryList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: localized("List entries, the newest first."))

    @OptionGroup var options: DiaryOptions
    @Option(help: ArgumentHelp(localized("Only those with this tag.")))
    var tag: String?
    @Flag(help: ArgumentHelp(localized("Only starred ones.")))
    var starred = false
    @Flag(help: ArgumentHelp(localized("Drafts instead of the timeline.")))
    var drafts = false
    @Flag(help: ArgumentHelp(localized("What is in the trash.")))
    var trash = false
    @Option(help: ArgumentHelp(localized("At most so many; all, if it is not said.")))
    var limit: Int?

    func validate() throws {
        guard !(drafts && trash) else { throw ValidationError(localized("--drafts and --trash exclude each other")) }
        guard (limit ?? 1) > 0 else { throw ValidationError(localized("--limit is at least 1")) }
    }

    func run() throws {
        let connection = try options.connect()
        var filter = DiaryFilter()
        filter.part = drafts ? .drafts : trash ? .trash : .timeline
        filter.tag = tag
        filter.starredOnly = starred
        var unread: [UnreadEntry] = []
        let entries = try connection.all(filter, limit: limit ?? .max, unread: &unread)
        try DiaryOutput.print(entries, unread: unread, json: options.json) {
            try connection.shortIDs(of: entries.map(\.id))
        }
        try DiaryOutput.report(unread: unread)
    }
}

struct DiaryShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: localized("Show an entry, with everything that belongs to it."),
        discussion: localized(
            """
            At a terminal, and with --all, date, zone, place, mood, star, tags, files with what is known of each, and \
            where it was imported from come before the text. Into a pipe or a file goes the text alone, as 'edit' \
            takes it. --json has everything in either case.
            """))

    @OptionGroup var options: DiaryOptions
    @Argument(
        help: ArgumentHelp(
            localized("The entry: its first words, its id, or the beginning of the id."), valueName: "entry"))
    var named: EntryName
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(localized("Everything, or the text alone; at a terminal everything is the default.")))
    var all: Bool?

    func run() throws {
        let connection = try options.connect()
        let (reply, body) = try connection.ask(.show(id: named.forReading(connection)))
        guard case .entry(let entry) = reply else { throw DiaryConnection.unexpected }
        let text = String(decoding: body, as: UTF8.self)
        if options.json { return try Output.json(DiaryOutput.Entry(entry, text: text)) }
        let isTerminal = Terminal.isTerminal(1)
        if all ?? isTerminal {
            for line in DiaryFacts(entry, DiaryOptions.language).lines { try Output.words(line) }
            try Output.line("")
        }
        try Output.line(isTerminal ? SafeText.text(text) : text)
    }
}

struct DiarySearch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: localized("Find entries by words of their text, tags and places."))

    @OptionGroup var options: DiaryOptions
    @Argument(help: ArgumentHelp(localized("Words, all of which have to be there; \"several in a row\" in quotes.")))
    var words: [String]
    @Option(help: ArgumentHelp(localized("At most so many.")))
    var limit = 50

    func run() throws {
        let text = words.joined(separator: " ")
        let connection = try options.connect()
        let list = try SearchPatience.answer(forScript: options.json) {
            guard case .list(let list) = try connection.ask(.search(text: text, limit: limit)).reply else {
                throw DiaryConnection.unexpected
            }
            return list
        }
        guard list.isPartial || !list.entries.isEmpty || list.unread != nil else {
            throw DiaryError(.notFound, localized("nothing in the diary says this"))
        }
        try DiaryOutput.print(list.entries, unread: list.unread ?? [], json: options.json) {
            try connection.shortIDs(of: list.entries.map(\.id))
        }
        try SearchPatience.report(list, forScript: options.json)
        try DiaryOutput.report(unread: list.unread ?? [])
    }
}

struct DiaryOnThisDay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on-this-day",
        abstract: localized("What was written on this day in earlier years, a week and a month ago."))

    @OptionGroup var options: DiaryOptions
    @Option(help: ArgumentHelp(localized("Another day than today, such as 2026-11-22.")))
    var day: String?

    func run() throws {
        var viewpoint = DiaryOptions.viewpoint
        if let day {
            do {
                let input = try DateInput(day, now: viewpoint.now, zone: DiaryOptions.zone)
                viewpoint = Viewpoint(now: input.date, zone: DiaryOptions.zone)
            } catch {
                throw Failure(
                    ExitCode.usage, error.text(in: DiaryOptions.language), hint: localized("such as 2026-11-22"))
            }
        }
        let today = viewpoint.today
        var filter = DiaryFilter()
        filter.onThisDay = DiaryFilter.Anniversary(year: today.year, month: today.month, day: today.day)
        var unread: [UnreadEntry] = []
        let memories = OnThisDay(try options.connect().all(filter, unread: &unread), seenFrom: viewpoint).memories
        if options.json { try DiaryOutput.print(memories.flatMap(\.entries), unread: unread, json: true) }
        for memory in options.json ? [] : memories {
            try Output.words(memory.heading(in: DiaryOptions.language))
            for entry in memory.entries { try Output.words("  " + DiaryOutput.line(entry)) }
        }
        try DiaryOutput.report(unread: unread)
    }
}

struct DiaryTags: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags", abstract: localized("List tags, the most used first."))

    @OptionGroup var options: DiaryOptions

    func run() throws {
        guard case .tags(let tags, let unread) = try options.connect().ask(.tags).reply else {
            throw DiaryConnection.unexpected
        }
        if options.json { try Output.json(tags) }
        var rows = ListRows([localized("ENTRIES"), localized("TAG")])
        for tag in options.json ? [] : tags { try rows.add(["\(tag.count)", tag.tag]) }
        try rows.finish()
        try DiaryOutput.report(unread: unread ?? [])
    }
}

struct DiaryExtract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract", abstract: localized("Write a file of an entry to standard output."),
        discussion: localized(
            """
            A photo goes out without what its file says of place, time and camera; --size original writes it as it \
            came in.
            """))

    @Argument(
        help: ArgumentHelp(
            localized("The entry: its first words, its id, or the beginning of the id."), valueName: "entry"))
    var named: EntryName
    @Argument(help: ArgumentHelp(localized("The file: its number in the entry, from 0, or its id.")))
    var media: String
    @Option(
        help: ArgumentHelp(localized("shared (without metadata), original, preview (2048 pixels) or thumbnail (512).")))
    var size = MediaSize.shared

    func run() throws {
        guard !Terminal.isTerminal(1) else {
            throw Failure(
                ExitCode.usage, localized("a file does not go to a terminal"),
                hint: localized("write it to one: … > file"))
        }
        let connection = try DiaryOptions().connect()
        let id = try named.forReading(connection)
        do {
            try connection.ask(.media(id: id, media: media, size: size), hasBody: false) {
                nil
            } receive: { part in
                guard try part.withSpan({ try StandardStream.output.write($0) }) else {
                    throw Failure(ExitCode.unavailable, localized("nobody reads the output any more"))
                }
            }
        } catch let error as DiaryError where error.code == .notFound && size == .shared {
            throw Failure(
                ExitCode.notFound, error.message, hint: localized("--size original writes a file as it came in"))
        }
    }
}

extension MediaSize: ExpressibleByArgument {}

struct DiaryStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: localized("Say whether the diary is open, and how much is in it."))

    @OptionGroup var options: DiaryOptions

    func run() throws { try DiaryOutput.print(try options.connect().status(), json: options.json) }
}

struct DiarySettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: localized("Show or change when the diary locks by itself."))

    @OptionGroup var options: DiaryOptions
    @Option(help: ArgumentHelp(localized("Minutes without input until it locks, 0 to 1440; 0 for never by itself.")))
    var lockAfter: Int?
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(localized("Lock its screens as soon as they lose the focus, or only in the background.")))
    var lockOnResign: Bool?
    @Flag(inversion: .prefixedNo, help: ArgumentHelp(localized("Leave the diary out of backups, or not.")))
    var excludeFromBackup: Bool?

    func run() throws {
        let connection = try options.connect()
        let changes = DiarySettings(
            lockMinutes: lockAfter, locksOnResign: lockOnResign, isExcludedFromBackup: excludeFromBackup)
        if changes != DiarySettings() { try connection.ask(.changeSettings(changes)) }
        try connection.requireSignIn()
        let settings = try connection.status().settings
        if options.json { return try Output.json(settings) }
        let minutes = settings.lockMinutes ?? 0
        try Output.words(
            minutes == 0
                ? localized("never locks by itself")
                : localized(
                    minutes, one: "locks after 1 minute without input",
                    many: "locks after \(minutes) minutes without input"))
        try Output.words(
            settings.locksOnResign == true
                ? localized("its screens lock when they lose the focus")
                : localized("its screens lock in the background"))
        try Output.words(
            settings.isExcludedFromBackup == true ? localized("left out of backups") : localized("in backups"))
    }
}
