import NotesClient
import TerminalScreen

/// The three panes: which of them has the keys, what is listed, and the note that is shown.
struct NotePanes: Sendable {
    enum Pane: CaseIterable, Sendable { case folders, list, note }

    private(set) var focus = Pane.list
    private(set) var shelf: NoteShelf
    private(set) var open: OpenNote?

    /// - Parameter shelf: empty, as it is at the start and after a lock.
    init(_ shelf: NoteShelf = NoteShelf()) { self.shelf = shelf }

    mutating func resize(_ view: TextView) { open?.resize(view) }

    // MARK: Keys

    /// Moves about.
    ///
    /// - Parameter height: rows that are seen.
    /// - Returns: what is to be asked for then; nil where the key does not move anything.
    mutating func press(_ key: Key, height: Int) -> [NotesRequest]? {
        switch key {
        case .text("j"), .down: return move(by: 1, height)
        case .text("k"), .up: return move(by: -1, height)
        case .pageDown, .text(" "): return move(by: height - 1, height)
        case .pageUp: return move(by: 1 - height, height)
        case .text("g"), .home: return move(by: -1_000_000, height)
        case .text("G"), .end: return move(by: 1_000_000, height)
        case .tab, .right: move(focusBy: 1)
        case .backTab, .left: move(focusBy: -1)
        case .enter: if focus != .note { move(focusBy: 1) }
        case .escape: return goBack()
        default: return nil
        }
        return []
    }

    /// Gives a pane the keys, and selects the row of a list.
    ///
    /// - Parameters:
    ///   - line: of the screen, and its column, from 0.
    /// - Returns: what is to be asked for then; nil where that row was selected before, and a click opens it.
    mutating func click(_ line: Int, _ column: Int, _ layout: ScreenLayout) -> [NotesRequest]? {
        var left = 0
        for (pane, width) in layout.panes(focus: focus) {
            defer { left += width + 1 }
            guard (left..<left + width).contains(column) else { continue }
            let former = focus
            focus = pane
            // Above are the screen's head and the pane's heading.
            let room = PaneRoom(width: width, height: layout.bodyHeight, isFocused: true)
            switch pane {
            case .folders: return shelf.place(atLine: line - 2, room).map { enter($0) } ?? []
            case .list:
                guard let row = shelf.noteRow(atLine: line - 2, room) else { return [] }
                if row == shelf.row, former == .list { return nil }
                return move(by: row - shelf.row, layout.bodyHeight)
            case .note: return []
            }
        }
        return []
    }

    /// Whether a note that is shut is in front, and has the keys.
    var isAtLockedNote: Bool { focus != .folders && shelf.selected?.isShut == true }

    /// The note's pane gets the keys.
    mutating func showNote() { focus = .note }

    private mutating func move(focusBy step: Int) {
        let all = Pane.allCases
        let index = all.firstIndex(of: focus) ?? 0
        focus = all[(index + step + all.count) % all.count]
    }

    private mutating func move(by rows: Int, _ height: Int) -> [NotesRequest] {
        switch focus {
        case .folders: return enter(shelf.folder(by: rows))
        case .list:
            shelf.move(by: rows)
            let more = shelf.requestForMore(near: height)
            return showSelected() + (more.map { [$0] } ?? [])
        case .note:
            open?.scroll(by: rows)
            return []
        }
    }

    private mutating func enter(_ place: Place) -> [NotesRequest] {
        guard shelf.enter(place) else { return [] }
        open = nil
        return [shelf.request()]
    }

    /// The list in the next of the orders that there are.
    mutating func turnOrder() -> [NotesRequest] {
        shelf.turnOrder()
        return [shelf.request()]
    }

    /// Goes to the note of this title, wherever it lies.
    mutating func go(toTitle title: String) -> [NotesRequest] {
        shelf.awaitTitle(title)
        return enter(.search(title))
    }

    /// Whether keys go to the text of a note.
    var isReading: Bool { focus == .note && open != nil }

    private mutating func goBack() -> [NotesRequest] {
        if focus == .note {
            focus = .list
            return []
        }
        return shelf.place.isSearch ? enter(.all) : []
    }

    /// Lists what has these words in it; nothing for no words.
    mutating func search(_ text: String) -> [NotesRequest] {
        focus = .list
        return text.isEmpty ? [] : enter(.search(text))
    }

    // MARK: Showing

