import DiaryClient
import DiaryViews
import TerminalScreen

/// The editor of one entry: its day, place, tags, mood, star, files and text, and what of that tresor-diary has.
struct EntryEditor: Sendable {
    enum Field: Int, CaseIterable, Sendable { case date, place, tags, mood, star, files, text }

    /// Where saving stands.
    enum Saving: Equatable, Sendable {
        case none
        /// Files are still to be sent.
        case staging
        case writing
    }

    /// A record that is written to, and the revision that it has there.
    struct Goal: Equatable, Sendable {
        let id: String
        let revision: UInt64
    }

    /// The entry that is edited; nil for a new one.
    let id: String?
    /// Nil until the entry has come; a new one has none.
    private(set) var original: EntrySummary?
    private let originalText: String
    private var isLoaded: Bool
    var field = Field.text
    var date: TypedLine
    var place: TypedLine
    var tags: TypedLine
    var mood: Mood?
    var isStarred: Bool
    /// Being typed; what is entered goes to ``files``.
    var path = TypedLine()
    var files: EntryFiles
    private(set) var area: TextArea
    var saving = Saving.none
    /// Of the text that the entry had: what is handed in has them again.
    private var lineEnds = LineEnds()
    /// The tags that the line began with.
    private var givenTags: [String] = []
    /// Whether it is saved as a draft.
    var keepsDraft = false

    /// What a save goes to: the entry, or of a new one the draft that becomes it; nil where nothing has been kept yet.
    private(set) var goal: Goal?
    /// The draft that keeps what of a published entry is not saved.
    private(set) var copy: Goal?
    /// Whose words are still to come into this editor: a draft of it that a lock has left.
    var awaitedCopy: String?
    private var changes = 0
    private var draftedChanges = 0
    /// Those that tresor-diary has said to have.
    private var keptChanges = 0
    private var firstChange: UInt64?
    private var lastChange: UInt64 = 0

    /// Milliseconds without a key, and milliseconds of typing, after which a draft is handed in.
    static let pause: UInt64 = 2000
    static let longestTyping: UInt64 = 10_000

    /// Rows above the text: an empty one, six fields and a rule; in a low window only the field that has the keys.
    static func headHeight(_ size: ScreenSize) -> Int { size.bodyHeight >= 12 ? 8 : 1 }

    private static func view(_ size: ScreenSize) -> TextView {
        TextView(width: size.columns, height: max(1, size.bodyHeight - headHeight(size)))
    }

    /// A new entry.
    ///
    /// - Parameter day: what stands in the field of the date; now where it is empty.
    init(day: String, _ size: ScreenSize) {
        (id, original, isLoaded, mood, isStarred) = (nil, nil, true, nil, false)
        (date, place, tags) = (TypedLine(day), TypedLine(), TypedLine())
        (files, area, originalText) = (EntryFiles(), TextArea(view: Self.view(size)), "")
    }

    /// A new entry that begins with a template.
    init(beginning text: String, tags: [String], _ size: ScreenSize) {
        (id, original, isLoaded, mood, isStarred) = (nil, nil, true, nil, false)
        (date, place, self.tags) = (TypedLine(), TypedLine(), TypedLine(tags.joined(separator: ", ")))
        (files, area, originalText) = (EntryFiles(), TextArea(text, view: Self.view(size)), text)
        area.moveToEnd()
    }

    /// An entry that has been asked for.
    init(waitingFor id: String, copy: String? = nil, _ size: ScreenSize) {
        (self.id, original, isLoaded, mood, isStarred) = (id, nil, false, nil, false)
        (date, place, tags) = (TypedLine(), TypedLine(), TypedLine())
        (files, area, originalText) = (EntryFiles(), TextArea(view: Self.view(size)), "")
        awaitedCopy = copy
    }

    init(_ entry: EntrySummary, _ text: String, _ size: ScreenSize) {
        (id, original, isLoaded) = (entry.id, entry, true)
        (mood, isStarred) = (entry.head.mood, entry.head.isStarred)
        (date, place) = (TypedLine(Self.label(entry.head)), TypedLine(PlaceInput.label(entry.head.place)))
        tags = TypedLine(Self.label(entry.head.tags))
        (files, area, originalText) = (EntryFiles(entry.media), TextArea(text, view: Self.view(size)), text)
        (lineEnds, givenTags) = (LineEnds(text), entry.head.tags)
        goal = Goal(id: entry.id, revision: entry.revision)
        area.moveToEnd()
    }

    /// The files that the entry had when it was opened.
    var originalFiles: [String] { original?.media.map(\.id) ?? [] }

    func isWaiting(for id: String) -> Bool { !isLoaded && self.id == id }

    var buffer: TextBuffer { area.buffer }

