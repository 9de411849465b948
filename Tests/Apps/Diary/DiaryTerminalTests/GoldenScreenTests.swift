import Checkout
import DiaryClient
import DiaryViews
import Foundation
import ShippedCatalogues
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// Screens as people see them, compared with the files beside this one, which docs/screens/diary.md shows.
///
/// With `TRESOR_WRITE_SCREENS=1` in the environment the files are written instead; look at them before you commit.
@Suite(.serialized) struct GoldenScreenTests {
    init() throws { try ShippedCatalogue.keepAll() }

    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let folder = tests.appendingPathComponent("Screens")
    private static let page = Checkout.root.appendingPathComponent("docs/screens/diary.md")
    private static let isWriting = ProcessInfo.processInfo.environment["TRESOR_WRITE_SCREENS"] == "1"

    private func expect(_ stage: Stage, looksLike name: String) throws {
        let file = Self.folder.appendingPathComponent(name + ".txt")
        if Self.isWriting { try stage.text.write(to: file, atomically: true, encoding: .utf8) }
        #expect(try stage.text == String(contentsOf: file, encoding: .utf8))
        let lines = stage.screen.frame().lines
        #expect(lines.count == stage.screen.rows && lines.allSatisfy { $0.width == stage.screen.columns })
    }

    private static var unregistered: DiaryWorld {
        var world = DiaryWorld()
        world.isRegistered = false
        return world
    }

    @Test func `choosing a password, which is typed twice`() throws {
        var stage = Stage(Self.unregistered)
        try expect(stage, looksLike: "register")
        stage.feed(.secretEntered)
        stage.comparison = .different
        stage.feed(.secretEntered)
        try expect(stage, looksLike: "register-mismatch")
    }

    @Test func `the recovery key's place`() throws {
        var stage = Stage(Self.unregistered)
        stage.feed(.secretEntered)
        stage.feed(.secretEntered)
        try expect(stage, looksLike: "recovery-key")
        let place = try #require(stage.screen.secretPlace)
        #expect(stage.screen.frame().lines[place.row].text.isEmpty)
    }

    @Test func `the lock screen, before and after a wrong password`() throws {
        var stage = Stage(.sample, .german)
        try expect(stage, looksLike: "lock")
        stage.world.isPasswordRight = false
        stage.world.retryAfter = 60
        stage.feed(.secretEntered)
        try expect(stage, looksLike: "sign-in-failed")
        stage.feed(.secretCancelled)
        try expect(stage, looksLike: "lock-waiting")
    }

    @Test func `the timeline`() throws {
        var stage = Stage.open()
        stage.press(.text("j"))
        try expect(stage, looksLike: "timeline")
        try expect(.open(DiaryWorld()), looksLike: "timeline-empty")
        try expect(.open(.sample, .norwegian, columns: 44, rows: 14), looksLike: "timeline-small")
    }

    @Test func `the timeline on a wide screen, with the photo and the text of its entry beside it`() throws {
        var stage = Stage.open(columns: 120, rows: 30, drawsPictures: true)
        stage.pass(milliseconds: BesidePane.rest)
        try expect(stage, looksLike: "timeline-wide")
    }

    @Test func `an entry with photos, where no picture can be drawn`() throws {
        var stage = Stage.open()
        stage.press(.enter)
        try expect(stage, looksLike: "entry")
    }

    @Test func `a new entry`() throws {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("A quiet morning.\nTea.")
        stage.press(.tab, .text("y"), .backspace)
        stage.type("2026-11-21")
        stage.press(.tab, .tab)
        stage.type("tea, winter")
        stage.press(.tab, .right, .right)
        try expect(stage, looksLike: "new-entry")
    }

    @Test func `an entry's files in the editor, and its place`() throws {
        var world = DiaryWorld.sample
        var facts = PhotoFacts()
        (facts.wallClock, facts.offsetMinutes, facts.camera) = (1_780_000_000, 120, "Fuji X100")
        (facts.latitude, facts.longitude) = (59.67, 10.63)
        world.facts["boat.jpg"] = facts
        world.entries[2].summary.media[0].facts = facts
        world.entries[2].summary.media[0].facts.latitude = 59.68
        for language in DiaryLanguage.allCases {
            var stage = Stage.open(world, language)
            stage.press(.text("j"), .text("j"), .text("e"), .tab, .tab)
            if language == .english { try expect(stage, looksLike: "edit-place") }
            stage.press(.backTab, .backTab, .backTab)
            stage.type("/home/mari/lake.jpg\n/home/mari/song.ogg\n~/pic")
            try expect(stage, looksLike: "edit-files-\(language.rawValue)")
        }
    }

    @Test func `the files of an entry, and saving one`() throws {
        var world = DiaryWorld.sample
        var facts = PhotoFacts()
        (facts.wallClock, facts.offsetMinutes, facts.camera) = (1_780_000_000, 120, "Fuji X100")
        (facts.latitude, facts.longitude, facts.width, facts.height) = (59.67, 10.63, 6000, 4000)
        world.entries[1].summary.media[0].facts = facts
        world.entries[1].summary.media[1].hasThumbnail = false
        world.entries[1].summary.media[1].problem = "the file is cut short"
        for language in DiaryLanguage.allCases {
            var stage = Stage.open(world, language, drawsPictures: language == .english)
            stage.press(.enter, .text("f"))
            try expect(stage, looksLike: "files-\(language.rawValue)")
            guard language == .english else { continue }
            stage.press(.text("j"), .text("x"))
            try expect(stage, looksLike: "files-save")
        }
        var stage = Stage.open(world, .french, columns: 40, rows: 12)
        stage.press(.enter, .text("f"), .text("x"))
        try expect(stage, looksLike: "files-small")
    }

