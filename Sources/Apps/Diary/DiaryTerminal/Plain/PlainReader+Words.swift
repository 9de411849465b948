import DiaryClient
import DiaryViews
import TerminalScreen

/// The words of every plain dialogue, and what they mean in the diary.
extension PlainReader {
    static let grammar = PlainGrammar([
        PlainWord("timeline"), PlainWord("calendar"), PlainWord("today"), PlainWord("places"),
        PlainWord("statistics"), PlainWord("tags"), PlainWord("starred"), PlainWord("drafts"), PlainWord("trash"),
        PlainWord("settings"), PlainWord("set", .text), PlainWord("template"), PlainWord("files"),
        PlainWord("restore", .choice), PlainWord("earlier"), PlainWord("later"), PlainWord("save", .text),
        PlainWord("original", .text),
    ])

    /// Which key of the screen a word stands for.
    private static let keys: [String: Character] = [
        "timeline": "t", "calendar": "c", "today": "o", "places": "m", "statistics": "s", "tags": "g",
        "starred": "*", "drafts": "D", "trash": "T", "settings": "S", "template": "N", "files": "f",
        "earlier": "[", "later": "]", "more": "+", "back": "b", "new": "n", "lock": "l",
    ]

    mutating func understand(_ line: String, _ diary: OpenDiary?) -> [Step] {
        switch Self.grammar.parse(line) {
        case .nothing: return []
        case .word(let word, let rest): return obey(word, rest, diary)
        case .choice(let text):
            let parts = text.split(separator: " ", maxSplits: 1).map { String($0) }
            if case .settings = diary?.page, let number = Int(parts[0]) {
                return set(number, parts.count > 1 ? parts[1] : "", diary)
            }
            let isKey = parts[0].count == 1 && Int(parts[0]) == nil || text.hasPrefix("/")
            guard isKey else { return open(text, isAlone: true, diary) }
            let steps = obey(text, diary)
            return steps.isEmpty ? [.say(ScreenPhrase.plainNotUnderstood.text(in: language(diary)))] : steps
        }
    }

    private func language(_ diary: OpenDiary?) -> DiaryLanguage { diary?.language ?? .english }

    private mutating func obey(_ word: PlainWord, _ rest: String, _ diary: OpenDiary?) -> [Step] {
        let language = language(diary)
        switch word {
        case .help: return [.say(ScreenPhrase.plainHelp.text(in: language))]
        case .quit: return [.quit]
        case .list:
            (first, isAsked) = (0, true)
            return diary.map { Self.wayBack($0.pages.listing.depth) } ?? []
        case .find: return rest.isEmpty ? [.say(ScreenPhrase.plainWhich.text(in: language))] : obey("/" + rest, diary)
        case .open where rest.isEmpty && diary?.page.isOneThing == true:
            isAsked = true
            return []
        case .open: return open(rest, isAlone: false, diary)
        case .edit: return change("e", rest, diary)
        case .delete: return change("d", rest, diary)
        case .undo: return obey("z", diary)
        case .copy: return copy(rest, diary)
        case .unlock: return [.say(ScreenPhrase.plainIsOpen.text(in: language))]
        default: break
        }
        switch word.name {
        case "restore": return change("z", rest, diary)
        case "save", "original":
            return save(rest, keepsAll: word.name == "original", diary)
        case "files":
            if case .entry = diary?.page { return obey("f", diary) }
            return [.say(ScreenPhrase.plainNoEntry.text(in: language))]
        case "set":
            let parts = rest.split(separator: " ", maxSplits: 1).map { String($0) }
            guard parts.count == 2, let number = Int(parts[0]), case .settings = diary?.page else {
                return [.say(ScreenPhrase.settingsHelp.text(in: language))]
            }
            return set(number, parts[1], diary)
        default: return Self.keys[word.name].map { obey(String($0), diary) } ?? []
        }
    }

    private mutating func set(_ number: Int, _ words: String, _ diary: OpenDiary?) -> [Step] {
        let count = diary.map { SettingsPane.words($0.standing.status?.settings, in: $0.language).count } ?? 0
        guard !words.isEmpty, number > 0, number <= count else {
            return [.say(ScreenPhrase.settingsHelp.text(in: language(diary)))]
        }
        changedSetting = number
        return [.act(.set(setting: number, words))]
    }

    // MARK: Numbers and names

    /// Where something stands on the page that lists it, or why that cannot be said.
    enum Found: Equatable, Sendable {
        /// By its number of now, from 1, and whether nothing else can have been meant.
        case found(Int, isSure: Bool)
        case unclear(String)
    }

    private mutating func open(_ name: String, isAlone: Bool, _ diary: OpenDiary?) -> [Step] {
        switch place(of: name, in: diary, isAlone: isAlone) {
        case .found(let number, _):
            (first, isAsked) = (0, true)
            return Self.wayBack(diary?.pages.listing.depth ?? 0) + [.choose(number, isOnlySelected: false)]
        case .unclear(let words): return [.say(words)]
        }
    }

    func place(of name: String, in diary: OpenDiary?, isAlone: Bool = false) -> Found {
        guard let diary else { return .unclear("") }
        let language = diary.language
        guard !name.isEmpty else { return .unclear(ScreenPhrase.plainWhich.text(in: language)) }
        let page = diary.pages.listing.page
        // A calendar's days are what their numbers say.
        if case .calendar = page, let day = Int(name), (1...31).contains(day) {
            return .found(day, isSure: true)
        }
        let names = names(page, diary)
        switch PlainChoice(name, among: names) {
        case .one(let index, let isSure):
            guard case .list(let pane) = page else { return .found(index + 1, isSure: isSure) }
            guard let now = pane.order.firstIndex(where: { $0.id == numbered[index] }) else {
                return .unclear(ScreenPhrase.plainGone.text(in: language))
            }
            return .found(now + 1, isSure: isSure)
        case .several(let found):
            let lines = found.prefix(Self.pageSize).map { "\($0 + 1). \(SafeText.line(names[$0]))" }
            return .unclear(([ScreenPhrase.plainSeveral.text(in: language)] + lines).joined(separator: "\n"))
        case .noNumber: return .unclear(ScreenPhrase.plainNoNumber.text(in: language))
        case .nothing(let similar):
            let words = (isAlone ? Self.grammar.similar(to: name) : []) + similar
            let phrase = isAlone ? ScreenPhrase.plainNotUnderstood : .plainNothing
            let meant = words.isEmpty ? "" : " " + words.map { SafeText.line($0) }.joined(separator: ", ") + "?"
            return .unclear(phrase.text(in: language) + meant)
        }
    }

    /// What is called by numbers on a page, in their order.
    private func names(_ page: PageStack.Page, _ diary: OpenDiary) -> [String] {
        switch page {
        case .list(let pane):
            let openings = Dictionary(pane.order.map { ($0.id, $0.opening) }) { one, _ in one }
            return numbered.map { openings[$0] ?? "" }
        case .tags: return (diary.overview.tags ?? []).map(\.tag)
        case .templates: return (diary.overview.templates ?? []).map(\.name)
        case .map(let pane): return pane.places(in: diary.language)
        case .calendar, .statistics, .entry, .files, .settings, .editor, .picture: return []
        }
    }

    /// An entry in a line, with the number that it was read with.
    func entryWords(_ entry: EntrySummary, _ diary: OpenDiary) -> String {
        let number = numbered.firstIndex(of: entry.id).map { "\($0 + 1). " } ?? ""
        return number + Self.summary(of: entry, diary.language)
    }
}
