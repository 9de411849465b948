import DiaryClient
import DiaryViews
import FoundationEssentials
import TerminalScreen

@testable import DiaryTerminal

/// A tresor-diary in a few lines of memory, for the tests to talk to.
struct DiaryWorld {
    struct Entry {
        var summary: EntrySummary
        var text: String
        var isDeleted = false
    }

    var isRegistered = true
    var isSignedIn = false
    var isDeviceLocked = false
    /// Whether the password that goes with the next question is right.
    var isPasswordRight = true
    var retryAfter: Int?
    /// Whether the passcode that is typed next is the device's.
    var isPasscodeRight = true
    var locksOnResign: Bool {
        get { settings.locksOnResign ?? false }
        set { settings.locksOnResign = newValue }
    }
    var entries: [Entry] = []
    /// The files that wait for an entry.
    var staged: [MediaSummary] = []
    /// A file of this name cannot be read.
    var missingFile: String?
    /// What photos of these names say of themselves.
    var facts: [String: PhotoFacts] = [:]
    /// Why photos of these names have no picture.
    var problems: [String: String] = [:]
    /// Names in each folder of this computer, which ends with a slash; folders among them do, too.
    var folders: [String: [String]] = [:]
    /// What has been saved, by its path.
    var saved: [String: MediaSize] = [:]
    var settings = DiarySettings(lockMinutes: 5, locksOnResign: false, isExcludedFromBackup: false)
    /// What cannot be read.
    var damaged: [String] = []
    /// What searches and looks back cannot look at.
    var unread: [UnreadEntry]?
    /// Whether the disk is full.
    var isFull = false
    /// Whether tresor-diary was killed.
    var isGone = false
    /// Whether a lock has begun and the keys are still there.
    var isTakingLastWords = false
    /// Whether it says how many drafts there are.
    var tellsDrafts = false
    private var made = 0

    /// - Parameter date: `2026-11-22 14:05 Europe/Oslo`.
    @discardableResult
    mutating func add(
        _ date: String, _ text: String, photos: [String] = [], _ change: (inout EntryHead) -> Void = { _ in }
    ) -> String {
        made += 1
        guard let input = try? DateInput(date, now: 0, zone: DiaryZone("Europe/Oslo")) else { return "" }
        var head = EntryHead(date: input.date, timeZone: input.timeZone)
        change(&head)
        let summary = EntrySummary(
            id: "entry-\(made)", head: head, opening: Self.opening(of: text),
            media: photos.enumerated().map { Self.photo($0.element, "file-\(made)-\($0.offset)") }, created: input.date,
            modified: input.date, revision: 1)
        entries.append(Entry(summary: summary, text: text))
        return summary.id
    }

    static func photo(_ name: String, _ id: String) -> MediaSummary {
        MediaSummary(
            id: id, kind: .photo, name: name, mediaType: "image/jpeg", byteCount: 3_412_000, facts: PhotoFacts(),
            hasThumbnail: true, problem: nil)
    }

    /// A photo, as it is told after it was looked at.
    private func photo(_ name: String, _ id: String) -> MediaSummary {
        var photo = Self.photo(name, id)
        photo.facts = facts[name] ?? PhotoFacts()
        photo.problem = problems[name]
        photo.hasThumbnail = photo.problem == nil
        return photo
    }

    /// What this computer says of a file.
    func failure(of ask: Ask) -> FileFailure? {
        if case .stage(let new) = ask.request, new.name == missingFile { return .absent }
        return ask.destination.flatMap { saved[$0] == nil ? nil : .exists }
    }

    func names(beside typed: String) -> [(text: String, isFolder: Bool)] {
        (folders[TypedPath.Completion.split(typed).folder] ?? []).map { name in
            let isFolder = name.hasSuffix("/")
            return (text: isFolder ? String(name.dropLast()) : name, isFolder: isFolder)
        }
    }

    private static func opening(of text: String) -> String {
        String(text.split(separator: "\n").joined(separator: " ").prefix(120))
    }

    // MARK: Answers

    mutating func reply(to ask: Ask) throws(DiaryError) -> (DiaryReply, [UInt8]) {
        switch ask.request {
        case .status, .touch: return (.status(status), [])
        case .subscribe, .handedIn: return (.done, [])
        case .lock:
            (isSignedIn, staged) = (false, [])
            return (.done, [])
        case .signIn: return (.status(try signIn()), [])
        case .register:
            guard !isRegistered else { throw DiaryError(.alreadyRegistered, "a password is registered already") }
            isRegistered = true
            return (.done, [])
        default: break
        }
        guard !isDeviceLocked || isTakingLastWords else {
            throw DiaryError(.deviceLocked, "the device is locked")
        }
        guard isSignedIn else { throw DiaryError(.signedOut, "nobody is signed in to the diary") }
        if let answer = try look(ask.request) {
            if let path = ask.destination, case .media(_, _, let size) = ask.request { saved[path] = size }
            return answer
        }
        return try change(ask)
    }

