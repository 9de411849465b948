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
    private var former: FormerPlace?

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

    // MARK: Choosing

    /// - Returns: false where that place is listed already.
    mutating func enter(_ newPlace: Place) -> Bool {
        guard newPlace != place else { return false }
        place = newPlace
        (notes, total, row) = ([], 0, 0)
        return true
    }

    mutating func move(by rows: Int) { row = min(max(row + rows, 0), max(0, notes.count - 1)) }

    /// The next page; nil where there is none, or what is loaded reaches far enough.
    ///
    /// - Parameter height: rows that are seen.
    func requestForMore(near height: Int) -> NotesRequest? {
        let isNearEnd = row + height > notes.count
        guard isNearEnd && notes.count < total && !place.isSearch else { return nil }
        return place.request(offset: notes.count)
    }

    /// The list that is read next has this note selected; nil for the one that is now.
    mutating func awaitNote(_ id: String?) { former = FormerPlace(folderRow: folderRow, note: id ?? selected?.id) }

    /// Takes that something was done.
    ///
    /// - Returns: what is told of it; nil for what nobody need be told.
    mutating func done(_ request: NotesRequest) -> String? {
        switch request {
        case .delete(let id, let forever):
            lastDeleted = forever ? nil : id
            return forever ? "Deleted for good." : "The note is in the trash. Press z to take it out."
        case .restore(let id):
            lastDeleted = nil
            // The next key is meant for the note that has come back.
            if place != .trash { former = FormerPlace(folderRow: 0, note: id) }
            return "The note is back."
        case .lock: return "The note is locked."
        case .removeLock: return "The lock is removed."
        default: return nil
        }
    }

    // MARK: Taking answers

    mutating func accept(_ folders: [FolderSummary]) { self.folders = folders }

    /// What became of a list that was read.
    enum Reading: Equatable, Sendable {
        /// It belongs to another place.
        case ofAnother
        /// It stands behind what had been loaded.
        case continued
        case begun
    }

    mutating func accept(_ list: NoteList, _ request: NotesRequest) -> Reading {
        if case .list(let filter) = request, filter.offset > 0 {
            guard request == place.request(offset: filter.offset), filter.offset == notes.count else {
                return .ofAnother
            }
            notes += list.notes
            total = list.total
            return .continued
        }
        guard request == place.request() else { return .ofAnother }
        let wanted = former?.note ?? selected?.id
        (notes, total) = (list.notes, list.total)
        row = wanted.flatMap { id in notes.firstIndex { $0.id == id } } ?? min(row, max(0, notes.count - 1))
        return .begun
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

    func request(offset: Int = 0) -> NotesRequest {
        switch self {
        case .all: .list(NoteFilter(offset: offset, limit: Self.pageSize))
        case .folder(let path): .list(NoteFilter(folder: path, offset: offset, limit: Self.pageSize))
        case .trash: .list(NoteFilter(isInTrash: true, offset: offset, limit: Self.pageSize))
        case .search(let text): .search(text: text, limit: Self.pageSize)
        }
    }

    var title: String {
        switch self {
        case .all: "All notes"
        case .folder(let path): path
        case .trash: "Trash"
        case .search(let text): "Search: " + text
        }
    }

    var isSearch: Bool {
        if case .search = self { true } else { false }
    }
}
