import DiaryClient
import DiaryViews

/// Answers of tresor-diary.
extension OpenDiary {
    mutating func accept(_ reply: DiaryReply, _ body: [UInt8], _ request: DiaryRequest) -> [Effect] {
        switch (reply, request) {
        case (.list(let list), _): return accept(list, request)
        case (.entry(let entry), .show): return show(entry, String(decoding: body, as: UTF8.self))
        case (.entry(let entry), .create), (.entry(let entry), .edit): return saved(entry, request)
        case (.entry, .restore):
            (lastDeleted, message) = (nil, ScreenPhrase.restored.text(in: language))
            return reload()
        case (.entry(let entry), _): note(entry)
        case (.media, .media(let id, let media, _)): keepPicture(body, of: media, in: id)
        case (.tags(let counts), _): tags = counts
        case (.staged(let file), _): return staged(file)
        case (.done, .outline): return accept(outline: body)
        case (.done, .delete(let id, let forever)): return deleted(id, forever: forever)
        default: break
        }
        return []
    }

    private mutating func accept(_ list: EntryList, _ request: DiaryRequest) -> [Effect] {
        for index in pages.indices {
            guard case .list(var pane) = pages[index], pane.accept(list, request, language, viewpoint) else { continue }
            pages[index] = .list(pane)
            if pane.isPartial { message = ScreenPhrase.partial.text(in: language) }
            return pane.requestForMore(near: size.bodyHeight).map { [.ask(Ask($0))] } ?? []
        }
        return []
    }

    private mutating func accept(outline json: [UInt8]) -> [Effect] {
        guard let outline = try? Outline(json: json) else {
            message = ScreenPhrase.unreadable.text(in: language)
            return []
        }
        self.outline = outline
        return drawViews()
    }

    /// Calendar and map are drawn from all entries in short.
    mutating func drawViews() -> [Effect] {
        var effects: [Effect] = []
        facts = outline.map { WritingStatistics($0.entries, seenFrom: viewpoint).facts(in: language) }
        for index in pages.indices {
            switch pages[index] {
            case .calendar(var pane):
                let wanted = pane.draw(outline, language.usualWeekStart, today: viewpoint.today)
                pages[index] = .calendar(pane)
                effects += wanted.map { .ask(Ask($0)) }
            case .map(var pane):
                pane.draw(outline, size)
                pages[index] = .map(pane)
            default: break
            }
        }
        return effects
    }

    /// An entry that was asked for by itself.
    private mutating func note(_ entry: EntrySummary) {
        for index in pages.indices {
            switch pages[index] {
            case .list(var pane):
                pane.accept(entry, language, viewpoint)
                pages[index] = .list(pane)
            case .calendar(var pane):
                pane.accept(entry)
                pages[index] = .calendar(pane)
            default: break
            }
        }
    }

    private mutating func show(_ entry: EntrySummary, _ text: String) -> [Effect] {
        if case .editor(let editor) = page, editor.isWaiting(for: entry.id) {
            show(.editor(EntryEditor(entry, text, size)))
            return [.clear]
        }
        guard case .entry(var shown) = page, shown.summary.id == entry.id else { return [] }
        shown.accept(entry, text)
        show(.entry(shown))
        note(entry)
        return drawsPictures ? shown.wantedPictures.map { .ask(Ask($0)) } : []
    }

    private mutating func keepPicture(_ bytes: [UInt8], of file: String, in id: String) {
        guard case .entry(var shown) = page, shown.summary.id == id else { return }
        shown.pictures[file] = bytes
        show(.entry(shown))
    }

    private mutating func deleted(_ id: String, forever: Bool) -> [Effect] {
        if droppedDrafts.contains(id) {
            if forever { droppedDrafts.remove(id) }
            return []
        }
        lastDeleted = id
        message = ScreenPhrase.deleted.text(in: language)
        for index in pages.indices {
            guard case .list(var pane) = pages[index] else { continue }
            pane.remove(id, language, viewpoint)
            pages[index] = .list(pane)
        }
        (outline, facts, tags) = (nil, nil, nil)
        if case .entry(let shown) = page, shown.summary.id == id { return goBack() }
        return readWhatIsShown()
    }

    // MARK: Refusals

    mutating func refuse(_ error: DiaryError, _ request: DiaryRequest) -> [Effect] {
        if error.code == .tooLarge, case .list = request { return askForFewer(request) }
        switch request {
        // A picture that cannot be had leaves its box.
        case .media, .touch: return []
        case .stage, .create, .edit: return notSaved(error, request)
        case .show(let id):
            if case .editor(let editor) = page, editor.isWaiting(for: id) { pages.removeLast() }
        default: break
        }
        message = error.sentence
        return []
    }

    private mutating func askForFewer(_ request: DiaryRequest) -> [Effect] {
        for index in pages.indices {
            guard case .list(var pane) = pages[index], let fewer = pane.retryWithFewer(request) else { continue }
            pages[index] = .list(pane)
            return [.ask(Ask(fewer))]
        }
        return []
    }
}
