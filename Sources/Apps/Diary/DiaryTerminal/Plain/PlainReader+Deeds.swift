import DiaryClient
import DiaryViews
import TerminalScreen

/// What words do to an entry: to that of a number or name in the list, and without one to that which is open.
extension PlainReader {
    /// Back to a page that lies under so many others.
    static func wayBack(_ depth: Int) -> [Step] { Array(repeating: .press(.escape), count: depth) }

    /// No other entry must be changed or removed than the one that is named.
    ///
    /// - Parameter key: what does it on the screen.
    func change(_ key: Character, _ rest: String, _ diary: OpenDiary?) -> [Step] {
        guard let diary else { return rest.isEmpty ? [.press(.text(String(key)))] : [] }
        guard !rest.isEmpty else { return changeWhatIsOpen(key, diary) }
        let (page, depth) = diary.pages.listing
        guard case .list(let pane) = page else { return [.say(ScreenPhrase.plainNoEntry.text(in: diary.language))] }
        if key == "z", pane.source != .trash {
            return [.say(ScreenPhrase.plainTrashFirst.text(in: diary.language))]
        }
        switch place(of: rest, in: diary) {
        case .found(let number, let isSure):
            let steps = Self.wayBack(depth) + [.choose(number, isOnlySelected: true), .press(.text(String(key)))]
            // A name in part, or of a list that was left, is said in full before anything is asked.
            return isSure && depth == 0 ? steps : [.say(entryWords(pane.order[number - 1], diary))] + steps
        case .unclear(let words): return [.say(words)]
        }
    }

    private func changeWhatIsOpen(_ key: Character, _ diary: OpenDiary) -> [Step] {
        let (page, depth) = diary.pages.listing
        var isOfTrash = false
        if case .list(let pane) = page { isOfTrash = pane.source == .trash }
        switch diary.page {
        // It is the one that is selected there.
        case .entry where key == "z" && isOfTrash: return Self.wayBack(depth) + [.press(.text("z"))]
        case .entry where key != "z": return [.press(.text(String(key)))]
        case .list where key != "z" || isOfTrash: return [.say(ScreenPhrase.plainWhich.text(in: diary.language))]
        default:
            guard key == "z" else { return [.say(ScreenPhrase.plainNoEntry.text(in: diary.language))] }
            guard diary.removals.last != nil else {
                return [.say(diary.language.speaking { PlainSaying.nothingToUndo })]
            }
            return [.press(.text("z"))]
        }
    }

    /// Puts the text of an entry on the clipboard: of the one that is open, or of one in the list.
    func copy(_ rest: String, _ diary: OpenDiary?) -> [Step] {
        guard let diary else { return [] }
        if rest.isEmpty, case .entry = diary.page { return [.copy] }
        let (page, depth) = diary.pages.listing
        guard !rest.isEmpty, case .list = page else {
            return [.say(ScreenPhrase.plainOpenFirst.text(in: diary.language))]
        }
        switch place(of: rest, in: diary) {
        case .found(let number, _):
            return Self.wayBack(depth) + [.choose(number, isOnlySelected: false), .copy, .press(.escape)]
        case .unclear(let words): return [.say(words)]
        }
    }

    /// The number of a file, and a path.
    func save(_ rest: String, keepsAll: Bool, _ diary: OpenDiary?) -> [Step] {
        guard let diary else { return [] }
        guard case .files(let pane) = diary.page else {
            return [.say(ScreenPhrase.plainFilesFirst.text(in: diary.language))]
        }
        let words = rest.split(separator: " ", maxSplits: 1).map { String($0) }
        guard words.count == 2, let number = Int(words[0]) else {
            return [.say(ScreenPhrase.filesHelp.text(in: diary.language))]
        }
        guard pane.entry.media.indices.contains(number - 1) else {
            return [.say(ScreenPhrase.plainNoNumber.text(in: diary.language))]
        }
        return [.act(.save(file: number, path: words[1], keepsAll: keepsAll))]
    }

    /// The next page of the list that is read.
    mutating func readOn(_ diary: OpenDiary?) -> [Step] {
        guard let diary else { return [] }
        guard case .list(let pane) = diary.page, pane.total > first + Self.pageSize else {
            return [.say(diary.language.speaking { PlainSaying.noMore })]
        }
        first += Self.pageSize
        isAsked = true
        return [.more]
    }

    /// To the page below; the timeline lies under all.
    mutating func goBack(_ diary: OpenDiary?) -> [Step] {
        if let diary, diary.pages.isAtStart { return [.say(diary.language.speaking { PlainSaying.noWayBack })] }
        (first, isAsked) = (0, true)
        return [.press(.escape)]
    }
}
