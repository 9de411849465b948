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
            case .registering(isRepeated: true): return secretPrompt(.repeatPassword, language)
            case .registering(isRepeated: false), .locked: return secretPrompt(.password, language)
            // The driver asks for the passcode itself.
            case .arriving, .recoveryKey, .deviceLocked, .daemonGone: return ""
            }
        }
        switch expectation {
        case .command: return DiaryPhrase.title.text(in: language) + ", help: "
        case .answer: return (question(diary)?.text(in: language) ?? "") + ": "
        // The lines that follow are not interrupted.
        case .text: return isWriting ? "" : ScreenPhrase.plainText.text(in: language) + ":\n"
        }
    }

    private func secretPrompt(_ phrase: DiaryPhrase, _ language: DiaryLanguage) -> String {
        phrase.text(in: language) + ", " + ScreenPhrase.plainNotShown.text(in: language) + ": "
    }

    private func question(_ diary: OpenDiary) -> ScreenPhrase? {
        switch diary.dialog {
        case .deletion: .askDeletion
        case .removal: .askRemoval
        case .discarding: .askDiscarding
        case .help, .search, .saving, nil: nil
        }
    }

    /// What is to be said after a line was heard.
    func words(_ screen: DiaryScreen) -> String {
        guard let diary = screen.diary else { return doorWords(screen) }
        var body: [String] = []
        switch expectation {
        case .command:
            if let changedSetting { body = [settingWords(diary)[changedSetting - 1]] }
            if isAsked && !(isBrief && !diary.message.isEmpty) { body = pageWords(diary) }
        // An entry that was opened to be changed is read out once.
        case .text where !isWriting && diary.editor?.original != nil:
            body = Self.fieldWords(diary) + [Self.textWords(diary)]
        case .text, .answer: break
        }
        return (body + (isIdle ? [] : [diary.message])).filter { !$0.isEmpty }.joined(separator: "\n")
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
        case .daemonGone: return ""
        case .arriving, .recoveryKey, .deviceLocked: return screen.messageLine
        }
    }

    private func pageWords(_ diary: OpenDiary) -> [String] {
        switch diary.page {
        case .list(let pane): listWords(pane, diary)
        case .tags:
            (diary.overview.tags ?? []).enumerated().map { "\($0.offset + 1). #\($0.element.tag), \($0.element.count)" }
        case .templates:
            (diary.overview.templates ?? []).enumerated().map { "\($0.offset + 1). \($0.element.name)" }
                + (diary.overview.templates == [] ? [ScreenPhrase.noTemplates.text(in: diary.language)] : [])
        case .statistics: (diary.overview.facts ?? []).map { "\($0.name): \($0.value)" }
        case .entry(let entry): entryWords(entry, diary)
        case .files(let pane): fileWords(pane, diary)
        case .picture(let picture): picture.selected.map { ["\($0.name), \(FileSize.words($0.byteCount))"] } ?? []
        case .settings:
            settingWords(diary)
        case .calendar(let pane): calendarWords(pane, diary)
        case .map(let pane): mapWords(pane, diary)
        case .editor: []
        }
    }

    private func settingWords(_ diary: OpenDiary) -> [String] {
        let settings = SettingsPane.words(diary.standing.status?.settings, in: diary.language)
        return settings.enumerated().map { "\($0.offset + 1). \($0.element.name): \($0.element.value)" }
            + diary.standing.counts(in: diary.language).map { "\($0.name): \($0.value)" }
            + [ScreenPhrase.settingsHelp.text(in: diary.language)]
    }

    private func listWords(_ pane: EntryPane, _ diary: OpenDiary) -> [String] {
        guard pane.isLoaded, !pane.order.isEmpty else {
            return pane.isLoaded ? [pane.emptyWords(in: diary.language)] : []
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
            words.append("more: " + ScreenPhrase.more(pane.total - first - Self.pageSize, in: diary.language))
        }
        return words
    }

    static func summary(of entry: EntrySummary, _ language: DiaryLanguage) -> String {
        var words = [entry.opening.isEmpty ? ScreenPhrase.untitled.text(in: language) : entry.opening]
        if !entry.media.isEmpty { words.append("\(ScreenPhrase.files.text(in: language)): \(entry.media.count)") }
        if entry.head.isStarred { words.append(ScreenPhrase.star.text(in: language)) }
        return (words + entry.head.tags.map { "#" + $0 }).joined(separator: ", ")
    }

    private func entryWords(_ entry: EntryPage, _ diary: OpenDiary) -> [String] {
        let head = entry.summary.head
        return [head.facts(in: diary.language), head.tagWords]
            + entry.summary.media.map { "\($0.name), \(FileSize.words($0.byteCount))" } + [entry.text ?? ""]
    }

    private func fileWords(_ pane: FilesPane, _ diary: OpenDiary) -> [String] {
        pane.entry.media.enumerated().map { index, file in
            let facts = file.factWords(in: diary.language).map { "\($0.name): \($0.value)" }
            return (["\(index + 1). \(file.name)"] + facts).joined(separator: ", ")
        } + [ScreenPhrase.filesHelp.text(in: diary.language)]
    }

    private func calendarWords(_ pane: CalendarPane, _ diary: OpenDiary) -> [String] {
        guard let calendar = pane.calendar else { return [] }
        let days = calendar.weeks.flatMap { $0.compactMap(\.self) }.filter { $0.entryCount > 0 }
        let words = days.map { day in
            let count = ScreenPhrase.entries(day.entryCount, in: diary.language)
            return "\(day.day.day). \(diary.language.heading(day.day)): \(count)" + (day.isStarred ? " ★" : "")
        }
        let none = ["\(pane.month): " + DiaryPhrase.noEntries.text(in: diary.language)]
        return (words.isEmpty ? none : words) + [ScreenPhrase.calendarHelp.text(in: diary.language)]
    }

    private func mapWords(_ pane: MapPane, _ diary: OpenDiary) -> [String] {
        let places = pane.places(in: diary.language)
        return places.isEmpty
            ? [DiaryPhrase.noPlaces.text(in: diary.language)]
            : places.enumerated().map { "\($0.offset + 1). \($0.element)" }
    }

    // MARK: Writing

    static func fieldWords(_ diary: OpenDiary) -> [String] {
        guard let editor = diary.editor else { return [] }
        let fields = EntryEditor.Field.allCases.filter { $0 != .text && $0 != .files }.map { field in
            "\(field.name(in: diary.language)): \(editor.value(of: field, in: diary.language))"
        }
        let files = editor.files.all.enumerated().map { index, file in
            let offer = PhotoOffer(file.summary.facts, zone: diary.here.zone)?.words
            let name = "\(ScreenPhrase.files.text(in: diary.language)) \(index + 1): \(file.summary.name)"
            let problem = file.summary.problem.map { diary.language.text(saidInEnglish: $0) }
            return [name, offer, problem].compactMap(\.self).joined(separator: ", ")
        }
        return fields + files
    }

    static func textWords(_ diary: OpenDiary) -> String {
        guard let lines = diary.editor?.buffer.lines else { return "" }
        return lines.enumerated().map { "\($0.offset + 1): \(String($0.element))" }.joined(separator: "\n")
    }
}
