import DiaryViews
import KeychainHealth
import Localization
import NotesClient
import ShippedCatalogues
import Testing
import WidgetClient
import Widgets
import Wire

@testable import WidgetHost

/// What our own widgets make of what they are given: words, places, and what a lock leaves of them.
@Suite struct GalleryTests {
    /// Where nothing is: nobody is asked for what a test gives.
    private let home: Home

    init() throws { home = try Home(environment: { $0 == "TRESOR_HOME" ? "/none" : nil }, user: 0) }

    @Test(arguments: ["de", "fr", "nb"])
    func `what our widgets are for is English in every language, and whoever lists them can translate it`(
        language: String
    ) throws {
        let catalogue = try ShippedCatalogue.read(language)
        let english = Gallery(home: home, catalog: nil, settings: nil).all.map { WidgetSummary($0) }
        let said = Localization.speaking(catalogue) {
            Gallery(home: home, catalog: nil, settings: nil).all.map { WidgetSummary($0) }
        }
        #expect(said.map(\.summary) == english.map(\.summary) && said.map(\.displayName) != english.map(\.displayName))
        for widget in said {
            #expect(widget.isOurs && translated(widget.summary, in: catalogue) != widget.summary, "\(widget.kind)")
        }
    }

    /// 14:05 UTC on 27 November 2026.
    private static let now: Int64 = 1_795_788_300_000_000
    private static let viewpoint = Viewpoint(now: now, zone: DiaryZone("UTC"))

    private static func note(
        _ title: String, _ opening: String = "", daysAgo: Int64 = 0, isLocked: Bool = false
    ) -> ShownNote {
        let date = now - daysAgo * 86_400_000_000
        var summary = NoteSummary(id: "a", title: title, created: date, modified: date, revision: 1)
        summary.isLocked = isLocked
        return ShownNote(summary, opening: opening, seenFrom: viewpoint)
    }

    /// A widget in an environment, as every renderer gets it.
    private static func frame<W: Widget>(
        _ widget: W, _ content: W.Provider.Content, _ sealed: Sealed<W.Provider.Secret>, _ family: WidgetFamily,
        _ reasons: RedactionReasons = []
    ) -> WidgetFrame {
        let entry = WidgetEntry(date: Moment(microseconds: now), content: content, sealed: sealed)
        let environment = ViewEnvironment(family: family, redactionReasons: reasons)
        let root = Redaction.resolve(widget.body(entry, in: family), in: environment)
        let state: WidgetFrame.State =
            reasons.isEmpty ? .shown : reasons.contains(.placeholder) ? .placeholder : .redacted
        return WidgetFrame(widget.configuration, family: family, state: state, root: root)
    }

    private static func text<W: Widget>(
        _ widget: W, _ content: W.Provider.Content, _ secret: W.Provider.Secret, _ family: WidgetFamily
    ) -> String {
        PlainTextRenderer.render(frame(widget, content, Sealed(secret), family), columns: 40)
    }

    /// How far down a tile something is drawn, in points.
    private static func depth(_ frame: WidgetFrame) -> Double {
        Layout.place(frame, measure: EstimatedText()).dropFirst().reduce(0) { depth, item in
            switch item {
            case .fill(let box, _, _, _), .text(_, let box, _, _, _), .picture(_, let box, _, _),
                .symbol(_, _, let box, _), .ring(let box, _, _, _):
                max(depth, box.y + box.height)
            }
        }
    }

    // MARK: Notes

