import ArgumentParser
import DiaryClient
import DiaryFormats
import DiaryViews
import Linux
import Localization
import ResidentClient
import Secrets
import TerminalScreen
import Wire

/// What an entry is besides its text, as options.
struct EntryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            localized(
                "When it happened, such as 2026-11-22 or '2026-11-22 14:05 Europe/Oslo'; now, if it is not said."),
            valueName: "date"))
    var date: String?
    @Option(
        help: ArgumentHelp(
            localized(
                "A tag; may be given several times. An edit puts them in place of all that were there; '' for none.")))
    var tag: [String] = []
    @Option(help: ArgumentHelp(localized("awful, low, fair, good or great.")))
    var mood: Mood?
    @Option(help: ArgumentHelp(localized("Where: degrees north and east, such as 59.913,10.752.")))
    var place: String?
    @Option(help: ArgumentHelp(localized("The name of the place.")))
    var placeName: String?

    /// One for each word between commas, without the mark that people put before them.
    var tags: [String] {
        var known: Set<String> = []
        let words = tag.flatMap { $0.split(separator: ",") }.map { word in
            Self.trimmed(Self.trimmed(word).drop { $0 == "#" })
        }
        return words.map { String($0) }.filter { !$0.isEmpty && known.insert($0).inserted }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let text = text.drop(while: \.isWhitespace)
        return text.prefix(
            (text.lastIndex { !$0.isWhitespace }).map { text.distance(from: text.startIndex, to: $0) + 1 } ?? 0)
    }

    /// - Throws: `Failure` that says what is wrong with a date or a place.
    func when() throws -> DateInput? {
        guard let date else { return nil }
        do {
            let input = try DateInput(date, now: SystemClock.wallMicroseconds(), zone: DiaryOptions.zone)
            switch input.fit {
            case .exact: break
            case .skipped: Output.remark(localized("the clocks were put forward over that time; it was moved on"))
            case .twice: Output.remark(localized("the clocks showed that time twice; the first of both was taken"))
            }
            return input
        } catch {
            throw Failure(
                ExitCode.usage, error.text(in: DiaryOptions.language),
                hint: localized("such as --date '2026-11-22 14:05'"))
        }
    }

    func location() throws -> DiaryPlace? {
        guard let place else {
            guard placeName == nil else {
                throw Failure(ExitCode.usage, localized("--place-name needs --place LATITUDE,LONGITUDE"))
            }
            return nil
        }
        let parts = place.split(separator: ",").map { Double($0.filter { $0 != " " }) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            let found = DiaryPlace(latitude: latitude, longitude: longitude, name: placeName)
        else {
            throw Failure(
                ExitCode.usage, localized("that is no place on Earth; nothing was changed"),
                hint: localized("degrees north from -90 to 90, degrees east from -180 to 180: --place 59.913,10.752"))
        }
        return found
    }
}

extension Mood: ExpressibleByArgument {}

