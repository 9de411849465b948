import Localization
import NotesClient

/// What there is to choose from: the folders, the place whose notes are listed, and which of them is selected.
struct NoteShelf: Sendable {
    /// Where to go back to after the device was locked; no text of any note, folder or search.
    struct FormerPlace: Equatable, Sendable {
        var folderRow = 0
        var note: String?
    }

    private(set) var folders: [FolderSummary] = []
    private(set) var place = Place.all
    private(set) var notes: [NoteSummary] = []
    /// Beyond what has been loaded, too.
    private(set) var total = 0
    /// The selected note's row.
    private(set) var row = 0
    /// What `z` takes out of the trash again.
    private(set) var lastDeleted: String?
    /// In which order notes are listed; a search has its own.
    private(set) var order = NoteOrder.changed
    private var former: FormerPlace?
    /// A title that is selected when the list comes.
    private var wantedTitle: String?
    /// The selected note lay so far down that the first page of a fresh list does not have it: the next ones are read.
    private var catchUp: (note: String, row: Int)?
    /// Whether a search has nothing more than what was read.
    private var isWhole = false

    init() {}

    /// One that goes back there as soon as it is filled.
    init(goingBackTo former: FormerPlace) { self.former = former }

    var selected: NoteSummary? { notes.indices.contains(row) ? notes[row] : nil }

    /// The rows of the folders' pane.
    var places: [Place] { [.all] + folders.map { .folder($0.path) } + [.trash] }

    var folderRow: Int { places.firstIndex(of: place) ?? 0 }

    /// The place so many rows below the one that is listed, or the last there is in this direction.
    func folder(by rows: Int) -> Place { folder(inRow: folderRow + rows) }

    private func folder(inRow row: Int) -> Place {
        let places = self.places
        return places[min(max(row, 0), places.count - 1)]
    }

    /// The list, or what follows of it.
    func request(offset: Int = 0) -> NotesRequest { place.request(offset: offset, order: order) }

    mutating func turnOrder() {
        let all = NoteOrder.allCases
        let index = all.firstIndex(of: order) ?? 0
        order = all[(index + 1) % all.count]
        awaitNote(nil)
    }

    // MARK: Choosing

    /// - Returns: false where that place is listed already.
    mutating func enter(_ newPlace: Place) -> Bool {
        guard newPlace != place else { return false }
        place = newPlace
        (notes, total, row, catchUp, isWhole) = ([], 0, 0, nil, false)
        return true
    }

    mutating func move(by rows: Int) { row = min(max(row + rows, 0), max(0, notes.count - 1)) }

    /// The next page; nil where there is none, or what is loaded reaches far enough.
    ///
    /// - Parameter height: rows that are seen.
    func requestForMore(near height: Int) -> NotesRequest? {
        let isNearEnd = row + height > notes.count
        return isNearEnd ? next : nil
    }

    /// What follows behind what was read; nil for nothing.
    private var next: NotesRequest? {
        // How much a search finds in all, nobody has counted.
        let hasMore = place.isSearch ? !isWhole && !notes.isEmpty : notes.count < total
        return hasMore ? request(offset: notes.count) : nil
    }

    var isCatchingUp: Bool { catchUp != nil }

    var requestToCatchUp: NotesRequest? { catchUp == nil ? nil : next }

    /// The list that is read next has the note of this title selected.
    mutating func awaitTitle(_ title: String) { wantedTitle = title.lowercased() }

    /// The list that is read next has this note selected; nil for the one that is now.
    mutating func awaitNote(_ id: String?) { former = FormerPlace(folderRow: folderRow, note: id ?? selected?.id) }

    /// Takes that something was done.
    ///
    /// - Returns: what is told of it; nil for what nobody need be told.
    mutating func done(_ request: NotesRequest) -> String? {
        switch request {
        case .delete(let id, let forever):
            lastDeleted = forever ? nil : id
            return forever
                ? localized("Deleted for good.")
                : localized("The note is in the trash. Press z or Ctrl+U to take it out.")
        case .restore(let id):
            lastDeleted = nil
            // The next key is meant for the note that has come back.
            if place != .trash { former = FormerPlace(folderRow: 0, note: id) }
            return localized("The note is back.")
        case .lock: return localized("The note is locked.")
        case .removeLock: return localized("The lock is removed.")
        case .move, .tag, .detach, .revert: return ScreenWords.done(request)
        default: return nil
        }
    }