    @Test func `the settings and the trash`() throws {
        for language in DiaryLanguage.allCases {
            var stage = Stage.open(.sample, language)
            stage.press(.text("S"), .text("j"))
            try expect(stage, looksLike: "settings-\(language.rawValue)")
        }
        var stage = Stage.open()
        stage.press(.text("d"), .text("y"), .text("T"))
        try expect(stage, looksLike: "trash")
    }

    @Test func `the month as a calendar`() throws {
        var stage = Stage.open()
        stage.press(.text("c"))
        try expect(stage, looksLike: "calendar")
        try expect(small("c", .french), looksLike: "calendar-small")
    }

    @Test func `the map`() throws {
        var stage = Stage.open()
        stage.press(.text("m"), .tab)
        try expect(stage, looksLike: "map")
    }

    @Test func `on this day`() throws {
        var stage = Stage.open(.sample, .german)
        stage.press(.text("o"))
        try expect(stage, looksLike: "on-this-day")
    }

    @Test func `statistics and tags`() throws {
        var stage = Stage.open()
        stage.press(.text("s"))
        try expect(stage, looksLike: "statistics")
        stage.press(.text("g"))
        try expect(stage, looksLike: "tags")
    }

    @Test func `templates, and an entry that begins with one`() throws {
        var stage = Stage.open()
        stage.press(.text("N"))
        try expect(stage, looksLike: "templates")
        stage.press(.enter)
        try expect(stage, looksLike: "new-from-template")
    }

    @Test func `a search and what it found`() throws {
        var stage = Stage.open()
        stage.press(.text("/"))
        stage.type("ea\n")
        try expect(stage, looksLike: "search")
    }

    @Test func `the help, in each language`() throws {
        for language in DiaryLanguage.allCases {
            var stage = Stage.open(.sample, language)
            stage.press(.text("?"))
            try expect(stage, looksLike: "help-\(language.rawValue)")
        }
    }

    @Test func `hostile words do nothing`() throws {
        var world = DiaryWorld()
        world.add("2026-11-22 08:30", "\u{1B}[2J\u{1B}]0;owned\u{07} \u{202E}gpj.exe", photos: ["\u{1B}[31m.jpg"]) {
            $0.tags = ["\u{9B}31m"]
        }
        var stage = Stage.open(world)
        try expect(stage, looksLike: "hostile-timeline")
        stage.press(.enter)
        try expect(stage, looksLike: "hostile-entry")
        var painter = ScreenPainter()
        let output = painter.paint(stage.screen.frame())
        #expect(!output.contains("\u{1B}]") && !output.contains("\u{1B}[31m") && !output.contains("\u{07}"))
        #expect(!output.contains("\u{1B}[2J") && !output.contains("\u{9B}") && !output.contains("\u{202E}"))
    }

    private func small(_ key: String, _ language: DiaryLanguage) -> Stage {
        var stage = Stage.open(.sample, language, columns: 50, rows: 20)
        stage.press(.text(key))
        return stage
    }

    @Test func `the page of screens shows these`() throws {
        let screens: [(title: String, name: String, words: String)] = [
            ("The door", "register", "At the first start a password is chosen, typed twice, and never shown."),
            ("Two that differ", "register-mismatch", "Both are wiped, and it begins again."),
            ("The recovery key", "recovery-key", "It stands in the empty line, once; no golden screen has one."),
            ("The lock screen", "lock", "Every start, every lock, and what the terminal keeps of the diary: this."),
            ("A wrong password", "sign-in-failed", "From the fourth on there is a wait."),
            ("The timeline", "timeline", "Entries under the days of the places where they were written."),
            ("An entry", "entry", "Where the terminal has no pictures, boxes with names and sizes."),
            ("A new entry", "new-entry", "Tab goes through the fields; what is typed is kept as a sealed draft."),
            ("The place of an entry", "edit-place", "What a photo says of it is offered behind the field."),
            ("The files of an entry that is written", "edit-files-en", "They are listed in place of the text."),
            ("The files of an entry", "files-en", "With what each says of itself; its picture stands at the left."),
            ("Saving a file", "files-save", "Without what it tells of place, date and camera; X saves the original."),
            ("The trash", "trash", "What is deleted can be taken back from here."),
            ("The settings", "settings-en", "When it locks, and whether backups have it."),
            ("The calendar", "calendar", "A dot for an entry, a star for a starred one, brackets for today."),
            ("The map", "map", "Coasts of Braille dots that are in the program: no network is asked."),
            ("On this day", "on-this-day", "A week, a month and years ago."),
            ("Statistics", "statistics", "Nothing in them can be lost by a day without words."),
        ]
        var text = "# The diary in the terminal\n\n"
        text +=
            "What `tresor diary` shows at a terminal. Written by `DiaryTerminalTests` with `TRESOR_WRITE_SCREENS=1`.\n"
        for screen in screens {
            let file = Self.folder.appendingPathComponent(screen.name + ".txt")
            let picture = try String(contentsOf: file, encoding: .utf8)
            text += "\n## \(screen.title)\n\n\(screen.words)\n\n```text\n\(picture)```\n"
        }
        if Self.isWriting { try text.write(to: Self.page, atomically: true, encoding: .utf8) }
        #expect(try text == String(contentsOf: Self.page, encoding: .utf8))
    }
}