struct DiaryAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: localized("Write an entry from Markdown on standard input, and print its id."),
        discussion: localized(
            """
            Photos are kept as they are, byte for byte. What the first one says of when and where it was taken is \
            offered, and taken over only by --use-photo-date and --use-photo-place. In the text, '![caption](media:0)' \
            stands for the first file. --template begins with a template's text, and what is on standard input follows.
            """))

    @OptionGroup var options: DiaryOptions
    @OptionGroup var entry: EntryOptions
    @Option(help: ArgumentHelp(localized("The name of the template that it begins with.")))
    var template: String?
    @Option(help: ArgumentHelp(localized("A photo; may be given several times.")), completion: .file())
    var photo: [String] = []
    @Option(help: ArgumentHelp(localized("A sound; may be given several times.")), completion: .file())
    var audio: [String] = []
    @Option(
        help: ArgumentHelp(localized("A photo, sound, film or PDF, told by the end of its name.")), completion: .file())
    var file: [String] = []
    @Flag(help: ArgumentHelp(localized("Star it.")))
    var starred = false
    @Flag(help: ArgumentHelp(localized("Keep it as a draft, out of the timeline.")))
    var draft = false
    @Flag(help: ArgumentHelp(localized("When: as the first photo says.")))
    var usePhotoDate = false
    @Flag(help: ArgumentHelp(localized("Where: as the first photo says.")))
    var usePhotoPlace = false

    func run() throws {
        let when = try entry.when()
        let place = try entry.location()
        let connection = try options.connect()
        try connection.requireSignIn()
        let template = try template.map { try connection.template($0) }
        let files = try DiaryUpload.files(photo, audio, file)
        var text = try DiaryInput.readText(mayBeEmpty: template != nil || !files.isEmpty)
        var staged: [MediaSummary] = []
        for file in files { staged.append(try DiaryUpload.stage(file.path, as: file.kind, over: connection)) }
        for file in staged {
            if let problem = file.problem {
                Output.remark(
                    localized("\(SafeText.line(file.name)): no small picture: \(SafeText.line(translated(problem)))"))
            }
        }
        let facts = staged.first { $0.kind == .photo }?.facts
        var head = EntryHead(
            date: when?.date ?? SystemClock.wallMicroseconds(), timeZone: when?.timeZone ?? DiaryOptions.zone.identifier
        )
        if let taken = facts.flatMap({ PhotoMoment($0, zone: DiaryOptions.zone) }) {
            if usePhotoDate { (head.date, head.timeZone) = (taken.date, taken.timeZone) }
            if !usePhotoDate && when == nil {
                Output.remark(localized("the photo was taken \(taken.description); --use-photo-date takes that over"))
            }
        }
        if let template {
            text = Array(TemplateText.text(template.text, at: head.localTime, in: DiaryOptions.language).utf8) + text
        }
        head.tags = (template?.head.tags ?? []).filter { !entry.tags.contains($0) } + entry.tags
        head.mood = entry.mood
        head.isStarred = starred
        head.place = place ?? (usePhotoPlace ? facts.flatMap(Self.place) : nil)
        if place == nil { offerPlace(facts.flatMap(Self.place)) }
        let new = NewEntry(head: head, isDraft: draft, mediaCount: staged.count)
        try DiaryOutput.print(try connection.entry(.create(new), body: text), json: options.json)
    }

    private func offerPlace(_ place: DiaryPlace?) {
        if let place, !usePhotoPlace {
            Output.remark(
                localized(
                    "the photo was taken at \(place.latitude),\(place.longitude); --use-photo-place takes that over"))
        }
        if place == nil && usePhotoPlace { Output.remark(localized("the photo does not say where it was taken")) }
    }

    private static func place(_ facts: PhotoFacts) -> DiaryPlace? {
        guard let latitude = facts.latitude, let longitude = facts.longitude else { return nil }
        return DiaryPlace(latitude: latitude, longitude: longitude)
    }
}

/// When a photo was taken, as an entry says it.
struct PhotoMoment: CustomStringConvertible {
    let date: Int64
    let timeZone: String
    private let wallClock: String

    /// - Parameter zone: in which the camera's clock stood, where it does not say itself.
    init?(_ facts: PhotoFacts, zone: DiaryZone) {
        guard let wall = facts.wallClock else { return nil }
        let time = LocalTime(microseconds: wall * 1_000_000, zone: DiaryZone("UTC"))
        wallClock = "\(time.day) \(time.clock)"
        let zone = facts.offsetMinutes.map { DiaryZone(offset: $0 * 60) } ?? zone
        guard let input = try? DateInput(wallClock, now: 0, zone: zone) else { return nil }
        // The minute's seconds, which the text above has not.
        date = input.date + (wall % 60 + 60) % 60 * 1_000_000
        timeZone = input.timeZone
    }

    var description: String { "\(wallClock) \(timeZone)" }
}

