import TerminalScreen

/// Words that are typed into the search; the list follows while they are.
enum SearchDialog {
    static func press(_ key: Key, _ field: TypedLine, before: String, in screen: inout BrowserScreen) {
        var field = field
        switch key {
        case .escape, .control("c"):
            screen.dialog = nil
            screen.records.find(before)
            return
        case .enter:
            screen.dialog = nil
            return
        default: field.type(key)
        }
        screen.dialog = .search(field, before: before)
        if field.text != screen.records.search { screen.records.find(field.text) }
    }
}