    /// Brings the selected note to the pane on the right, or empties it.
    private mutating func showSelected() -> [NotesRequest] {
        guard let note = shelf.selected, note.isOpen else {
            open = nil
            return []
        }
        if open?.take(note) == true { return [] }
        if open?.summary.id != note.id { open = nil }
        return [.show(id: note.id)]
    }

    mutating func accept(_ folders: [FolderSummary]) { shelf.accept(folders) }

    /// Takes a list that was asked for.
    ///
    /// - Parameter showsNote: whether the selected note is to be shown then, because nothing lies over the panes.
    /// - Returns: what is to be asked for besides; nil where the list is not shown anew.
    mutating func accept(_ list: NoteList, _ request: NotesRequest, showsNote: Bool) -> [NotesRequest]? {
        switch shelf.accept(list, request) {
        case .ofAnother: return nil
        case .continued(let isCaughtUp): return isCaughtUp && showsNote ? showSelected() : more()
        case .begun: break
        }
        // The note that was selected lies behind the first page.
        if shelf.isCatchingUp { return more() }
        if let folder = shelf.takeFormerFolder() { return enter(folder) }
        return showsNote ? showSelected() : []
    }

    private func more() -> [NotesRequest]? { shelf.requestToCatchUp.map { [$0] } }

    /// Shows a note's text, where that note is selected.
    ///
    /// - Parameter view: the room for it.
    mutating func show(_ note: NoteSummary, _ text: String, in view: TextView) {
        if shelf.selected?.id == note.id { open = OpenNote(note, text, after: open, in: view) }
    }

    /// Takes that something was done.
    ///
    /// - Returns: what is told of it.
    mutating func done(_ request: NotesRequest) -> String? { shelf.done(request) }

    /// The list that is read next has this note selected; nil for the one that is now.
    mutating func awaitNote(_ id: String?) { shelf.awaitNote(id) }

    /// What is known of a note that is listed, or shown.
    func summary(of id: String) -> NoteSummary? {
        shelf.notes.first { $0.id == id } ?? (open?.summary.id == id ? open?.summary : nil)
    }

    /// Whether it is about a note that an older passphrase alone opens.
    func wantsOlderPassphrase(_ request: NotesRequest) -> Bool {
        switch request {
        case .unlock(let id?), .removeLock(let id): summary(of: id)?.hasOlderPassphrase == true
        default: false
        }
    }

    /// Where to go back to, and to which note; nil for the one that is selected.
    func formerPlace(_ note: String?) -> NoteShelf.FormerPlace {
        NoteShelf.FormerPlace(folderRow: shelf.folderRow, note: note ?? shelf.selected?.id)
    }

    // MARK: Hiding

    /// Nothing is shown but what is listed.
    mutating func closeNote() { open = nil }

    /// This note cannot be shown.
    ///
    /// - Parameter isLocked: whether because it is locked.
    mutating func closeNote(_ id: String, isLocked: Bool) {
        if open?.summary.id == id { open = nil }
        if isLocked { shelf.close(id) }
    }

    var showsLockedText: Bool { open?.summary.isLocked == true }

    /// The text of a locked note vanishes.
    mutating func coverLockedText() { if showsLockedText { open = nil } }

    /// Whatever came out of locked notes vanishes.
    mutating func hideLocked() {
        coverLockedText()
        shelf.hideLocked()
    }

    // MARK: Drawing

    /// A row of headings, and the body below.
    func draw(_ layout: ScreenLayout, _ dates: NoteDates) -> [StyledLine] {
        let columns = layout.panes(focus: focus).map { draw($0.pane, width: $0.width, layout, dates) }
        return (0...layout.bodyHeight).map { row in
            var line = StyledLine()
            for (index, column) in columns.enumerated() {
                if index > 0 { line.append("│", .faint) }
                line.append(column[row])
            }
            return line
        }
    }

    private func draw(_ pane: Pane, width: Int, _ layout: ScreenLayout, _ dates: NoteDates) -> [StyledLine] {
        let room = PaneRoom(width: width, height: layout.bodyHeight, isFocused: pane == focus)
        switch pane {
        case .folders: return room.filled(shelf.drawFolders(room))
        case .list: return room.filled(shelf.drawList(room, dates))
        case .note: return room.filled(open?.draw(room, dates) ?? OpenNote.drawMissing(shelf.selected, room))
        }
    }
}
