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
            removals.restored()
            message = ScreenPhrase.restored.text(in: language)
            return reload()
        case (.entry(let entry), _): pages.accept(entry, here)
        case (.media(let file), .media(_, _, let size)) where ask.destination != nil:
            message = ScreenPhrase.written(file, size).text(in: language)
        case (.media, .media(let id, let media, let size)):
            pages.keepPicture(body, of: media, size, in: id)
            beside.keep(body, of: media, in: id)
        case (.tags(let counts, let unread), _):
            overview.accept(counts)
            tell(unread)
        case (.templates(let found), _): overview.accept(found)
        case (.template(let head), .template): return begin(with: head, String(decoding: body, as: UTF8.self))
        case (.staged(let file), _): return staged(file)
        case (.done, .outline): return accept(outline: body)
        case (.done, .delete(let id, let forever, _)): return deleted(id, forever: forever)
        default: break
        }
        return []
    }

    private mutating func accept(_ list: EntryList, _ request: DiaryRequest) -> [Effect] {
        guard let pane = pages.accept(list, request, here) else { return [] }
        if pane.isPartial { message = ScreenPhrase.partial.text(in: language) }
        // Of other lists it was told at the sign-in.
        if case .search(_, _, 0) = request { tell(list.unread) }
        return pane.requestForMore(near: here.size.bodyHeight).map { Self.ask([$0]) } ?? []
    }

    /// Says how much could not be read, behind what there is to be told of the same answer.
    private mutating func tell(_ unread: [UnreadEntry]?) {
        let partial = ScreenPhrase.partial.text(in: language)
        guard let count = unread?.count, count > 0, message.isEmpty || message == partial else { return }
        message = [message, ScreenPhrase.unread(count, in: language)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private mutating func accept(outline json: [UInt8]) -> [Effect] {
        guard overview.accept(outline: json) else {
            message = ScreenPhrase.unreadable.text(in: language)
            return []
        }
        return drawViews()
    }

    private mutating func deleted(_ id: String, forever: Bool) -> [Effect] {
        guard removals.deleted(id, forever: forever) else { return [] }
        message = (forever ? ScreenPhrase.removed : .deleted).text(in: language)
        pages.remove(id, here)
        overview.forgetCounts()
        if case .entry(let shown) = page, shown.summary.id == id { return goBack() }
        return readWhatIsShown()
    }

    // MARK: Refusals

    mutating func refuse(_ error: DiaryError, _ ask: Ask) -> [Effect] {
        let request = ask.request
        if error.code == .tooLarge, case .list = request {
            return pages.retryWithFewer(request).map { Self.ask([$0]) } ?? []
        }
        switch request {
        // A picture that cannot be had leaves its box.
        case .media where ask.destination == nil: return []
        case .media(_, _, .shared):
            message = error.sentence(in: language) + " " + ScreenPhrase.originalHint.text(in: language)
            return []
        case .touch: return []
        case .delete(let id, _, .some):
            removals.keep(draft: id)
            // It is somebody else's by now, and stays.
            if error.code == .conflict { return [] }
        case .stage, .create, .edit: return notSaved(error, ask)
        // Beside a list the first words stay.
        case .show(let id) where beside.entry?.id == id: return []
        case .show(let id): miss(id)
        default: break
        }
        message = error.sentence(in: language)
        return []
    }
}