    mutating func unlockDevice() -> UnlockOutcome {
        guard isPasscodeRight else { return .wrongPasscode(retryAfter: retryAfter) }
        isDeviceLocked = false
        return .unlocked
    }

    private var status: DiaryStatus {
        var status = DiaryStatus(
            isRegistered: isRegistered, isSignedIn: isSignedIn, locksIn: isSignedIn ? 300 : nil,
            entries: entries.count, damaged: isSignedIn ? damaged : [],
            settings: isSignedIn ? settings : DiarySettings(), process: 1)
        if isSignedIn, tellsDrafts { status.drafts = entries.count { $0.summary.isDraft && !$0.isDeleted } }
        return status
    }

    private mutating func signIn() throws(DiaryError) -> DiaryStatus {
        guard !isDeviceLocked else { throw DiaryError(.deviceLocked, "the device is locked") }
        guard isPasswordRight else {
            throw DiaryError(.wrongPassword, "the password is wrong", retryAfter: retryAfter)
        }
        isSignedIn = true
        // Right after a sign-in nobody knows yet what is damaged.
        var opening = status
        (opening.damaged, opening.drafts) = ([], nil)
        return opening
    }

    private func look(_ request: DiaryRequest) throws(DiaryError) -> (DiaryReply, [UInt8])? {
        switch request {
        case .list(let filter): return (.list(list(filter)), [])
        case .find(let id): return (.entry(try find(id).summary), [])
        case .show(let id):
            let entry = try find(id)
            return (.entry(entry.summary), Array(entry.text.utf8))
        case .media(let id, let media, _):
            guard !isFull else { throw DiaryError(.refused, "the picture cannot be parted from what it says") }
            guard let file = try find(id).summary.media.first(where: { $0.id == media }) else {
                throw DiaryError(.notFound, "the entry has no such file")
            }
            return (.media(file), Array("JPEG of \(file.name)".utf8))
        case .search(let text, let limit, let offset):
            let found = newest.filter { $0.text.contains(text) }.map { entry in
                var summary = entry.summary
                summary.excerpt = entry.text.split(separator: "\n").first { $0.contains(text) }.map { String($0) }
                return summary
            }
            let page = Array(found.dropFirst(offset ?? 0).prefix(limit))
            let total = offset == nil ? page.count : found.count
            return (.list(EntryList(entries: page, total: total, unread: unread)), [])
        case .outline:
            let lost = unread.map { DiaryReply.list(EntryList(entries: [], total: newest.count, unread: $0)) }
            return (lost ?? .done, outline)
        case .tags:
            var counts: [String: Int] = [:]
            for entry in newest { for tag in entry.summary.head.tags { counts[tag, default: 0] += 1 } }
            let tags = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            return (.tags(tags.map { TagCount(tag: $0.key, count: $0.value) }, unread: unread), [])
        case .templates: return (.templates(templates.map(\.head)), [])
        case .template(let name):
            guard let found = templates.first(where: { $0.head.name == name }) else {
                throw DiaryError(.notFound, "there is no template of this name")
            }
            return (.template(found.head), Array(found.text.utf8))
        default: return nil
        }
    }

    private var templates: [(head: DiaryTemplate, text: String)] {
        [
            (DiaryTemplate(name: "Evening", tags: ["thanks"]), "# {{weekday}}, {{time}}\n\nGrateful for "),
            (DiaryTemplate(name: "Morning"), "Plans:\n"),
        ]
    }

    private var newest: [Entry] {
        entries.filter { !$0.isDeleted && !$0.summary.isDraft }.sorted { $0.summary.head.date > $1.summary.head.date }
    }

    private func find(_ id: String) throws(DiaryError) -> Entry {
        guard let entry = entries.first(where: { $0.summary.id == id }) else {
            throw DiaryError(.notFound, "there is no such entry")
        }
        return entry
    }

    private func list(_ filter: DiaryFilter) -> EntryList {
        var found = newest
        if filter.part == .trash { found = entries.filter(\.isDeleted) }
        if filter.starredOnly { found = found.filter { $0.summary.head.isStarred } }
        if filter.part == .drafts { found = entries.filter { $0.summary.isDraft && !$0.isDeleted } }
        if let tag = filter.tag { found = found.filter { $0.summary.head.tags.contains(tag) } }
        if let day = filter.onThisDay, let today = LocalDay(year: day.year, month: day.month, day: day.day) {
            found = found.filter { OnThisDay.distance(from: $0.summary.head.localDay, to: today) != nil }
        }
        let page = found.dropFirst(filter.offset).prefix(filter.limit)
        return EntryList(entries: page.map(\.summary), total: found.count)
    }

