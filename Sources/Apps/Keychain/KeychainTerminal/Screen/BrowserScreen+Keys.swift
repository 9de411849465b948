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
        case .control("r") where lockState != nil: return records.reading
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
        if let effects = records.press(key, height: listHeight) { return effects }
        switch key {
        case .text("/"): dialog = .search(TypedLine(records.search), before: records.search)
        case .text("?"): page = .help(top: 0)
        case .enter, .text("r"), .text("y"), .text("d"): return act(key)
        default: break
        }
        return []
    }

    private mutating func act(_ key: Key) -> [Effect] {
        guard let selected = records.selected else { return [] }
        guard case .record(let record) = selected else {
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
            message = "\(records.choice.title): only root changes its files."
        case .text("r"): return read(record, .show)
        case .text("y"): return read(record, .copy)
        case .text("d"): dialog = .deletion(record)
        default: break
        }
        return []
    }

    // MARK: Pages

    private mutating func press(_ key: Key, _ record: Record, _ top: Int) -> [Effect] {
        let lines = ScrolledRows(record.detailLines(columns: columns, date: now.date).count, height: bodyHeight)
        if let scrolled = lines.top(after: key, from: top) {
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
        if let scrolled = ScrolledRows(shown.rows, height: secretHeight).top(after: key, from: shown.top) {
            var shown = shown
            shown.top = scrolled
            page = .secret(shown)
            return []
        }
        return key == .text("y") ? [.copyShown] : hide()
    }

    private mutating func press(_ key: Key, helpFrom top: Int) -> [Effect] {
        let lines = ScrolledRows(Help.lines.count, height: bodyHeight)
        page = lines.top(after: key, from: top).map { .help(top: $0) } ?? .list
        return []
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
            records.find(before)
            return
        case .enter:
            dialog = nil
            return
        default: field.type(key)
        }
        dialog = .search(field, before: before)
        if field.text != records.search { records.find(field.text) }
    }

    private mutating func press(_ key: Key, asking record: Record) -> [Effect] {
        switch key {
        case .text("y"), .text("Y"): dialog = nil
        case .text("n"), .text("N"), .escape, .control("c"):
            dialog = nil
            return []
        default: return []
        }
        return [.remove(records.removal(of: record))]
    }
}
