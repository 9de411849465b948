import Localization
import NotesClient
import TerminalScreen

/// The list that was read last, and how much of it was said.
///
/// Its numbers stay as they are until a list is read again: a number must not come to mean another note while somebody
/// has it in mind.
struct PlainList: Sendable {
    private(set) var notes: [NoteSummary] = []
    /// How many of them have been said.
    private var readCount = 0
    /// Beyond what has come, too.
    private var total = 0
    /// Whether a search has nothing more than what was read: how much it finds in all, nobody has counted.
    ///
    /// One that has not come is as well: there is nothing yet that could go on.
    private var isWhole = true
    private(set) var place = Place.all
    /// The places that were listed before it, for a way back.
    private var formerPlaces: [Place] = []

    /// So many notes are said at once.
    static let pageSize = 20

    /// Its name, where it is another than that of all notes.
    var name: String? { place == .all ? nil : SafeText.line(String(place.title.prefix(40))) }

    /// What names are looked for among; of what is damaged there is none.
    var titles: [String] { notes.map { $0.damage?.contains(.head) == true ? "" : $0.title } }

    func note(_ id: String) -> NoteSummary? { notes.first { $0.id == id } }

    // MARK: Reading

    var request: NotesRequest { place.request() }

    /// Of what has not come yet; nil for nothing.
    var requestForRest: NotesRequest? {
        let isMissing = place.isSearch ? !isWhole : notes.count < total
        return isMissing ? place.request(offset: notes.count) : nil
    }

    /// Whether all that has come was said.
    var isReadToItsEnd: Bool { readCount == notes.count }

    mutating func enter(_ newPlace: Place) {
        if newPlace != place { formerPlaces.append(place) }
        place = newPlace
        empty()
    }

    /// - Returns: false where there is nothing to go back to.
    mutating func goBack() -> Bool {
        guard let former = formerPlaces.popLast() else { return false }
        place = former
        empty()
        return true
    }

    private mutating func empty() { (notes, readCount, total, isWhole) = ([], 0, 0, true) }

    /// - Returns: what is said of it: how many there are, what is missing, and its first page.
    mutating func begin(_ list: NoteList) -> String {
        (notes, readCount, isWhole) = (list.notes, 0, list.notes.count < Place.pageSize)
        total = place.isSearch ? notes.count : list.total
        let page = nextPage()
        let isOpenEnded = place.isSearch && !isWhole
        let count = isOpenEnded ? localized("the first \(total) notes; there may be more") : Self.count(total)
        let head = ["\(SafeText.line(place.title)): \(count)."] + list.lackLines
        return (head + (total > 0 ? [page] : [])).joined(separator: "\n")
    }

    /// - Parameter isSought: whether a name is looked for in it: where nothing more comes, the list has its end here.
    mutating func append(_ list: NoteList, isSought: Bool) {
        notes += list.notes
        isWhole = list.notes.count < Place.pageSize
        if place.isSearch || isSought && list.notes.isEmpty { total = notes.count }
    }

    /// The next notes of the list, with their numbers.
    mutating func nextPage() -> String {
        let rows = readCount..<min(readCount + Self.pageSize, notes.count)
        guard !rows.isEmpty else { return PlainSaying.noMore }
        var lines = rows.map { words(ofRow: $0) }
        readCount = rows.upperBound
        let left = total - readCount
        if left > 0, place.isSearch, !isWhole {
            lines.append(localized("There are at least \(left) more; type more."))
        } else if left > 0 {
            lines.append(localized("There are \(left) more; type more."))
        } else if place.isSearch, !isWhole {
            lines.append(localized("There may be more; type more."))
        }
        return lines.joined(separator: "\n")
    }

    // MARK: What happens to its notes

    mutating func change(_ id: String, _ change: (inout NoteSummary) -> Void) {
        for index in notes.indices where notes[index].id == id { change(&notes[index]) }
    }

    mutating func sessionChanged(isOpen: Bool) {
        for index in notes.indices where notes[index].isLocked {
            // An older passphrase has a session of its own.
            if notes[index].hasOlderPassphrase != true || !isOpen { notes[index].isOpen = isOpen }
            if !isOpen { notes[index].title = "" }
        }
    }

    // MARK: Words

    /// A note with its number.
    func words(ofRow row: Int) -> String {
        let note = notes[row]
        var facts = [SafeText.line(note.titleWords)]
        if note.isLocked { facts.append(note.isOpen ? localized("locked, open now") : localized("locked")) }
        if note.isPinned { facts.append(localized("pinned")) }
        if note.hasDraft { facts.append(localized("with an unsaved draft")) }
        if note.hasConflict { facts.append(localized("with a conflict")) }
        var words = "\(row + 1). " + facts.joined(separator: ", ")
        if let excerpt = note.excerpt, !note.isLocked { words += ": " + SafeText.line(excerpt) }
        return words
    }

    static func count(_ number: Int) -> String { localized(number, one: "1 note", many: "\(number) notes") }
}