    private var outline: [UInt8] {
        let all = newest.map { entry in
            let (head, place) = (entry.summary.head, entry.summary.head.place)
            return EntryOutline(
                id: entry.summary.id, date: head.date, timeZone: head.timeZone, latitude: place?.latitude,
                longitude: place?.longitude, media: entry.summary.media.count,
                words: WordCount.words(in: entry.text), isStarred: head.isStarred, tags: head.tags)
        }
        return (try? JSONEncoder().encode(all)).map { Array($0) } ?? []
    }

    private mutating func change(_ ask: Ask) throws(DiaryError) -> (DiaryReply, [UInt8]) {
        let text = String(decoding: ask.body, as: UTF8.self)
        switch ask.request {
        case .stage(let new):
            made += 1
            staged.append(photo(new.name, "file-\(made)"))
            return (.staged(staged[staged.count - 1]), [])
        case .changeSettings(let changes):
            settings.lockMinutes = changes.lockMinutes ?? settings.lockMinutes
            settings.locksOnResign = changes.locksOnResign ?? settings.locksOnResign
            settings.isExcludedFromBackup = changes.isExcludedFromBackup ?? settings.isExcludedFromBackup
            return (.status(status), [])
        case .create(let new):
            let files = ask.isAside ? [] : takeStaged()
            guard !isFull else { throw DiaryError(.cannotWrite, "the disk is full") }
            guard new.mediaCount == files.count else { throw DiaryError(.invalid, "the files do not match") }
            made += 1
            let summary = EntrySummary(
                id: "entry-\(made)", head: new.head, opening: Self.opening(of: text), media: files, created: 0,
                modified: 0, revision: 1)
            entries.append(Entry(summary: summary, text: text))
            entries[entries.count - 1].summary.isDraft = new.isDraft
            return (.entry(entries[entries.count - 1].summary), [])
        case .edit(let id, let base, let head, let media, let isDraft):
            let files = ask.isAside ? [] : takeStaged()
            guard !isFull else { throw DiaryError(.cannotWrite, "the disk is full") }
            return (.entry(try edit(id, base, head, media, isDraft, text, files)), [])
        case .delete(let id, let forever, let base):
            if let base, try find(id).summary.revision != base {
                throw DiaryError(.conflict, "the entry was changed in between; read it again")
            }
            if forever { entries.removeAll { $0.summary.id == id } } else { setDeleted(id, true) }
            return (.done, [])
        case .restore(let id):
            setDeleted(id, false)
            return (.entry(try find(id).summary), [])
        default: throw DiaryError(.invalid, "not in this world")
        }
    }

    private mutating func takeStaged() -> [MediaSummary] {
        defer { staged = [] }
        return staged
    }

    private mutating func setDeleted(_ id: String, _ isDeleted: Bool) {
        for index in entries.indices where entries[index].summary.id == id { entries[index].isDeleted = isDeleted }
    }

    private mutating func edit(
        _ id: String, _ base: UInt64, _ head: EntryHead, _ media: [String], _ isDraft: Bool, _ text: String,
        _ files: [MediaSummary]
    ) throws(DiaryError) -> EntrySummary {
        guard let index = entries.firstIndex(where: { $0.summary.id == id }) else {
            throw DiaryError(.notFound, "there is no such entry")
        }
        guard entries[index].summary.revision == base else {
            throw DiaryError(.conflict, "the entry was changed in between; nothing was saved")
        }
        entries[index].text = text
        entries[index].summary.head = head
        entries[index].summary.isDraft = isDraft
        entries[index].summary.opening = Self.opening(of: text)
        entries[index].summary.revision += 1
        let former = entries[index].summary.media
        entries[index].summary.media = media.compactMap { id in former.first { $0.id == id } } + files
        return entries[index].summary
    }
}

extension DiaryWorld {
    /// A few years in Oslo and elsewhere; today is Sunday, 22 November 2026.
    static var sample: DiaryWorld {
        var world = DiaryWorld()
        world.add("2026-11-22 08:30 Europe/Oslo", "First snow. We walked to the lake, and it was quiet.") {
            $0.tags = ["winter"]
            $0.isStarred = true
        }
        world.add(
            "2026-11-22 21:10 Europe/Oslo", "Soup, and a long letter to Mari.", photos: ["soup.jpg", "letter.jpg"])
        world.add("2026-11-15 12:00 Europe/Oslo", "Mended the boat.", photos: ["boat.jpg"]) {
            $0.tags = ["boat", "summer house"]
            $0.place = DiaryPlace(latitude: 59.67, longitude: 10.63, name: "Drøbak")
        }
        world.add("2026-10-30 18:20 Europe/Berlin", "Concert with Jo.") {
            $0.place = DiaryPlace(latitude: 52.52, longitude: 13.4, locality: "Berlin")
            $0.mood = .great
        }
        world.add("2025-11-22 23:50 Europe/Oslo", "A year ago: the roof leaked.")
        world.add("2023-11-22 07:05 Pacific/Honolulu", "Rain over the sea.") {
            $0.tags = ["sea"]
            $0.place = DiaryPlace(latitude: 21.3, longitude: -157.86, country: "Hawaii")
        }
        return world
    }
}
