import DiaryClient
import DiaryViews
import TerminalScreen

/// Columns and rows of the terminal.
struct ScreenSize: Equatable, Sendable {
    let columns: Int
    let rows: Int

    /// Below this, only a sentence is shown.
    var isTooSmall: Bool { columns < 20 || rows < 8 }

    /// Rows between the two at the top and the one at the foot.
    var bodyHeight: Int { max(1, rows - 3) }
}

/// The diary while somebody is signed in: everything that has been read of it, and what of that is seen.
///
/// A value without I/O, like ``DiaryScreen``, which drops it when the diary is locked.
struct OpenDiary: Sendable {
    enum Page: Sendable {
        case list(EntryPane)
        case calendar(CalendarPane)
        case map(MapPane)
        case statistics
        case tags(row: Int)
        case entry(EntryPage)
        case files(FilesPane)
        case editor(EntryEditor)
        case settings(row: Int)
        case templates(row: Int)
    }

    /// What stands in the last row, or over everything, until it is answered.
    enum Dialog: Sendable {
        case help(TextView)
        case search(TypedLine)
        case deletion(id: String)
        /// Out of the trash, for good.
        case removal(id: String)
        case discarding
        case saving(FileSaving)
    }

    var size: ScreenSize
    let language: DiaryLanguage
    let zone: DiaryZone
    let drawsPictures: Bool
    let isSpoken: Bool
    var now: Moment
    /// The one that is seen is the last; there is always one.
    var pages: [Page]
    var dialog: Dialog?
    var message = ""
    /// What changed clocks did to the date that is being saved.
    var clockRemark: String?
    /// What tresor-diary last said of itself.
    var status: DiaryStatus?
    /// How much was said to be damaged.
    private var toldDamage = 0
    /// All entries in short, for calendar, map and statistics; nil until they are asked for.
    var outline: Outline?
    /// The statistics, made of these.
    var facts: [WritingStatistics.Fact]?
    var tags: [TagCount]?
    var templates: [DiaryTemplate]?
    /// The day on which everything was arranged.
    private var day: LocalDay
    /// What `z` takes out of the trash again.
    var lastDeleted: String?
    /// Drafts that are removed because what they kept is saved, or not wanted.
    var droppedDrafts: Set<String> = []
    /// Uptime at which the diary locks if nobody touches anything.
    var locksAt: UInt64?
    /// When lists are read anew; several changes in a row cause one reading.
    var reloadDue: UInt64?

    /// Milliseconds in which several changes are waited for.
    static let reloadDelay: UInt64 = 200

    init(size: ScreenSize, language: DiaryLanguage, zone: DiaryZone, now: Moment, drawsPictures: Bool, isSpoken: Bool) {
        self.size = size
        self.language = language
        self.zone = zone
        self.now = now
        self.drawsPictures = drawsPictures
        self.isSpoken = isSpoken
        pages = [.list(EntryPane(.timeline))]
        day = Viewpoint(now: now.date, zone: zone).today
    }

    var page: Page { pages[pages.count - 1] }

    var viewpoint: Viewpoint { Viewpoint(now: now.date, zone: zone) }

    /// When something is to be done without a key, in milliseconds of uptime.
    var deadline: UInt64? { [reloadDue, editor?.draftDue].compactMap(\.self).min() }

    mutating func resize(_ newSize: ScreenSize) {
        size = newSize
        for index in pages.indices { resize(page: index) }
        if case .help = dialog { dialog = .help(TextView(width: size.columns, height: size.bodyHeight)) }
    }

    private mutating func resize(page index: Int) {
        switch pages[index] {
        case .entry(var entry):
            entry.resize(size)
            pages[index] = .entry(entry)
        case .files(var files):
            files.size = size
            pages[index] = .files(files)
        case .editor(var editor):
            editor.resize(size)
            pages[index] = .editor(editor)
        case .map(var map):
            map.draw(outline, size)
            pages[index] = .map(map)
        case .list, .calendar, .statistics, .tags, .settings, .templates: break
        }
    }

    // MARK: What is known

    /// How long it stays open.
    mutating func note(_ status: DiaryStatus) {
        self.status = status
        locksAt = status.locksIn.map { now.uptime + UInt64(max($0, 0)) * 1000 }
    }

    /// Says once how much is damaged, and again where it is more.
    mutating func tellDamage(of status: DiaryStatus) {
        guard status.damaged.count > toldDamage else { return }
        toldDamage = status.damaged.count
        message = ScreenPhrase.damaged(toldDamage, in: language)
    }

    /// The list that is seen or lies under what is seen, read from the start.
    func load() -> [Effect] {
        var effects: [Effect] = []
        for page in pages {
            if case .list(let pane) = page { effects += pane.requests().map { .ask(Ask($0)) } }
        }
        return effects + readWhatIsShown()
    }

    /// What the page that is seen needs besides.
    func readWhatIsShown() -> [Effect] {
        switch page {
        case .calendar, .map, .statistics: outline == nil ? [.ask(Ask(.outline))] : []
        case .tags: tags == nil ? [.ask(Ask(.tags))] : []
        case .settings: [.ask(Ask(.status))]
        case .templates: templates == nil ? [.ask(Ask(.templates))] : []
        case .list, .entry, .files, .editor: []
        }
    }

    /// Another client has changed something, or this one has.
    mutating func changedElsewhere() -> [Effect] {
        reloadDue = reloadDue ?? now.uptime + Self.reloadDelay
        return []
    }

    /// Everything that was read may be another by now.
    mutating func reload() -> [Effect] {
        reloadDue = nil
        (outline, facts, tags, templates) = (nil, nil, nil, nil)
        return load()
    }

    /// Does what is due.
    mutating func passTime() -> [Effect] {
        var effects: [Effect] = []
        if let due = editor?.draftDue, due <= now.uptime { effects += handInDraft() }
        if let due = reloadDue, due <= now.uptime { effects += reload() }
        if day != viewpoint.today { effects += beginDay() }
        if let locksAt, locksAt <= now.uptime {
            self.locksAt = nil
            effects.append(.ask(Ask(.status)))
        }
        return effects
    }

    /// Midnight: today is yesterday.
    private mutating func beginDay() -> [Effect] {
        day = viewpoint.today
        for index in pages.indices {
            guard case .list(var pane) = pages[index] else { continue }
            pane.arrange(language, viewpoint)
            pages[index] = .list(pane)
        }
        return drawViews()
    }

    // MARK: Pages

    /// The editor, where it is what is seen.
    var editor: EntryEditor? {
        if case .editor(let editor) = page { editor } else { nil }
    }

    /// Replaces the page that is seen.
    mutating func show(_ page: Page) { pages[pages.count - 1] = page }

    /// Goes to one of the menu's pages.
    mutating func go(to page: Page) -> [Effect] {
        pages = [page]
        var effects: [Effect] = [.clear]
        if case .list(let pane) = page { effects += pane.requests().map { .ask(Ask($0)) } }
        return effects + readWhatIsShown()
    }

    /// Puts a page over the one that is seen.
    mutating func push(_ page: Page) -> [Effect] {
        pages.append(page)
        var effects: [Effect] = [.clear]
        if case .list(let pane) = page { effects += pane.requests().map { .ask(Ask($0)) } }
        return effects
    }

    /// Back to the page below, at the bottom to the timeline.
    mutating func goBack() -> [Effect] {
        if pages.count > 1 {
            pages.removeLast()
            return [.clear] + readWhatIsShown()
        }
        if case .list(let pane) = page, pane.source == .timeline { return [] }
        return go(to: .list(EntryPane(.timeline)))
    }
}
