import DiaryClient
import DiaryViews
import TerminalScreen

/// The pages that lie over each other; there is always one, and the last of them is seen.
struct PageStack: Sendable {
    enum Page: Sendable {
        case list(EntryPane)
        case calendar(CalendarPane)
        case map(MapPane)
        case statistics
        case tags(TagsPane)
        case entry(EntryPage)
        case files(FilesPane)
        case picture(PicturePage)
        case editor(WritingPage)
        case settings(SettingsPane)
        case templates(TemplatesPane)

        /// Whether it shows one thing, which was chosen on a page below it.
        var isOneThing: Bool {
            switch self {
            case .entry, .picture, .editor: true
            case .list, .calendar, .map, .statistics, .tags, .files, .settings, .templates: false
            }
        }

        /// What it asks for from the start.
        var requests: [DiaryRequest] {
            if case .list(let pane) = self { pane.requests() } else { [] }
        }
    }

    private var pages: [Page] = [.list(EntryPane(.timeline))]

    /// What is seen.
    var top: Page {
        get { pages[pages.count - 1] }
        set { pages[pages.count - 1] = newValue }
    }

    /// The page of the menu, on which the others lie.
    var bottom: Page { pages[0] }

    /// The page whose numbers and names are meant in words, and how many pages lie over it.
    var listing: (page: Page, depth: Int) {
        let index = pages.lastIndex { !$0.isOneThing } ?? 0
        return (pages[index], pages.count - 1 - index)
    }

    /// Whether there is nothing to go back to.
    var isAtStart: Bool {
        if pages.count == 1, case .list(let pane) = pages[0] { pane.source == .timeline } else { false }
    }

    /// What the lists ask for, from the start.
    var requests: [DiaryRequest] { pages.flatMap(\.requests) }

    /// The place of that name in an entry that has been read.
    func place(named name: String) -> DiaryPlace? {
        for case .list(let pane) in pages {
            let places = pane.entries.lazy.compactMap(\.head.place)
            if let found = places.first(where: { $0.name == name || $0.locality == name }) { return found }
        }
        return nil
    }

    // MARK: Going

    /// One page in place of all.
    mutating func begin(with page: Page) { pages = [page] }

    mutating func push(_ page: Page) { pages.append(page) }

    /// Back to the page below.
    ///
    /// - Returns: false where there is none.
    @discardableResult mutating func pop() -> Bool {
        guard pages.count > 1 else { return false }
        pages.removeLast()
        return true
    }

    /// Selects another entry in the list below the page that is seen.
    ///
    /// - Returns: that list; nil where there is none, or no other entry in this direction.
    mutating func moveBelow(by step: Int) -> EntryPane? {
        guard pages.count > 1, case .list(var pane) = pages[pages.count - 2] else { return nil }
        let former = pane.row
        pane.move(by: step)
        pages[pages.count - 2] = .list(pane)
        return pane.row == former ? nil : pane
    }

    // MARK: What comes from outside

    mutating func resize(_ size: ScreenSize, _ outline: Outline?) {
        for index in pages.indices {
            switch pages[index] {
            case .entry(var entry):
                entry.resize(size)
                pages[index] = .entry(entry)
            case .files(var files):
                files.size = size
                pages[index] = .files(files)
            case .picture(var picture):
                picture.size = size
                pages[index] = .picture(picture)
            case .editor(var writing):
                writing.resize(size)
                pages[index] = .editor(writing)
            case .map(var map):
                map.draw(outline, size)
                pages[index] = .map(map)
            case .list, .calendar, .statistics, .tags, .settings, .templates: break
            }
        }
    }

    /// Lists are arranged anew, because another day is today.
    mutating func arrange(_ here: Surroundings) {
        changeLists { $0.arrange(here.language, here.viewpoint) }
    }

    /// Takes an entry out of all lists.
    mutating func remove(_ id: String, _ here: Surroundings) {
        changeLists { $0.remove(id, here.language, here.viewpoint) }
    }

    private mutating func changeLists(_ change: (inout EntryPane) -> Void) {
        for index in pages.indices {
            guard case .list(var pane) = pages[index] else { continue }
            change(&pane)
            pages[index] = .list(pane)
        }
    }

    /// - Returns: the list that had asked for this; nil where none had.
    mutating func accept(_ list: EntryList, _ request: DiaryRequest, _ here: Surroundings) -> EntryPane? {
        for index in pages.indices {
            guard case .list(var pane) = pages[index],
                pane.accept(list, request, here.language, here.viewpoint)
            else { continue }
            pages[index] = .list(pane)
            return pane
        }
        return nil
    }

    /// The same question for fewer entries at once; nil where no list had asked it, or for one already.
    mutating func retryWithFewer(_ request: DiaryRequest) -> DiaryRequest? {
        for index in pages.indices {
            guard case .list(var pane) = pages[index], let fewer = pane.retryWithFewer(request) else { continue }
            pages[index] = .list(pane)
            return fewer
        }
        return nil
    }

    /// An entry that was asked for by itself, or is another by now.
    mutating func accept(_ entry: EntrySummary, _ here: Surroundings) {
        for index in pages.indices {
            switch pages[index] {
            case .list(var pane):
                pane.accept(entry, here.language, here.viewpoint)
                pages[index] = .list(pane)
            case .calendar(var pane):
                pane.accept(entry)
                pages[index] = .calendar(pane)
            default: break
            }
        }
    }

    /// Calendar and map are drawn from all entries in short.
    ///
    /// - Returns: what is to be asked for besides.
    mutating func drawViews(_ outline: Outline?, _ here: Surroundings) -> [DiaryRequest] {
        var requests: [DiaryRequest] = []
        for index in pages.indices {
            switch pages[index] {
            case .calendar(var pane):
                requests += pane.update(outline, here)
                pages[index] = .calendar(pane)
            case .map(var pane):
                pane.draw(outline, here.size)
                pages[index] = .map(pane)
            default: break
            }
        }
        return requests
    }

    /// A thumbnail has come.
    mutating func keepPicture(_ bytes: [UInt8], of file: String, _ size: MediaSize, in id: String) {
        switch top {
        case .entry(var shown) where shown.summary.id == id:
            shown.pictures[file] = bytes
            top = .entry(shown)
        case .files(var files) where files.entry.id == id:
            files.pictures[file] = bytes
            top = .files(files)
        case .picture(var picture) where picture.entry.id == id:
            picture.keep(bytes, of: file, size)
            top = .picture(picture)
        default: break
        }
    }
}
