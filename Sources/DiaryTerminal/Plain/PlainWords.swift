import DiaryClient
import DiaryViews
import TerminalScreen

/// What is open, in words to be read aloud.
extension PlainReader {
    /// What stands before the caret.
    func prompt(_ screen: DiaryScreen) -> String {
        let language = screen.language
        guard let diary = screen.diary else {
            switch screen.door {
            case .registering(isRepeated: true): return DiaryPhrase.repeatPassword.text(in: language) + ": "
            case .registering(isRepeated: false), .locked: return DiaryPhrase.password.text(in: language) + ": "
            case .arriving, .recoveryKey: return ""
            }
        }
        switch expectation {
        case .command: return DiaryPhrase.title.text(in: language) + ", ?: "
        case .answer:
            if case .deletion = diary.dialog { return ScreenPhrase.askDeletion.text(in: language) + ": " }
            return ""
        case .date: return ScreenPhrase.date.text(in: language) + " (" + ScreenPhrase.dateNow.text(in: language) + "): "
        case .tags: return DiaryPhrase.tags.text(in: language) + ": "
        case .files: return ScreenPhrase.filesHint.text(in: language) + ": "
        case .text: return ScreenPhrase.plainText.text(in: language) + ": "
        }
    }

    /// What is to be said after a line was heard.
    func words(_ screen: DiaryScreen) -> String {
        guard let diary = screen.diary else { return doorWords(screen) }
        let body = expectation == .command ? pageWords(diary) : []
        return (body + [diary.message]).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func doorWords(_ screen: DiaryScreen) -> String {
        switch screen.door {
        case .registering(let isRepeated):
            let title = DiaryPhrase.registerTitle.text(in: screen.language)
            let advice = DiaryPhrase.registerAdvice.text(in: screen.language)
            return isRepeated
                ? ""
                : [screen.message, title + ". " + advice].filter { !$0.isEmpty }
                    .joined(separator: "\n")
        case .locked:
            return [screen.messageLine, DiaryPhrase.locked.text(in: screen.language)].filter { !$0.isEmpty }
                .joined(separator: "\n")
        case .arriving, .recoveryKey: return screen.messageLine
        }
    }

    private func pageWords(_ diary: OpenDiary) -> [String] {
        switch diary.page {
        case .list(let pane): listWords(pane, diary)
        case .tags:
            (diary.tags ?? []).enumerated().map { "\($0.offset + 1). #\($0.element.tag), \($0.element.count)" }
        case .statistics: (diary.facts ?? []).map { "\($0.name): \($0.value)" }
        case .entry(let entry): entryWords(entry, diary)
        case .calendar, .map, .editor: []
        }
    }

    private func listWords(_ pane: EntryPane, _ diary: OpenDiary) -> [String] {
        guard pane.isLoaded, !pane.order.isEmpty else {
            return pane.isLoaded ? [diary.emptyWords(pane).text(in: diary.language)] : []
        }
        var words: [String] = []
        var headings: [String] = []
        var number = 0
        for line in pane.lines {
            switch line {
            case .section(let text): headings = [text]
            case .day(let text): headings = headings.prefix(1) + [text]
            case .entry(let entry, let clock):
                number += 1
                guard number > first, number <= first + Self.pageSize else { continue }
                words += headings.map { $0 + "." }
                headings = []
                words.append("\(number). \(clock) \(Self.summary(of: entry, diary.language))")
            }
        }
        if pane.total > first + Self.pageSize {
            words.append("+: " + ScreenPhrase.more(pane.total - first - Self.pageSize, in: diary.language))
        }
        return words
    }

    private static func summary(of entry: EntrySummary, _ language: DiaryLanguage) -> String {
        var words = [entry.opening.isEmpty ? ScreenPhrase.untitled.text(in: language) : entry.opening]
        if !entry.media.isEmpty { words.append("\(ScreenPhrase.files.text(in: language)): \(entry.media.count)") }
        if entry.head.isStarred { words.append(ScreenPhrase.star.text(in: language)) }
        return (words + entry.head.tags.map { "#" + $0 }).joined(separator: ", ")
    }

    private func entryWords(_ entry: EntryPage, _ diary: OpenDiary) -> [String] {
        let head = entry.summary.head
        return [diary.facts(of: head), diary.tagWords(of: head)]
            + entry.summary.media.map { "\($0.name), \(OpenDiary.size($0.byteCount))" } + [entry.text ?? ""]
    }
}
