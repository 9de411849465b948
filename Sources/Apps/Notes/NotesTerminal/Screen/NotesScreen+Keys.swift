import NotesClient
import TerminalScreen

/// Keys.
extension NotesScreen {
    /// At most one touch in so many milliseconds.
    static let touchInterval: UInt64 = 2000

    /// Tells tresor-notes that somebody is there.
    mutating func touch() -> [Effect] {
        guard session.isOpen, lastTouch.map({ now >= $0 + Self.touchInterval }) ?? true else { return [] }
        lastTouch = now
        return [.ask(Ask(.touch))]
    }

    mutating func press(_ key: Key) -> [Effect] {
        message = ""
        if let dialog { return press(key, in: dialog) }
        if isDeviceLocked { return pressOnLockScreen(key) }
        if editor != nil { return pressInEditor(key) }
        if onlyNote != nil { return pressWithoutNote(key) }
        return move(key) ?? act(key)
    }

    private mutating func pressOnLockScreen(_ key: Key) -> [Effect] {
        switch key {
        case .text("q"), .control("c"): return quit()
        case .control("d") where held != nil:
            dialog = .question(.discardHeld(quits: false))
            return []
        case .control("z"): return [.suspend]
        default: return load()
        }
    }

    /// The one note to edit could not be opened yet.
    private mutating func pressWithoutNote(_ key: Key) -> [Effect] {
        switch key {
        case .text("q"), .control("c"), .escape: return quit()
        default: return load()
        }
    }

    // MARK: Moving about

    /// Nil when the key does not move anything.
    private mutating func move(_ key: Key) -> [Effect]? {
        switch key {
        case .text("j"), .down: return move(by: 1)
        case .text("k"), .up: return move(by: -1)
        case .pageDown, .text(" "): return move(by: layout.bodyHeight - 1)
        case .pageUp: return move(by: 1 - layout.bodyHeight)
        case .text("g"), .home: return move(by: -1_000_000)
        case .text("G"), .end: return move(by: 1_000_000)
        case .tab, .right: focus(by: 1)
        case .backTab, .left: focus(by: -1)
        case .enter: focus(by: pane == .note ? 0 : 1)
        case .escape: return goBack()
        default: return nil
        }
        return []
    }

    private mutating func focus(by step: Int) {
        let all = Pane.allCases
        let index = all.firstIndex(of: pane) ?? 0
        pane = all[(index + step + all.count) % all.count]
    }

    private mutating func move(by rows: Int) -> [Effect] {
        switch pane {
        case .folders: return enterFolder(row: folderRow + rows)
        case .list: return select(row: row + rows)
        case .note:
            guard var note = open else { return [] }
            open = nil
            note.view.scroll(by: rows, in: note.lines)
            open = note
            return []
        }
    }

    /// The rows of the folders' pane.
    var places: [Place] { [.all] + folders.map { .folder($0.path) } + [.trash] }

    var folderRow: Int { places.firstIndex(of: place) ?? 0 }

    mutating func enterFolder(row: Int) -> [Effect] {
        let places = places
        return enter(places[min(max(row, 0), places.count - 1)])
    }

    mutating func enter(_ newPlace: Place) -> [Effect] {
        guard newPlace != place else { return [] }
        place = newPlace
        (notes, total, row, open) = ([], 0, 0, nil)
        return [.ask(Ask(place.request()))]
    }

    mutating func select(row newRow: Int) -> [Effect] {
        row = min(max(newRow, 0), max(0, notes.count - 1))
        var effects = showSelected()
        let isNearEnd = row + layout.bodyHeight > notes.count
        if isNearEnd && notes.count < total && !place.isSearch {
            effects.append(.ask(Ask(place.request(offset: notes.count))))
        }
        return effects
    }

    private mutating func goBack() -> [Effect] {
        if pane == .note {
            pane = .list
            return []
        }
        return place.isSearch ? enter(.all) : []
    }

    // MARK: Dialogs

    private mutating func press(_ key: Key, in dialog: Dialog) -> [Effect] {
        switch dialog {
        case .help(let view): return press(key, inHelp: view)
        case .search(let field): return press(key, inSearch: field)
        case .question(let question): return press(key, in: question)
        // The driver reads passphrases itself.
        case .secret: return []
        }
    }

    private mutating func press(_ key: Key, inHelp view: TextView) -> [Effect] {
        var view = view
        switch key {
        case .text("j"), .down: view.scroll(by: 1, in: Help.lines)
        case .text("k"), .up: view.scroll(by: -1, in: Help.lines)
        case .pageDown, .text(" "): view.scroll(by: view.height - 1, in: Help.lines)
        case .pageUp: view.scroll(by: 1 - view.height, in: Help.lines)
        default:
            dialog = nil
            return []
        }
        dialog = .help(view)
        return []
    }

    private mutating func press(_ key: Key, inSearch field: TypedLine) -> [Effect] {
        var field = field
        switch key {
        case .escape, .control("c"):
            dialog = nil
            return []
        case .enter:
            dialog = nil
            pane = .list
            return field.isEmpty ? [] : enter(.search(field.text))
        default: field.type(key)
        }
        dialog = .search(field)
        return []
    }

    private mutating func press(_ key: Key, in question: Question) -> [Effect] {
        switch key {
        case .text("y"), .text("Y"): dialog = nil
        case .text("n"), .text("N"), .escape, .control("c"):
            dialog = nil
            return []
        default: return []
        }
        switch question {
        case .discardEdit: return discardEdit()
        case .discardHeld(let quits): return discardHeld(quits: quits)
        case .deleteForever(let id): return [.ask(Ask(.delete(id: id, forever: true)))]
        case .removeLock(let id): return withPassphrase(.removeLock(id: id))
        }
    }
}
