import DiaryClient
import DiaryViews
import TerminalScreen

/// The editor of one entry: its day, tags, mood, star, files and text, and what of that tresor-diary has.
struct EntryEditor: Sendable {
    enum Field: Int, CaseIterable, Sendable { case date, tags, mood, star, files, text }

    /// Where saving stands.
    enum Saving: Equatable, Sendable {
        case none
        /// The next of the files is on its way; so many are there.
        case staging(done: Int)
        case writing
    }

    /// The entry that is edited; nil for a new one.
    let id: String?
    /// Nil until the entry has come; a new one has none.
    private(set) var original: EntrySummary?
    private var isLoaded: Bool
    var field = Field.text
    var date: TypedLine
    var tags: TypedLine
    var mood: Mood?
    var isStarred: Bool
    /// Being typed; what is entered goes to ``paths``.
    var path = TypedLine()
    var paths: [String] = []
    var buffer: TextBuffer
    private(set) var view: TextView
    var saving = Saving.none
    /// Whether it is saved as a draft.
    var keepsDraft = false

    /// The draft that keeps what is not saved, and its revision.
    private(set) var draft: (id: String, revision: UInt64)?
    private var changes = 0
    private var draftedChanges = 0
    private var firstChange: UInt64?
    private var lastChange: UInt64 = 0
    /// The column that ↑ and ↓ try to keep.
    private var goalColumn: Int?

    /// Milliseconds without a key, and milliseconds of typing, after which a draft is handed in.
    static let pause: UInt64 = 2000
    static let longestTyping: UInt64 = 10_000

    /// Rows above the text: an empty one, five fields and a rule; in a low window only the field that has the keys.
    static func headHeight(_ size: ScreenSize) -> Int { size.bodyHeight >= 11 ? 7 : 1 }

    /// A new entry.
    ///
    /// - Parameter day: what stands in the field of the date; now where it is empty.
    init(day: String, _ size: ScreenSize) {
        (id, original, isLoaded, mood, isStarred) = (nil, nil, true, nil, false)
        date = TypedLine(day)
        tags = TypedLine()
        buffer = TextBuffer()
        view = TextView(width: size.columns, height: max(1, size.bodyHeight - Self.headHeight(size)))
    }

    /// An entry that has been asked for.
    init(waitingFor id: String, _ size: ScreenSize) {
        (self.id, original, isLoaded, mood, isStarred) = (id, nil, false, nil, false)
        date = TypedLine()
        tags = TypedLine()
        buffer = TextBuffer()
        view = TextView(width: size.columns, height: max(1, size.bodyHeight - Self.headHeight(size)))
    }

    init(_ entry: EntrySummary, _ text: String, _ size: ScreenSize) {
        (id, original, isLoaded) = (entry.id, entry, true)
        (mood, isStarred) = (entry.head.mood, entry.head.isStarred)
        date = TypedLine(Self.label(entry.head))
        tags = TypedLine(entry.head.tags.joined(separator: ", "))
        buffer = TextBuffer(text)
        view = TextView(width: size.columns, height: max(1, size.bodyHeight - Self.headHeight(size)))
    }

    func isWaiting(for id: String) -> Bool { !isLoaded && self.id == id }

    /// Whether something would be lost if it closed now.
    var isChanged: Bool { changes > 0 }

    /// Whether an entry of this would say nothing.
    var isEmpty: Bool { buffer.isEmpty && paths.isEmpty && path.isEmpty && (original?.media.isEmpty ?? true) }

    var bytes: [UInt8] { Array(buffer.text.utf8) }

    mutating func resize(_ size: ScreenSize) {
        view.resize(width: size.columns, height: max(1, size.bodyHeight - Self.headHeight(size)))
        view.show(buffer.cursor, in: buffer.lines)
    }

    // MARK: What is written

    private static func label(_ head: EntryHead) -> String {
        "\(head.localDay) \(head.localTime.clock) \(head.timeZone)"
    }

