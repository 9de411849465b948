import TerminalScreen
import Tresor

/// Keys.
extension BrowserScreen {
    mutating func press(_ key: Key) -> [Effect] {
        message = ""
        if let dialog { return press(key, in: dialog) }
        switch key {
        case .control("c"): return quit()
        case .control("z"): return hide() + [.suspend]
        case .text("q") where page == .list: return quit()
        case .control("r") where lockState != nil: return readAnew()
        default: break
        }
        switch page {
        case .list: return pressInList(key)
        case .details(let record, let top): return press(key, record, top)
        case .secret(let shown): return press(key, shown)
        case .help(let top): return press(key, helpFrom: top)
        }
    }

    private mutating func quit() -> [Effect] {
        let effects = hide()
        defer { copied = nil }
        return effects + (copied == nil ? [] : [.clearClipboard]) + [.quit]
    }

    // MARK: The list

    private mutating func pressInList(_ key: Key) -> [Effect] {
        switch key {
        case .text("j"), .down: select(row + 1)
        case .text("k"), .up: select(row - 1)
        case .pageDown, .text(" "): select(row + listHeight)
        case .pageUp: select(row - listHeight)
        case .text("g"), .home: select(0)
        case .text("G"), .end: select(list.count - 1)
        case .tab, .right: turn(by: 1)
        case .backTab, .left: turn(by: -1)
        case .text("K"): return turnKeychain()
        case .text("/"): dialog = .search(TypedLine(search), before: search)
        case .text("?"): page = .help(top: 0)
        case .escape: find("")
        case .enter, .text("r"), .text("y"), .text("d"): return act(key)
        default: break
        }
        return []
    }

    private mutating func select(_ wanted: Int) { row = min(max(wanted, 0), max(0, list.count - 1)) }

    private mutating func turn(by step: Int) {
        let all = Filter.allCases
        let index = all.firstIndex(of: filter) ?? 0
        filter = all[(index + step + all.count) % all.count]
        row = 0
    }

    /// The next keychain: all of the owner's, each of them, and those that belong to no user.
    private mutating func turnKeychain() -> [Effect] {
        let choices = KeychainChoice.choices(listing)
        let index = choices.firstIndex(of: choice) ?? -1
        choice = choices[(index + 1) % choices.count]
        row = 0
        guard case .system(let keychain) = choice else { return [] }
        // There are certificates alone.
        filter = .all
        systemListing = nil
        return [.listSystem(keychain)]
    }

    private func readAnew() -> [Effect] {
        if case .system(let keychain) = choice { [.list, .listSystem(keychain)] } else { [.list] }
    }

    private mutating func find(_ words: String) {
        search = words
        row = 0
    }

    private mutating func act(_ key: Key) -> [Effect] {
        guard list.indices.contains(row) else { return [] }
        guard case .record(let record) = list[row] else {
            message = "These items are locked. Unlock the device with tresor unlock."
            return []
        }
        if key == .enter {
            page = .details(record, top: 0)
            return []
        }
        return act(key, on: record)
    }

    private mutating func act(_ key: Key, on record: Record) -> [Effect] {
        switch key {
        case .text("r") where record.isReadOnly, .text("y") where record.isReadOnly:
            if page == .list { page = .details(record, top: 0) }
            message = "A certificate has no secret: all that is in it stands here."
        case .text("d") where record.isReadOnly:
            message = "\(choice.title): only root changes its files."
        case .text("r"): return read(record, .show)
        case .text("y"): return read(record, .copy)
        case .text("d"): dialog = .deletion(record)
        default: break
        }
        return []
    }

    // MARK: Pages

    private mutating func press(_ key: Key, _ record: Record, _ top: Int) -> [Effect] {
        if let scrolled = scroll(key, from: top, rows: detailLines(of: record).count, height: bodyHeight) {
            page = .details(record, top: scrolled)
            return []
        }
        if key == .escape || key == .text("q") || key == .left {
            page = .list
            return []
        }
        return act(key, on: record)
    }

    private mutating func press(_ key: Key, _ shown: Shown) -> [Effect] {
        if let scrolled = scroll(key, from: shown.top, rows: shown.rows, height: secretHeight) {
            var shown = shown
            shown.top = scrolled
            page = .secret(shown)
            return []
        }
        return key == .text("y") ? [.copyShown] : hide()
    }

    private mutating func press(_ key: Key, helpFrom top: Int) -> [Effect] {
        page = scroll(key, from: top, rows: Self.help.count, height: bodyHeight).map { .help(top: $0) } ?? .list
        return []
    }

    /// The first row to be seen after this key; nil for a key that does not scroll.
    private func scroll(_ key: Key, from top: Int, rows: Int, height: Int) -> Int? {
        let last = max(0, rows - height)
        switch key {
        case .text("j"), .down: return min(top + 1, last)
        case .text("k"), .up: return max(top - 1, 0)
        case .pageDown, .text(" "): return min(top + max(1, height - 1), last)
        case .pageUp: return max(top - max(1, height - 1), 0)
        case .text("g"), .home: return 0
        case .text("G"), .end: return last
        default: return nil
        }
    }

    // MARK: Dialogs

    private mutating func press(_ key: Key, in dialog: Dialog) -> [Effect] {
        switch dialog {
        case .search(let field, let before): press(key, inSearch: field, before)
        case .deletion(let record): return press(key, asking: record)
        // The driver reads passcodes and items' passwords itself.
        case .proof: break
        }
        return []
    }

    /// The list follows while the words are typed.
    private mutating func press(_ key: Key, inSearch field: TypedLine, _ before: String) {
        var field = field
        switch key {
        case .escape, .control("c"):
            dialog = nil
            find(before)
            return
        case .enter:
            dialog = nil
            return
        default: field.type(key)
        }
        dialog = .search(field, before: before)
        if field.text != search { find(field.text) }
    }

    private mutating func press(_ key: Key, asking record: Record) -> [Effect] {
        switch key {
        case .text("y"), .text("Y"): dialog = nil
        case .text("n"), .text("N"), .escape, .control("c"):
            dialog = nil
            return []
        default: return []
        }
        return [.remove(listing?.removal(of: record) ?? [record.reference])]
    }
}
