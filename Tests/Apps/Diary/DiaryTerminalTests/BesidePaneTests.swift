import DiaryClient
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// The photo and the text beside a list.
@Suite struct BesidePaneTests {
    private func wide(_ world: DiaryWorld = .sample, columns: Int = 120, drawsPictures: Bool = true) -> Stage {
        Stage.open(world, columns: columns, rows: 40, drawsPictures: drawsPictures)
    }

    private func places(_ stage: Stage) -> [PicturePlace] { stage.screen.diary?.picturePlaces ?? [] }

    @Test func `the selected entry's first photo and its text stand beside the timeline, after a moment of rest`()
        throws
    {
        var stage = wide()
        #expect(stage.requests.isEmpty && places(stage).isEmpty)
        stage.pass(milliseconds: BesidePane.rest - 1)
        #expect(stage.requests.isEmpty, "neither the first paint nor a key waits for it")
        #expect(stage.screen.deadline == stage.now.uptime + 1, "and the driver wakes for it")
        stage.pass(milliseconds: 1)
        #expect(
            stage.requests == [
                .show(id: "entry-2"), .media(id: "entry-2", media: "file-2-0", size: .thumbnail),
            ])
        let place = try #require(places(stage).first)
        #expect(place.file == "file-2-0" && place.row == ScreenSize.topRows && place.column > 60)
        #expect(place.column + place.width <= 120 && place.height > 8)
        #expect(stage.screen.diary?.picture(of: "file-2-0") == Array("JPEG of soup.jpg".utf8))
        let lines = stage.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[place.row + place.height].contains("│ soup.jpg  + 1 more"))
        #expect(lines[place.row + place.height + 1].contains("│ Soup, and a long letter to Mari."))
        #expect(stage.screen.frame().lines.allSatisfy { $0.width == 120 })
    }

    @Test func `no key asks for anything, and a picture goes with its selection`() {
        var stage = wide()
        stage.pass(milliseconds: 300)
        stage.forgetEffects()
        for _ in 1...2 {
            stage.press(.text("j"))
            #expect(places(stage).isEmpty && !stage.requests.contains { $0.asksForContent })
            #expect(!stage.text.contains("│ Soup"))
            stage.pass(milliseconds: BesidePane.rest - 50)
        }
        #expect(!stage.requests.contains { $0.asksForContent })
        stage.pass(milliseconds: 50)
        #expect(
            stage.requests.filter(\.asksForContent) == [
                .show(id: "entry-3"), .media(id: "entry-3", media: "file-3-0", size: .thumbnail),
            ])
        #expect(places(stage).map(\.file) == ["file-3-0"])
        stage.press(.enter)
        #expect(places(stage).allSatisfy { $0.column < 60 }, "an entry has its own")
    }

    @Test func `an entry without a photo has its text there, and only that is asked for`() {
        var stage = wide()
        stage.press(.text("j"))
        stage.pass(milliseconds: 300)
        #expect(stage.requests.filter(\.asksForContent) == [.show(id: "entry-1")] && places(stage).isEmpty)
        let lines = stage.text.split(separator: "\n")
        #expect(lines[2].contains("│ First snow. We walked to the lake"))
    }

    @Test func `a narrow screen, and one without pictures, look as they did`() {
        for stage in [wide(columns: 99), wide(drawsPictures: false)] {
            var stage = stage
            stage.pass(milliseconds: 300)
            #expect(stage.requests.isEmpty && !stage.text.contains("│"))
        }
        var stage = wide()
        stage.pass(milliseconds: 300)
        stage.feed(.resized(columns: 90, rows: 40))
        #expect(places(stage).isEmpty && !stage.text.contains("│"))
    }

    @Test func `a lock leaves nothing of it, and the help lies over it`() {
        var stage = wide()
        stage.pass(milliseconds: 300)
        stage.press(.text("?"))
        #expect(places(stage).isEmpty)
        stage.press(.escape)
        #expect(places(stage).count == 1)
        stage.press(.control("l"))
        #expect(stage.screen.diary == nil && !stage.remembers("JPEG of soup") && !stage.remembers("long letter"))
    }

    @Test func `what cannot be had is left out without a word`() {
        var stage = wide()
        stage.world.entries.removeAll { $0.summary.id == "entry-2" }
        stage.pass(milliseconds: 300)
        #expect(stage.screen.diary?.message.isEmpty == true && stage.text.contains("│ Soup, and a long letter"))
    }

    @Test func `a click beside the list opens what is selected`() {
        var stage = wide()
        stage.press(.click(row: 10, column: 100))
        #expect(stage.screen.diary.map { if case .entry = $0.page { true } else { false } } == true)
    }
}

extension DiaryRequest {
    /// Whether it asks for a text or a file.
    fileprivate var asksForContent: Bool {
        switch self {
        case .show, .media: true
        default: false
        }
    }
}