    /// The entry's head as the fields say it.
    ///
    /// - Throws: what is wrong with the date.
    func head(now: Int64, zone: DiaryZone) throws(DiaryDateError) -> EntryHead {
        var head = original?.head ?? EntryHead(date: now, timeZone: zone.identifier)
        let typed = date.text.trimmed
        // What was not touched keeps its seconds.
        if !typed.isEmpty, original.map({ Self.label($0.head) != typed }) ?? true {
            let input = try DateInput(typed, now: now, zone: zone)
            (head.date, head.timeZone) = (input.date, input.timeZone)
        }
        var seen: Set<String> = []
        head.tags = tags.text.split(separator: ",").map { String($0).trimmed }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
        (head.mood, head.isStarred) = (mood, isStarred)
        return head
    }

    /// The files that the entry has and keeps.
    var media: [String] { original?.media.map(\.id) ?? [] }

    // MARK: Drafts

    /// When the draft is to be handed in, in milliseconds of uptime; nil when there is nothing new.
    var draftDue: UInt64? {
        guard let firstChange, changes != draftedChanges, !buffer.isEmpty, saving == .none else { return nil }
        return min(lastChange + Self.pause, firstChange + Self.longestTyping)
    }

    /// The draft is on its way.
    mutating func draftSent() {
        draftedChanges = changes
        firstChange = nil
    }

    mutating func draftKept(_ entry: EntrySummary) { draft = (entry.id, entry.revision) }

    /// What was sent was not taken.
    mutating func sendingFailed() {
        saving = .none
        draftedChanges = changes
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
        goalColumn = nil
    }

    mutating func type(_ key: Key, at now: UInt64) {
        switch field {
        case .date: typeLine(key, \.date, at: now)
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

    /// Enter takes the path; Backspace in an empty line takes the last one back.
    private mutating func typePath(_ key: Key, at now: UInt64) {
        switch key {
        case .enter:
            takePath()
            changed(at: now)
        case .backspace where path.isEmpty:
            guard let last = paths.popLast() else { return }
            path = TypedLine(last)
            changed(at: now)
        default: path.type(key)
        }
    }

    /// What stands in the line of the files counts, entered or not.
    mutating func takePath() {
        let typed = path.text.trimmed.unquoted
        if !typed.isEmpty { paths.append(typed) }
        path = TypedLine()
    }

    private mutating func typeText(_ key: Key, at now: UInt64) {
        let revision = buffer.revision
        if !moveVertically(key) { edit(key) }
        if buffer.revision != revision { changed(at: now) }
        view.show(buffer.cursor, in: buffer.lines)
    }

    private mutating func moveVertically(_ key: Key) -> Bool {
        let rows: Int
        switch key {
        case .up: rows = -1
        case .down: rows = 1
        case .pageUp: rows = 1 - view.height
        case .pageDown: rows = view.height - 1
        default:
            goalColumn = nil
            return false
        }
        let column = goalColumn ?? view.place(of: buffer.cursor, in: buffer.lines).column
        buffer.move(to: view.position(rows, below: buffer.cursor, nearColumn: column, in: buffer.lines))
        goalColumn = column
        return true
    }

    private mutating func edit(_ key: Key) {
        switch key {
        case .text(let text), .paste(let text): buffer.insert(text)
        case .enter: buffer.insert("\n")
        case .backspace: buffer.remove(.left)
        case .delete: buffer.remove(.right)
        case .deleteWord: buffer.remove(.wordLeft)
        case .left: buffer.move(.left)
        case .right: buffer.move(.right)
        case .home, .control("a"): buffer.move(.lineStart)
        case .end, .control("e"): buffer.move(.lineEnd)
        case .wordLeft: buffer.move(.wordLeft)
        case .wordRight: buffer.move(.wordRight)
        case .documentStart: buffer.move(.documentStart)
        case .documentEnd: buffer.move(.documentEnd)
        case .control("u"): buffer.remove(.lineStart)
        case .control("k"): buffer.remove(.lineEnd)
        // Ctrl+Z stops the program, and that locks.
        case .control("x"): buffer.undo()
        case .control("y"): buffer.redo()
        default: break
        }
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