    @Test func `a note has its date and the line below its title`() {
        let widget = RecentNotes(home: home, selection: .recent)
        let notes = [Self.note("Shopping", "Milk, bread"), Self.note("Dentist", daysAgo: 40)]
        #expect(
            Self.text(widget, "Notes", notes, .systemSmall)
                == "📝 Notes\nShopping\n14:05 · Milk, bread\nDentist\n18 Oct")
        // A bar has room for a title alone.
        #expect(Self.text(widget, "Notes", notes, .accessoryInline) == "📝 Shopping")
        #expect(Self.text(widget, "Notes", notes, .accessoryRectangular) == "📝 Notes\nShopping\nDentist")
    }

    @Test func `of a locked note there is neither date nor line`() {
        let notes = [Self.note("Secret plans", "burn this", isLocked: true)]
        #expect(notes[0].details.isEmpty)
        let text = Self.text(RecentNotes(home: home, selection: .recent), "Notes", notes, .systemLarge)
        #expect(text == "📝 Notes\n🔒 Locked note")
    }

    @Test(arguments: [(Int64(0), "14:05"), (1, "26 Nov"), (326, "5 Jan"), (331, "31 Dec 2025"), (-1, "28 Nov")])
    func `a date is as short as it can be`(_ days: Int64, _ words: String) {
        #expect(WidgetDate.text(of: Self.now - days * 86_400_000_000, seenFrom: Self.viewpoint) == words)
    }

    @Test func `a date of yesterday is one where the owner is`() {
        // 00:30 in Oslo, 23:30 of the day before in London.
        let night: Int64 = 1_795_735_800_000_000
        let oslo = Viewpoint(now: night + 60_000_000, zone: DiaryZone("GMT+0100"))
        #expect(WidgetDate.text(of: night, seenFrom: oslo) == "00:30")
        #expect(WidgetDate.text(of: night - 3_600_000_000, seenFrom: oslo) == "26 Nov")
    }

    @Test(arguments: [
        ("# Plans\n\nBuy *milk* and `bread`.", "Buy milk and bread."), ("Plans\n- [x] done\n- next", "done"),
        ("# A\n> quoted [site](https://example.org/a) ![x](attachment:1)\n", "quoted site"), ("# Only a title", ""),
        ("", ""), ("# A\n---\n```\n", ""), ("\n\n# A\r\n\r\n## Part\r\nmore", "Part"), ("A\n#tag stays", "#tag stays"),
        ("A\n[open [[[ forever", "[open [[[ forever"),
    ])
    func `the line below a title has no marks of Markdown`(_ markdown: String, _ line: String) {
        #expect(NoteOpening.line(of: Array(markdown.utf8)) == line)
    }

    @Test func `an endless line costs no more than its beginning`() {
        let endless = "A\n" + String(repeating: "e\u{301}", count: 200_000)
        #expect(NoteOpening.line(of: Array(endless.utf8)).unicodeScalars.count <= 600)
        let brackets = "A\nb" + String(repeating: "[", count: 1_000_000)
        #expect(NoteOpening.line(of: Array(brackets.utf8)).hasPrefix("b[["))
        #expect(NoteOpening.line(of: [0x41, 0x0A, 0xFF, 0xC3, 0x62]).hasSuffix("b"))
    }

    // MARK: Counts

    @Test func `one is one`() {
        #expect(WidgetCount.entries(0) == "0 entries in all")
        #expect(WidgetCount.entries(1) == "1 entry in all")
        let days = WritingDays(home: home)
        let one = WritingDays.Month(written: 1, days: 30, entries: 1)
        let two = WritingDays.Month(written: 2, days: 30, entries: 2)
        #expect(Self.text(days, "Writing days", one, .systemSmall).hasSuffix("\n1 entry in all"))
        #expect(Self.text(days, "Writing days", two, .systemSmall).hasSuffix("\n2 entries in all"))
        var report = HealthReport()
        (report.expiredCertificates, report.expiringCertificates, report.total) = (1, 1, 1)
        let health = Self.text(HealthWidget(home: home), "Keychain", report, .systemMedium)
        #expect(health.contains("1 certificate ended\n") && health.contains("1 certificate ends soon\n"))
        #expect(health.contains("1 of 1 password fine"))
        (report.expiredCertificates, report.expiringCertificates, report.total) = (2, 0, 2)
        let more = Self.text(HealthWidget(home: home), "Keychain", report, .systemMedium)
        #expect(more.contains("2 certificates ended") && more.contains("2 of 2 passwords fine"))
    }

    // MARK: Codes

    private static func code(_ title: String, _ left: Int) -> CodesWidget.Shown {
        CodesWidget.Shown(title: title, digits: "279 037", secondsLeft: left, period: 30)
    }

    @Test func `a code says how long it is good`() {
        let widget = CodesWidget(home: home)
        #expect(Self.text(widget, "Codes", [Self.code("Mail", 20)], .accessoryInline) == "🕒 Mail 279 037 · 20 s")
        let codes = [Self.code("Mail", 10), Self.code("Work", 20)]
        for family in [WidgetFamily.systemSmall, .systemMedium, .systemLarge] {
            let text = Self.text(widget, "Codes", codes, family)
            #expect(text.contains("10 s") && text.contains("20 s") && text.contains("Work"), "\(family)")
        }
        // Alone it is large, with a bar.
        #expect(Self.text(widget, "Codes", [Self.code("Mail", 10)], .systemSmall).contains("33%"))
    }

    // MARK: Tiles

    @Test func `a tile with as much as it holds reaches its end, and one with less is not half empty`() {
        let notes = RecentNotes(home: home, selection: .recent)
        let long = String(repeating: "The fjord was still. ", count: 40)
        for (family, count) in [(WidgetFamily.systemSmall, 2), (.systemMedium, 2), (.systemLarge, 6)] {
            let end = Double(family.size.height) - family.padding.y
            for number in 1...count {
                let shown = (0..<number).map { _ in Self.note("A note", long) }
                let depth = Self.depth(Self.frame(notes, "Notes", Sealed(shown), family))
                #expect(depth <= end && depth > 0.75 * end, "\(family) \(number): \(depth) of \(end)")
            }
        }
        let month = WritingDays.Month(written: 12, days: 30, entries: 40)
        #expect(
            Self.depth(Self.frame(WritingDays(home: home), "Days", Sealed(month), .systemSmall)) > 0.75 * 142)
        let codes = (0..<4).map { Self.code("Site \($0)", 20) }
        for (family, count) in [(WidgetFamily.systemSmall, 2), (.systemMedium, 4)] {
            let frame = Self.frame(CodesWidget(home: home), "Codes", Sealed(Array(codes.prefix(count))), family)
            #expect(Self.depth(frame) > 0.75 * 142)
        }
    }

    // MARK: Locked

    private static func outputs(_ frame: WidgetFrame) -> [String] {
        [
            PlainTextRenderer.render(frame), ANSIRenderer.render(frame), WaybarRenderer.render(frame),
            I3barRenderer.line([frame]), TmuxRenderer.render(frame), JSONRenderer.render(frame),
            HTMLRenderer.render(frame), SVGRenderer.render(frame),
        ]
    }

    /// How many renderings there are of a widget with these secrets, and with none, where it may not be seen.
    private static func lockedOutputs<W: Widget>(
        _ widget: W, _ content: W.Provider.Content, _ secrets: [W.Provider.Secret]
    ) -> [Set<[String]>] {
        var all: [Set<[String]>] = []
        for family in widget.configuration.families {
            for reasons in [RedactionReasons.privacy, .placeholder, [.privacy, .placeholder]] {
                let seals = secrets.map { Sealed($0) } + [.shut]
                all.append(Set(seals.map { outputs(frame(widget, content, $0, family, reasons)) }))
            }
        }
        return all
    }

    @Test func `locked, each of them gives the same bytes whatever it hides`() {
        let long = String(repeating: "數 and עברית ", count: 30)
        let notes = [
            [], [Self.note("Ox")], [Self.note(long, long, daysAgo: 400), Self.note("b", "c"), Self.note("d")],
            [Self.note("x", isLocked: true)],
        ]
        for selection in [RecentNotes.Selection.recent, .pinned] {
            let widget = RecentNotes(home: home, selection: selection)
            #expect(Self.lockedOutputs(widget, "Notes", notes).allSatisfy { $0.count == 1 })
        }
        let codes = [[], [Self.code("a", 30)], [Self.code(long, 10), Self.code("b", 1)]]
        #expect(Self.lockedOutputs(CodesWidget(home: home), "Codes", codes).allSatisfy { $0.count == 1 })
        let lists = ["- [ ] a", "- [x] a\n- [ ] \(long)"].map { ChecklistProgress(title: long, markdown: $0) }
        let checklists = Checklists(home: home)
        #expect(
            Self.lockedOutputs(checklists, "Checklists", [[], lists.compactMap { $0 }]).allSatisfy { $0.count == 1 })
        let months = [1, 30].map { WritingDays.Month(written: $0, days: 30, entries: $0 * 100) }
        #expect(Self.lockedOutputs(WritingDays(home: home), "Days", months).allSatisfy { $0.count == 1 })
        let memories = [
            nil, DiaryMemory(heading: "a", opening: "b", photo: nil),
            DiaryMemory(heading: long, opening: long, photo: [0xFF, 0xD8, 0xFF, 1]),
        ]
        #expect(
            Self.lockedOutputs(OnThisDayWidget(home: home), "On this day", memories).allSatisfy { $0.count == 1 })
        var report = HealthReport()
        (report.weak, report.total, report.affected) = (12, 300, 12)
        #expect(
            Self.lockedOutputs(HealthWidget(home: home), "Keychain", [HealthReport(), report])
                .allSatisfy { $0.count == 1 })
    }
}