    // MARK: Taking answers

    mutating func accept(_ folders: [FolderSummary]) { self.folders = folders }

    /// What became of a list that was read.
    enum Reading: Equatable, Sendable {
        /// It belongs to another place.
        case ofAnother
        /// It stands behind what had been loaded; whether the note that was looked for is there now, or nowhere.
        case continued(isCaughtUp: Bool)
        case begun
    }

    mutating func accept(_ list: NoteList, _ request: NotesRequest) -> Reading {
        if request.offset > 0 { return takeNext(list, request) }
        guard request == self.request() else { return .ofAnother }
        let before = (count: notes.count, row: row)
        let wanted = former?.note ?? selected?.id
        (notes, total) = (list.notes, list.total)
        isWhole = list.notes.count < Place.pageSize
        if let title = wantedTitle.take(), let found = notes.firstIndex(where: { $0.title.lowercased() == title }) {
            row = found
            return .begun
        }
        let found = wanted.flatMap { id in notes.firstIndex { $0.id == id } }
        row = found ?? min(row, max(0, notes.count - 1))
        catchUp = nil
        if found == nil, let wanted, before.count > notes.count, next != nil { catchUp = (wanted, before.row) }
        return .begun
    }

    private mutating func takeNext(_ list: NoteList, _ request: NotesRequest) -> Reading {
        guard request == self.request(offset: request.offset), request.offset == notes.count else { return .ofAnother }
        notes += list.notes
        total = place.isSearch ? notes.count : list.total
        isWhole = list.notes.count < Place.pageSize
        guard let catchUp else { return .continued(isCaughtUp: false) }
        let found = notes.firstIndex { $0.id == catchUp.note }
        // A page beyond where it was is far enough.
        let isOver = found != nil || next == nil || notes.count > catchUp.row + Place.pageSize
        row = found ?? min(catchUp.row, max(0, notes.count - 1))
        if isOver { self.catchUp = nil }
        return .continued(isCaughtUp: isOver)
    }

    /// The folder that was listed formerly, once; nil where it is listed, or there was none.
    mutating func takeFormerFolder() -> Place? {
        guard let folderRow = former?.folderRow, folderRow > 0, place == .all else {
            former = nil
            return nil
        }
        former?.folderRow = 0
        return folder(inRow: folderRow)
    }

    // MARK: Locked notes

    /// The session is over: what came out of locked notes vanishes.
    mutating func hideLocked() {
        for index in notes.indices where notes[index].isLocked {
            notes[index].isOpen = false
            notes[index].excerpt = nil
            // The list that is read next brings it back where titles may be seen.
            notes[index].title = ""
        }
    }

    /// This note cannot be opened now.
    mutating func close(_ id: String) {
        if let index = notes.firstIndex(where: { $0.id == id }) { notes[index].isOpen = false }
    }
}

/// What the list shows.
enum Place: Equatable, Sendable {
    case all
    case folder(String)
    case trash
    case search(String)

    static let pageSize = 200

    func request(offset: Int = 0, order: NoteOrder = .changed) -> NotesRequest {
        var filter = NoteFilter(offset: offset, limit: Self.pageSize)
        filter.order = order == .changed ? nil : order
        switch self {
        case .all: break
        case .folder(let path): filter.folder = path
        case .trash: filter.isInTrash = true
        case .search(let text):
            return .search(text: text, limit: Self.pageSize, offset: offset > 0 ? offset : nil)
        }
        return .list(filter)
    }

    var title: String {
        switch self {
        case .all: localized("All notes")
        case .folder(let path): path
        case .trash: localized("Trash")
        case .search(let text): localized("Search: \(text)")
        }
    }

    var isSearch: Bool {
        if case .search = self { true } else { false }
    }
}

extension NotesRequest {
    /// Of a page of a list: how many stand in front of it.
    var offset: Int {
        switch self {
        case .list(let filter): filter.offset
        case .search(_, _, let offset): offset ?? 0
        default: 0
        }
    }
}
