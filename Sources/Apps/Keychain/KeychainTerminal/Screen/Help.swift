import Localization
import TerminalScreen

/// What `?` shows.
enum Help {
    /// Opens it by F1, and by `?` where that is no letter; a secret that is shown is hidden first.
    ///
    /// - Returns: what follows; nil for every other key.
    static func open(by key: Key, in screen: inout BrowserScreen) -> [Effect]? {
        guard key == .help || key == .text("?") && !takesLetters(screen), screen.absence == nil else { return nil }
        if case .help = screen.dialog { return nil }
        var effects: [Effect] = []
        if case .secret = screen.page { effects = screen.hide() }
        screen.dialog = .help(top: 0, over: screen.dialog)
        return effects
    }

    /// Says that a key does nothing, until the next one.
    static func tellDead(_ key: Key, in screen: inout BrowserScreen) -> [Effect] {
        if let words = DeadKey.words(key, isTyping: takesLetters(screen)) { screen.message = words }
        return []
    }

    /// Whether `?` is a letter like others.
    private static func takesLetters(_ screen: BrowserScreen) -> Bool {
        if let dialog = screen.dialog { if case .search = dialog { return true } else { return false } }
        if case .form(let form) = screen.page { return form.line != nil }
        return false
    }

    /// What follows a key: another part of it, or what lies under it.
    ///
    /// - Parameter height: rows that are seen.
    static func dialog(after key: Key, from top: Int, over covered: BrowserDialog?, height: Int) -> BrowserDialog? {
        ScrolledRows(lines.count, height: height).top(after: key, from: top).map { .help(top: $0, over: covered) }
            ?? covered
    }

    static var lines: [String] {
        [
            localized(" j k ↑ ↓        next and previous; g G Home End first and last; PgUp PgDn"),
            localized(" Tab Shift+Tab  the next kind, the one before"),
            localized(" K              the next keychain; System and System Roots are read-only"),
            localized(" s              sort by name, by change, by kind, as they were added"),
            localized(" /              search in label, account, service, comment; all words"),
            localized(" Enter          all of an item but its secret; its one-time code"),
            localized(" Esc            back; in the list: end the search"),
            localized(" u              unlock the device"),
            localized(" r              reveal the secret for 30 seconds"),
            localized(" y              copy the secret for 45 seconds"),
            localized(" Q              the secret as a QR code; of a Wi-Fi, what phones join it by"),
            localized(" c              copy the one-time code; o shows one that asks for you"),
            localized(" n e            a new item; change this one"),
            localized(" d              delete, after a question"),
            localized(" ? F1           this help; while you type, F1 alone"),
            localized(" Ctrl+R         read everything anew"),
            localized(" Ctrl+Z         suspend"),
            localized(" q              quit"),
            "",
            localized(" What one-time codes are made from is neither shown nor copied here."),
            "",
            localized(" Readable says when an item can be read:"),
            localized(" unlocked    while the device is unlocked"),
            localized(" 1st unlock  from the first unlock on"),
            localized(" always      also while it is locked"),
            localized(" passcode    as long as a passcode is set"),
            localized(" *           on this device only"),
        ]
    }
}