struct DiaryEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: localized("Change an entry: its text by standard input, its date, tags, place or files."),
        discussion: localized(
            """
            What is not named stays. The text stays too where standard input is a terminal or empty, and with \
            --keep-text, which does not read it.
            """))

    @OptionGroup var options: DiaryOptions
    @OptionGroup var entry: EntryOptions
    @Argument(
        help: ArgumentHelp(
            localized("The entry: its first words, its id, or the beginning of the id."), valueName: "entry"))
    var named: EntryName
    @Flag(help: ArgumentHelp(localized("Leave the text as it is.")))
    var keepText = false
    @Flag(help: ArgumentHelp(localized("Take the words out.")))
    var emptyText = false
    @Option(help: ArgumentHelp(localized("Add a photo.")), completion: .file())
    var photo: [String] = []
    @Option(help: ArgumentHelp(localized("Add a sound.")), completion: .file())
    var audio: [String] = []
    @Option(
        help: ArgumentHelp(localized("Add a photo, sound, film or PDF, told by the end of its name.")),
        completion: .file())
    var file: [String] = []
    @Flag(help: ArgumentHelp(localized("Take the place out.")))
    var noPlace = false
    @Flag(help: ArgumentHelp(localized("Take the mood out.")))
    var noMood = false
    @Option(
        help: ArgumentHelp(
            localized(
                "Take a file out, by its number in the entry, from 0, or its id; its text still names the others.")))
    var removeMedia: [String] = []
    @Flag(inversion: .prefixedNo, help: ArgumentHelp(localized("Star it, or not.")))
    var starred: Bool?
    @Flag(help: ArgumentHelp(localized("Put a draft into the timeline.")))
    var publish = false
    @OptionGroup var consent: ConsentOption

    func validate() throws {
        guard !(noPlace && (entry.place != nil || entry.placeName != nil)) else {
            throw ValidationError(localized("--place and --no-place exclude each other"))
        }
        guard !(noMood && entry.mood != nil) else {
            throw ValidationError(localized("--mood and --no-mood exclude each other"))
        }
        guard !(keepText && emptyText) else {
            throw ValidationError(localized("--keep-text and --empty-text exclude each other"))
        }
    }

    func run() throws {
        let when = try entry.when()
        let place = try entry.location()
        let connection = try options.connect()
        try connection.requireSignIn()
        let (reply, present) = try connection.ask(.show(id: named.forChange(connection)))
        guard case .entry(let old) = reply else { throw DiaryConnection.unexpected }
        let files = try DiaryUpload.files(photo, audio, file)
        let removed = try removeMedia.map { try Self.file($0, in: old) }
        if !removed.isEmpty {
            try consent.ask(
                localized(removed.count, one: "Take a file out for good?", many: "Take files out for good?"))
        }
        let text = try newText(otherwise: Self.renumbered(present, of: old, without: removed))
        for file in files { _ = try DiaryUpload.stage(file.path, as: file.kind, over: connection) }
        var head = old.head
        if let when { (head.date, head.timeZone) = (when.date, when.timeZone) }
        if !entry.tag.isEmpty { head.tags = entry.tags }
        head.mood = noMood ? nil : entry.mood ?? head.mood
        head.place = noPlace ? nil : place ?? head.place
        head.isStarred = starred ?? head.isStarred
        let request = DiaryRequest.edit(
            id: old.id, base: old.revision, head: head, media: old.media.map(\.id).filter { !removed.contains($0) },
            isDraft: old.isDraft && !publish)
        try DiaryOutput.print(try connection.entry(request, body: text), json: options.json)
    }

    /// The text that the entry has, naming the files that it named.
    private static func renumbered(_ text: [UInt8], of entry: EntrySummary, without removed: [String]) -> [UInt8] {
        guard !removed.isEmpty else { return text }
        let kept = entry.media.map(\.id).filter { !removed.contains($0) }
        let renumbered = MediaReferences.renumbered(String(decoding: text, as: UTF8.self)) { number in
            entry.media.indices.contains(number) ? kept.firstIndex(of: entry.media[number].id) : number
        }
        return Array(renumbered.utf8)
    }

    /// An input without a byte is no wish for an entry without words: nothing that was written goes by it.
    private func newText(otherwise present: [UInt8]) throws -> [UInt8] {
        if keepText { return present }
        if emptyText { return [] }
        guard !Terminal.isTerminal(0) else {
            guard changesOtherThings else {
                throw Failure(
                    ExitCode.usage, localized("nothing is to be changed"),
                    hint: localized("give the new text on standard input, or an option such as --tag"))
            }
            return present
        }
        guard let bytes = try DiaryInput.read() else {
            guard changesOtherThings else {
                throw Failure(
                    ExitCode.usage, localized("standard input has no text; nothing was changed"),
                    hint: localized("--empty-text takes the words out"))
            }
            return present
        }
        return bytes
    }

    private var changesOtherThings: Bool {
        entry.date != nil || !entry.tag.isEmpty || entry.mood != nil || entry.place != nil || !photo.isEmpty
            || !audio.isEmpty || !file.isEmpty || noPlace || noMood || !removeMedia.isEmpty || starred != nil || publish
    }

    private static func file(_ wanted: String, in entry: EntrySummary) throws -> String {
        if let number = Int(wanted), entry.media.indices.contains(number) { return entry.media[number].id }
        guard wanted.utf8.count >= 4, let file = entry.media.first(where: { $0.id.hasPrefix(wanted.lowercased()) })
        else { throw DiaryError(.notFound, localized("the entry has no such file")) }
        return file.id
    }
}

/// Standard input as the text of an entry.
enum DiaryInput {
    private static let limit = 16 << 20

    static func readText(mayBeEmpty: Bool) throws -> [UInt8] {
        if mayBeEmpty && Terminal.isTerminal(0) { return [] }
        if let bytes = try read() { return bytes }
        guard mayBeEmpty else {
            throw Failure(
                ExitCode.usage, localized("standard input has no text; nothing was changed"),
                hint: localized("an empty line makes an entry without words"))
        }
        return []
    }

    /// Nil for an input without a byte.
    static func read() throws -> [UInt8]? {
        guard let bytes = try StandardInput.readAll(limit: limit) else {
            throw Failure(
                ExitCode.usage, localized("an entry's text has at most \(limit >> 20) MiB; nothing was changed"))
        }
        guard !bytes.isEmpty else { return nil }
        if String(validating: bytes, as: UTF8.self) == nil {
            Output.remark(localized("warning: bytes that are no UTF-8 become U+FFFD"))
        }
        return bytes
    }
}
