import DiaryClient
import DiaryViews

/// Answers of tresor-diary.
extension OpenDiary {
    mutating func accept(_ reply: DiaryReply, _ body: [UInt8], _ ask: Ask) -> [Effect] {
        let request = ask.request
        switch (reply, request) {
        // What is damaged is told before the views are drawn of all others.
        case (.list(let list), .outline):
            tell(list.unread)
            return accept(outline: body)
        case (.list(let list), _): return accept(list, request)
        case (.entry(let entry), .show): return show(entry, String(decoding: body, as: UTF8.self))
        case (.entry(let entry), .create), (.entry(let entry), .edit): return saved(entry, ask)
        case (.entry, .restore):
            (lastDeleted, message) = (nil, ScreenPhrase.restored.text(in: language))
            return reload()
        case (.entry(let entry), _): note(entry)
        case (.media(let file), .media(_, _, let size)) where ask.destination != nil:
            message = ScreenPhrase.written(file, size).text(in: language)
        case (.media, .media(let id, let media, _)): keepPicture(body, of: media, in: id)
        case (.tags(let counts, let unread), _):
            tags = counts
            tell(unread)
        case (.templates(let found), _): templates = found
        case (.template(let head), .template): return begin(with: head, String(decoding: body, as: UTF8.self))
        case (.staged(let file), _): return staged(file)
        case (.done, .outline): return accept(outline: body)
        case (.done, .delete(let id, let forever, _)): return deleted(id, forever: forever)
        default: break
        }
        return []
    }

    private mutating func accept(_ list: EntryList, _ request: DiaryRequest) -> [Effect] {
        for index in pages.indices {
            guard case .list(var pane) = pages[index], pane.accept(list, request, language, viewpoint) else { continue }
            pages[index] = .list(pane)
            if pane.isPartial { message = ScreenPhrase.partial.text(in: language) }
            // Of other lists it was told at the sign-in.
            if case .search = request { tell(list.unread) }
            return pane.requestForMore(near: size.bodyHeight).map { [.ask(Ask($0))] } ?? []
        }
        return []
    }

    /// Says how much could not be read, behind what there is to be told of the same answer.
    private mutating func tell(_ unread: [UnreadEntry]?) {
        let partial = ScreenPhrase.partial.text(in: language)
        guard let count = unread?.count, count > 0, message.isEmpty || message == partial else { return }
        message = [message, ScreenPhrase.unread(count, in: language)].filter { !$0.isEmpty }.joined(separator: " ")
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
        if case .editor(let editor) = page { return load(entry, text, into: editor) }
        guard case .entry(var shown) = page, shown.summary.id == entry.id else { return [] }
        shown.accept(entry, text)
        show(.entry(shown))
        note(entry)
        return drawsPictures ? shown.wantedPictures.map { .ask(Ask($0)) } : []
    }

    private mutating func load(_ entry: EntrySummary, _ text: String, into editor: EntryEditor) -> [Effect] {
        if editor.isWaiting(for: entry.id) {
            var loaded = EntryEditor(entry, text, size)
            loaded.awaitedCopy = editor.awaitedCopy
            show(.editor(loaded))
            return [.clear] + (editor.awaitedCopy.map { [.ask(Ask(.show(id: $0)))] } ?? [])
        }
        if editor.awaitedCopy == entry.id {
            var editor = editor
            editor.resume(entry, text)
            show(.editor(editor))
        }
        return []
    }

    private mutating func keepPicture(_ bytes: [UInt8], of file: String, in id: String) {
        switch page {
        case .entry(var shown) where shown.summary.id == id:
            shown.pictures[file] = bytes
            show(.entry(shown))
        case .files(var files) where files.entry.id == id:
            files.pictures[file] = bytes
            show(.files(files))
        default: break
        }
    }

    private mutating func deleted(_ id: String, forever: Bool) -> [Effect] {
        if droppedDrafts.contains(id) {
            if forever { droppedDrafts.remove(id) }
            return []
        }
        lastDeleted = forever ? lastDeleted == id ? nil : lastDeleted : id
        message = (forever ? ScreenPhrase.removed : .deleted).text(in: language)
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

    mutating func refuse(_ error: DiaryError, _ ask: Ask) -> [Effect] {
        let request = ask.request
        if error.code == .tooLarge, case .list = request { return askForFewer(request) }
        switch request {
        // A picture that cannot be had leaves its box.
        case .media where ask.destination == nil: return []
        case .media(_, _, .shared):
            message = error.sentence + " " + ScreenPhrase.originalHint.text(in: language)
            return []
        case .touch: return []
        case .delete(let id, _, .some):
            droppedDrafts.remove(id)
            // It is somebody else's by now, and stays.
            if error.code == .conflict { return [] }
        case .stage, .create, .edit: return notSaved(error, ask)
        case .show(let id):
            guard case .editor(var editor) = page else { break }
            if editor.isWaiting(for: id) {
                pages.removeLast()
            } else if editor.awaitedCopy == id {
                editor.awaitedCopy = nil
                show(.editor(editor))
            }
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
