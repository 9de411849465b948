import DiaryClient
import DiaryViews
import TerminalScreen

/// The diary while somebody is signed in: everything that has been read of it, and what of that is seen.
///
/// A value without I/O, like ``DiaryScreen``, which drops it when the diary is locked. Pages and dialogs own what they
/// show and say what they want (``PageWish``); this holds what lies beneath them all, and does it.
struct OpenDiary: Sendable {
    private(set) var here: Surroundings
    var pages = PageStack()
    var dialog: DiaryDialog?
    var message = ""
    var overview = Overview()
    var standing = Standing()
    var removals = Removals()
    var beside = BesidePane()
    /// The day on which everything was arranged.
    private var day: LocalDay
    /// When lists are read anew; several changes in a row cause one reading.
    private var reloadDue: UInt64?

    /// Milliseconds in which several changes are waited for.
    static let reloadDelay: UInt64 = 200

    init(_ here: Surroundings) {
        self.here = here
        day = here.viewpoint.today
    }

    var language: DiaryLanguage { here.language }

    var page: PageStack.Page { pages.top }

    /// When something is to be done without a key, in milliseconds of uptime.
    var deadline: UInt64? { [reloadDue, editor?.draftDue, beside.due].compactMap(\.self).min() }

    mutating func resize(_ newSize: ScreenSize) {
        here.size = newSize
        pages.resize(newSize, overview.outline)
        dialog?.resize(newSize)
    }

    // MARK: What is known

    /// How long it stays open.
    mutating func note(_ status: DiaryStatus) { standing.note(status, at: here.now.uptime) }

    /// Says once how much is damaged, and again where it is more.
    mutating func tellDamage(of status: DiaryStatus) {
        guard let count = standing.newDamage(in: status) else { return }
        message = ScreenPhrase.damaged(count, in: language)
    }

    /// Says once that there are drafts, such as of a window that was closed, and how to go on with one; not while one
    /// is written.
    mutating func tellDrafts(of status: DiaryStatus) {
        guard let count = standing.draftsFound(in: status), editor == nil else { return }
        let words = ScreenPhrase.drafts(count, isSpoken: here.isSpoken, in: language)
        message = [message, words].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The list that is seen or lies under what is seen, read from the start.
    func load() -> [Effect] { Self.ask(pages.requests) + readWhatIsShown() }

    /// What the page that is seen needs besides.
    func readWhatIsShown() -> [Effect] { Self.ask(overview.requests(for: page)) }

    static func ask(_ requests: [DiaryRequest]) -> [Effect] { requests.map { .ask(Ask($0)) } }

    /// Another client has changed something, or this one has.
    mutating func changedElsewhere() -> [Effect] {
        reloadDue = reloadDue ?? here.now.uptime + Self.reloadDelay
        return []
    }

    /// Everything that was read may be another by now.
    mutating func reload() -> [Effect] {
        reloadDue = nil
        overview.forget()
        return load()
    }

    /// Calendar and map are drawn from all entries in short.
    mutating func drawViews() -> [Effect] {
        overview.count(here)
        return Self.ask(pages.drawViews(overview.outline, here))
    }

    // MARK: Time

    /// What is done next is done at this time.
    mutating func setTime(_ now: Moment) { here.now = now }

    /// Does what is due.
    mutating func passTime() -> [Effect] {
        let now = here.now.uptime
        var effects: [Effect] = []
        if let due = editor?.draftDue, due <= now { effects += handInDraft() }
        if let due = reloadDue, due <= now { effects += reload() }
        effects += Self.ask(beside.requests(at: now))
        if day != here.viewpoint.today { effects += beginDay() }
        if standing.endsNow(now) { effects += Self.ask([.status]) }
        return effects
    }

    /// Midnight: today is yesterday.
    private mutating func beginDay() -> [Effect] {
        day = here.viewpoint.today
        pages.arrange(here)
        return drawViews()
    }

    // MARK: Pages

    /// Goes to one of the menu's pages.
    mutating func go(to page: PageStack.Page) -> [Effect] {
        pages.begin(with: page)
        return [.clear] + load()
    }

    /// Puts a page over the one that is seen.
    mutating func push(_ page: PageStack.Page) -> [Effect] {
        pages.push(page)
        return [.clear] + Self.ask(page.requests)
    }

    /// Back to the page below, at the bottom to the timeline.
    mutating func goBack() -> [Effect] {
        if pages.pop() { return [.clear] + readWhatIsShown() }
        if case .list(let pane) = page, pane.source == .timeline { return [] }
        return go(to: .list(EntryPane(.timeline)))
    }

    // MARK: What is seen

    func frame() -> Frame { OpenDiaryView(diary: self).frame() }

    /// The terminal has said whether it takes pictures.
    mutating func drawPictures(_ isSo: Bool) -> [Effect] {
        here.drawsPictures = isSo
        return isSo ? fulfil(page.wantedPictures(here)) : []
    }

    /// Where thumbnails that have come are drawn; none where something lies over the page.
    var picturePlaces: [PicturePlace] {
        dialog?.isHelp == true || here.size.isTooSmall ? [] : page.picturePlaces(beside, here)
    }

    func picture(of file: String) -> [UInt8]? { page.picture(of: file, beside) }
}