    /// Whether something would be lost if it closed now.
    var isChanged: Bool { changes > 0 }

    /// Whether an entry of this would say nothing.
    var isEmpty: Bool {
        buffer.isEmpty && files.isEmpty && path.isEmpty && tags.isEmpty && place.isEmpty && mood == nil && !isStarred
    }

    /// Whether it is in the timeline already, so that a draft must not take its place.
    var isPublished: Bool { original.map { !$0.isDraft } ?? false }

    var bytes: [UInt8] { lineEnds.restored(buffer.text) }

    mutating func resize(_ size: ScreenSize) {
        area.resize(width: size.columns, height: max(1, size.bodyHeight - Self.headHeight(size)))
    }

    // MARK: What is written

    private static func label(_ tags: [String]) -> String { tags.joined(separator: ", ") }

    private static func label(_ head: EntryHead) -> String {
        "\(head.localDay) \(head.localTime.clock) \(head.timeZone)"
    }

    /// What an empty field of the date means; nil for now.
    var dateOtherwise: String? { original.map { Self.label($0.head) } }

    /// What is wrong with the fields.
    enum Problem: Error, Equatable, Sendable {
        case date(DiaryDateError)
        case place(PlaceProblem)
    }

    /// The entry's head as the fields say it, and whether the time was one that changed clocks skipped or showed twice.
    ///
    /// - Parameter known: finds a place by its name.
    func head(
        now: Int64, zone: DiaryZone, known: (String) -> DiaryPlace? = { _ in nil }
    ) throws(Problem) -> (head: EntryHead, fit: DateInput.Fit) {
        var head = headWithoutDate(now: now, zone: zone)
        var fit = DateInput.Fit.exact
        let typed = date.text.trimmed
        // What was not touched keeps its seconds.
        if !typed.isEmpty, dateOtherwise != typed {
            do {
                let input = try DateInput(typed, now: now, zone: zone)
                (head.date, head.timeZone, fit) = (input.date, input.timeZone, input.fit)
            } catch { throw .date(error) }
        }
        do {
            head.place = try PlaceInput.place(place.text, former: original?.head.place, known: known)
        } catch { throw .place(error) }
        return (head, fit)
    }

    /// The same for a draft: of what cannot be understood yet stays what stood there before.
    func draftHead(now: Int64, zone: DiaryZone, known: (String) -> DiaryPlace?) -> EntryHead {
        if let whole = try? head(now: now, zone: zone, known: known) { return whole.head }
        var head = headWithoutDate(now: now, zone: zone)
        if let input = try? DateInput(date.text.trimmed, now: now, zone: zone) {
            (head.date, head.timeZone) = (input.date, input.timeZone)
        }
        if let there = try? PlaceInput.place(place.text, former: head.place, known: known) { head.place = there }
        return head
    }

    private func headWithoutDate(now: Int64, zone: DiaryZone) -> EntryHead {
        var head = original?.head ?? EntryHead(date: now, timeZone: zone.identifier)
        var seen: Set<String> = []
        // A tag that has a comma is several in the line: where nobody touched that, they stay as they were.
        head.tags =
            tags.text == Self.label(givenTags)
            ? givenTags
            : tags.text.split(separator: ",").map { String($0).trimmed }.filter {
                !$0.isEmpty && seen.insert($0).inserted
            }
        (head.mood, head.isStarred) = (mood, isStarred)
        return head
    }

    // MARK: What tresor-diary has

    /// When the draft is to be handed in, in milliseconds of uptime; nil when there is nothing new.
    var draftDue: UInt64? {
        guard let firstChange, changes != draftedChanges, !isEmpty, isLoaded, saving == .none else { return nil }
        return min(lastChange + Self.pause, firstChange + Self.longestTyping)
    }

    /// Whether tresor-diary has not said of everything that is here that it has it.
    var hasUnkeptWords: Bool { isLoaded && changes != keptChanges && !isEmpty }

    /// What of the fields no draft can keep: what is not understood yet, and a path that was not entered.
    func unkeptFields(now: Int64, zone: DiaryZone, known: (String) -> DiaryPlace?) -> [Field] {
        guard isLoaded else { return [] }
        var fields: [Field] = []
        let day = date.text.trimmed
        let isOnlyDay = isEmpty && !day.isEmpty && id == nil && changes > 0
        if isOnlyDay || !day.isEmpty && dateOtherwise != day && (try? DateInput(day, now: now, zone: zone)) == nil {
            fields.append(.date)
        }
        if (try? PlaceInput.place(place.text, former: original?.head.place, known: known)) == nil,
            !place.text.trimmed.isEmpty
        {
            fields.append(.place)
        }
        if !path.isEmpty { fields.append(.files) }
        return fields
    }

