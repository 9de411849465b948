import DiaryClient
import DiaryViews
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// What lies below an open diary, each part by itself.
@Suite struct OpenDiaryPartsTests {
    /// Sunday, 22 November 2026, 14:05 in Oslo.
    private let here = Surroundings(
        size: ScreenSize(columns: 80, rows: 24), language: .english, zone: DiaryZone("Europe/Oslo"),
        drawsPictures: true, isSpoken: false, now: Moment(uptime: 1000, date: 1_795_352_700_000_000))

    private var entries: [EntrySummary] {
        DiaryWorld.sample.entries.map(\.summary).sorted { $0.head.date > $1.head.date }
    }

    private func status(damaged: [String] = [], locksIn: Int? = nil) -> DiaryStatus {
        DiaryStatus(
            isRegistered: true, isSignedIn: true, locksIn: locksIn, entries: 1, damaged: damaged,
            settings: DiarySettings(), process: 1)
    }

    // MARK: Removals

    @Test func `a dropped draft goes without a word, to the trash and for good`() {
        var removals = Removals()
        removals.drop(draft: "draft")
        let told = [false, true, false].map { removals.deleted("draft", forever: $0) }
        #expect(told == [false, false, true] && removals.last == "draft")
    }

    @Test func `a draft that stays is somebody's, and its removal is told`() {
        var removals = Removals()
        removals.drop(draft: "draft")
        removals.keep(draft: "draft")
        let isTold = removals.deleted("draft", forever: false)
        #expect(isTold)
    }

    @Test func `what was deleted last can be taken back until it is gone for good`() {
        var removals = Removals()
        _ = removals.deleted("one", forever: false)
        _ = removals.deleted("two", forever: true)
        #expect(removals.last == "one")
        _ = removals.deleted("one", forever: true)
        #expect(removals.last == nil)
    }

    // MARK: Standing

    @Test func `damage is told once, and again where it is more`() {
        var standing = Standing()
        let told = [[], ["one"], ["one"], ["one", "two"]].map { standing.newDamage(in: status(damaged: $0)) }
        #expect(told == [nil, 1, nil, 2])
    }

    @Test func `the end is announced in the last half minute, and asked about once`() {
        var standing = Standing()
        standing.note(status(locksIn: 60), at: 1000)
        let left = [31_000, 31_001, 60_999, 70_000].map { standing.secondsLeft(at: $0) }
        #expect(left == [nil, 30, 1, 0])
        let ends = [60_999, 61_000, 61_000].map { standing.endsNow($0) }
        #expect(ends == [false, true, false])
        standing.note(status(), at: 1000)
        let endsOnceMore = standing.endsNow(.max)
        #expect(standing.secondsLeft(at: 1000) == nil && !endsOnceMore)
    }

    // MARK: Pages

    @Test func `there is always a page, and the last of them is seen`() {
        var pages = PageStack()
        pages.push(.statistics)
        let isSeen = if case .statistics = pages.top { true } else { false }
        let isBelow = if case .list = pages.bottom { true } else { false }
        #expect(isSeen && isBelow)
        let popped = [pages.pop(), pages.pop()]
        #expect(popped == [true, false])
        pages.push(.statistics)
        pages.begin(with: .tags(TagsPane()))
        let poppedOfMenu = pages.pop()
        #expect(!poppedOfMenu, "a page of the menu lies over nothing")
    }

    @Test func `the list below moves to the next entry, and not beyond its last`() {
        var pages = PageStack()
        let ofNothing = pages.moveBelow(by: 1)
        #expect(ofNothing == nil, "there is nothing below")
        let list = EntryList(entries: entries, total: entries.count)
        let unasked = pages.accept(list, .status, here)
        let asked = pages.accept(list, pages.requests[0], here)
        #expect(unasked == nil && asked?.entries.count == entries.count)
        pages.push(.statistics)
        let rows = [-1, 1, 100, 1].map { pages.moveBelow(by: $0)?.row }
        #expect(rows == [nil, 1, entries.count - 1, nil])
    }

    @Test func `a place is known by its name or its town from a list that was read`() {
        var pages = PageStack()
        #expect(pages.place(named: "Drøbak") == nil)
        _ = pages.accept(EntryList(entries: entries, total: entries.count), pages.requests[0], here)
        #expect(pages.place(named: "Drøbak")?.latitude == 59.67)
        #expect(pages.place(named: "Berlin")?.longitude == 13.4)
        #expect(pages.place(named: "Hawaii") == nil, "that is a country")
    }

    // MARK: Dialogs

    @Test func `a question takes yes and no and no other key`() {
        var dialog = DiaryDialog.deletion(id: "one")
        let steps = [Key.text("x"), .escape, .text("y")].map { dialog.press($0, .english) }
        #expect(dialog.isQuestion && steps.map { $0.isOver } == [false, true, true])
        #expect(steps.map { $0.wishes.count } == [0, 0, 1])
        let effect: Effect? = if case .want(let wanted) = steps[2].wishes.first { wanted } else { nil }
        #expect(effect == .ask(Ask(.delete(id: "one", forever: false))))
    }

    @Test func `a path is completed where it still stands`() {
        let file = DiaryWorld.photo("lake.jpg", "file")
        var dialog = DiaryDialog.saving(FileSaving(file, of: "one", keepsAll: true))
        var help = DiaryDialog.firstHelp(here.size)
        let completion = TypedPath.Completion("~/pi", among: [(text: "pictures", isFolder: true)])
        let taken = ["~/elsewhere", "lake.jpg"].map { dialog.complete(completion, of: $0) }
        let isTakenInHelp = help.complete(completion, of: "lake.jpg")
        #expect(taken == [false, true] && !isTakenInHelp)
        let path: String? = if case .saving(let saving) = dialog { saving.path.text } else { nil }
        #expect(path == "~/pictures/")
    }

    // MARK: What is known

    @Test func `what was read is asked for again only after it is forgotten`() {
        var overview = Overview()
        let (tags, templates) = (PageStack.Page.tags(TagsPane()), PageStack.Page.templates(TemplatesPane()))
        #expect(overview.requests(for: tags) == [.tags])
        overview.accept([TagCount(tag: "sea", count: 1)])
        #expect(overview.requests(for: tags).isEmpty)
        overview.accept([DiaryTemplate(name: "Morning")])
        overview.forgetCounts()
        #expect(overview.requests(for: tags) == [.tags])
        #expect(overview.requests(for: templates).isEmpty, "no entry counts in a template")
        overview.forget()
        #expect(overview.requests(for: templates) == [.templates])
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9999, "9.9 kB"), (10_000, "10 kB"),
            (3_412_000, "3.4 MB"), (5_000_000_000, "5.0 GB"),
        ] as [(UInt64, String)])
    func `sizes are told in powers of ten`(bytes: UInt64, words: String) {
        #expect(FileSize.words(bytes) == words)
    }
}
