import Localization
import TerminalScreen
import Tresor

/// Keys.
extension BrowserScreen {
    mutating func press(_ key: Key) -> [Effect] {
        // The driver takes what is typed with dots; whatever comes here all the same is no command.
        guard !wantsPasscode else { return [] }
        message = ""
        if let effects = Help.open(by: key, in: &self) { return effects }
        if let dialog { return press(key, in: dialog) }
        if absence != nil { return WithoutDaemon.press(key, in: &self) }
        if case .form(let form) = page {
            if key == .control("z") { return [.suspend] }
            return press(key, in: form)
        }
        switch key {
        case .control("c"): return quit()
        case .control("z"): return hide() + [.suspend]
        case .text("q") where page == .list: return quit()
        case .control("r") where lockState != nil: return hide() + records.reading
        default: break
        }
        switch page {
        case .list: return pressInList(key)
        case .details(let record, let top): return press(key, record, top)
        case .secret(let shown): return press(key, shown)
        case .form(let form): return press(key, in: form)
        }
    }

    mutating func quit() -> [Effect] {
        guard waiting != .held else {
            dialog = .quitting
            return []
        }
        let effects = hide()
        defer { copied = nil }
        return effects + (copied == nil ? [] : [.clearClipboard]) + [.quit]
    }

    // MARK: The list

    private mutating func pressInList(_ key: Key) -> [Effect] {
        if case .click(let line, let column) = key {
            let isDone = records.click(line - 1, column, columns: columns, height: listHeight)
            return isDone ? [] : act(.enter)
        }
        if let effects = records.press(key, height: listHeight) { return effects }
        switch key {
        case .text("/"): dialog = .search(TypedLine(records.search), before: records.search)
        case .text("n"): return add()
        case .text("u") where lockState == .locked || lockState == .beforeFirstUnlock: askForUnlocking()
        case .text("s"):
            records.turnOrder()
            message = records.order.words
        case .enter, .text("r"), .text("y"), .text("Q"), .text("c"), .text("e"), .text("d"): return act(key)
        default: return Help.tellDead(key, in: &self)
        }
        return []
    }

    private mutating func act(_ key: Key) -> [Effect] {
        guard let selected = records.selected else { return Help.tellDead(key, in: &self) }
        guard case .record(let record) = selected else {
            askForUnlocking()
            return []
        }
        return key == .enter ? open(record) : act(key, on: record)
    }

    private mutating func act(_ key: Key, on record: Record) -> [Effect] {
        switch key {
        case .text("r") where record.isReadOnly, .text("y") where record.isReadOnly,
            .text("Q") where record.isReadOnly:
            if page == .list { page = .details(record, top: 0) }
            message = localized("A certificate has no secret: all that is in it stands here.")
        case .text("d") where record.isReadOnly:
            message = localized("\(records.choice.title): only root changes its files.")
        case .text("r"): return read(record, .show)
        case .text("y"): return read(record, .copy)
        case .text("Q"): return SquarePage.read(record, in: &self)
        case .text("c"): return readCode(record, .copyCode)
        case .text("o") where record.code != nil: return readCode(record, .showCode)
        case .text("e"): return edit(record)
        case .text("d"): dialog = .deletion(record)
        default: return Help.tellDead(key, in: &self)
        }
        return []
    }

    // MARK: Pages

    private mutating func press(_ key: Key, _ record: Record, _ top: Int) -> [Effect] {
        let lines = ScrolledRows(record.detailLines(columns: columns, date: now.date).count, height: detailHeight)
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

    private mutating func press(_ key: Key, _ shown: ShownSecret) -> [Effect] {
        guard shown.side == nil else { return hide() }
        if let scrolled = ScrolledRows(shown.rows, height: secretHeight).top(after: key, from: shown.top) {
            var shown = shown
            shown.top = scrolled
            page = .secret(shown)
            return []
        }
        return key == .text("y") ? [.copyShown] : hide()
    }

    // MARK: Dialogs

    private mutating func press(_ key: Key, in dialog: BrowserDialog) -> [Effect] {
        switch dialog {
        case .search(let field, let before): SearchDialog.press(key, field, before: before, in: &self)
        case .deletion(let record): return press(key, asking: record)
        case .finger(let pending): return go(.press(key, touching: pending))
        case .leaving: press(leaving: key)
        case .help(let top, let covered):
            self.dialog = Help.dialog(after: key, from: top, over: covered, height: bodyHeight)
        case .quitting: return FormOverLock.press(key, quitting: &self)
        // The driver reads passcodes and items' passwords itself.
        case .proof, .unlock, .newSecret: break
        }
        return []
    }

    private mutating func press(_ key: Key, asking record: Record) -> [Effect] {
        switch key {
        case .text("y"), .text("Y"): dialog = nil
        case .text("n"), .text("N"), .escape, .control("c"):
            dialog = nil
            return []
        default: return []
        }
        return [.remove(records.removal(of: record), isForGood: record.hasNoTrash)]
    }
}