    /// The draft is on its way.
    mutating func draftSent() {
        draftedChanges = changes
        firstChange = nil
    }

    /// tresor-diary has it.
    ///
    /// - Parameter isCopy: whether as the draft beside a published entry.
    mutating func kept(_ entry: EntrySummary, isCopy: Bool) {
        keptChanges = draftedChanges
        let goal = Goal(id: entry.id, revision: entry.revision)
        if isCopy { copy = goal } else { self.goal = goal }
    }

    /// A save was not taken: what is there is a draft's again.
    mutating func saveFailed(at now: UInt64) {
        if saving == .writing { draftedChanges = -1 }
        saving = .none
        if changes != draftedChanges, firstChange == nil { (firstChange, lastChange) = (now, now) }
    }

    /// A draft was not taken; it is tried again.
    mutating func draftFailed(at now: UInt64) {
        draftedChanges = -1
        (firstChange, lastChange) = (now, now + Self.longestTyping)
    }

    /// The draft is gone, or somebody else's; what is here goes into another one.
    mutating func forgetDraft() {
        if isPublished {
            copy = nil
        } else if id == nil {
            forgetEntry()
        }
    }

    /// What a save goes to is gone; the next one makes a new entry.
    mutating func forgetEntry() {
        goal = nil
        files.forgetEntry()
    }

    /// Takes over what a draft of the entry has kept.
    mutating func resume(_ draft: EntrySummary, _ text: String) {
        awaitedCopy = nil
        copy = Goal(id: draft.id, revision: draft.revision)
        (mood, isStarred) = (draft.head.mood, draft.head.isStarred)
        if Self.label(draft.head) != dateOtherwise { date = TypedLine(Self.label(draft.head)) }
        place = TypedLine(PlaceInput.label(draft.head.place))
        (tags, givenTags) = (TypedLine(Self.label(draft.head.tags)), draft.head.tags)
        lineEnds = LineEnds(text)
        area.replace(with: text)
        _ = area.type(.documentEnd)
        changes += 1
        (draftedChanges, keptChanges) = (changes, changes)
    }

    /// What the draft that was opened here said at first; nil where nothing of it was changed there.
    var former: (head: EntryHead, text: String)? {
        guard let original, original.isDraft, goal?.revision != original.revision else { return nil }
        return (original.head, originalText)
    }

    // MARK: Keys

    mutating func changed(at now: UInt64) {
        changes += 1
        if firstChange == nil { firstChange = now }
        lastChange = now
    }

    mutating func move(field step: Int) {
        let all = Field.allCases
        field = all[(field.rawValue + step + all.count) % all.count]
        area.leave()
    }

    mutating func type(_ key: Key, at now: UInt64) {
        switch field {
        case .date: typeLine(key, \.date, at: now)
        case .place: typeLine(key, \.place, at: now)
        case .tags: typeLine(key, \.tags, at: now)
        case .mood: chooseMood(key, at: now)
        case .star:
            guard [.text(" "), .left, .right, .enter].contains(key) else { return }
            isStarred.toggle()
            changed(at: now)
        case .files: typePath(key, at: now)
        case .text: typeText(key, at: now)
        }
    }

    private mutating func typeLine(_ key: Key, _ line: WritableKeyPath<EntryEditor, TypedLine>, at now: UInt64) {
        if key == .enter { return move(field: 1) }
        let former = self[keyPath: line].text
        self[keyPath: line].type(key)
        if self[keyPath: line].text != former { changed(at: now) }
    }

    private mutating func chooseMood(_ key: Key, at now: UInt64) {
        let all: [Mood?] = [nil] + Mood.allCases
        let index = all.firstIndex(of: mood) ?? 0
        switch key {
        case .left: mood = all[(index + all.count - 1) % all.count]
        case .right, .text(" "), .enter: mood = all[(index + 1) % all.count]
        default: return
        }
        changed(at: now)
    }

    private mutating func typeText(_ key: Key, at now: UInt64) {
        change(at: now) { area in
            switch key {
            // Ctrl+Z stops the program, and that locks.
            case .control("x"): area.undo()
            case .control("y"): area.redo()
            default: _ = area.type(key)
            }
        }
    }

    /// Does something with the text.
    mutating func change(at now: UInt64, _ change: (inout TextArea) -> Void) {
        let revision = buffer.revision
        change(&area)
        if buffer.revision != revision { changed(at: now) }
    }
}

extension String {
    /// Without spaces at its ends.
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// Without the quotes that a terminal puts around a file that is dropped on it.
    var unquoted: String {
        guard count > 1, let first, first == last, first == "'" || first == "\"" else { return self }
        return String(dropFirst().dropLast())
    }
}
