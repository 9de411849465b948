import DiaryClient
import Foundation
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// Pictures on the screens, the mouse, and long lists.
@Suite struct PictureTests {
    private func sizes(_ stage: Stage) -> [MediaSize] {
        stage.requests.compactMap { if case .media(_, _, let size) = $0 { size } else { nil } }
    }

    @Test func `a picture fills the screen, the small one first, and the next one follows`() throws {
        var stage = Stage.open(columns: 100, rows: 40, drawsPictures: true)
        stage.press(.enter)
        stage.forgetEffects()
        stage.press(.enter)
        #expect(sizes(stage) == [.thumbnail, .preview])
        let place = try #require(stage.screen.diary?.picturePlaces.first)
        #expect(place.width == 100 && place.row == ScreenSize.topRows && place.height == 36)
        #expect(stage.text.contains("1/2  soup.jpg"))
        stage.press(.right)
        #expect(stage.text.contains("2/2  letter.jpg") && stage.screen.diary?.picturePlaces.first?.file != place.file)
        stage.press(.right, .end)
        #expect(stage.text.contains("2/2  letter.jpg"), "the last one stays")
        stage.press(.home)
        #expect(stage.text.contains("1/2  soup.jpg"))
        stage.press(.escape)
        #expect(stage.text.contains("Soup, and a long letter"))
        stage.press(.control("l"))
        #expect(!stage.remembers("JPEG of soup"))
    }

    @Test func `without pictures the name and size stand there`() {
        var stage = Stage.open()
        stage.press(.enter, .enter)
        #expect(stage.text.contains("[soup.jpg, 3.4 MB]") && stage.screen.diary?.picturePlaces.isEmpty == true)
    }

    @Test func `pictures are asked for once the terminal has said that it takes them`() {
        var stage = Stage.open()
        stage.press(.enter)
        #expect(sizes(stage).isEmpty)
        stage.feed(.showsPictures(true))
        #expect(sizes(stage) == [.thumbnail, .thumbnail] && stage.screen.diary?.picturePlaces.count == 2)
    }

    @Test(arguments: [(20, 8), (20, 6), (300, 100)])
    func `a picture fits screens of any size`(_ columns: Int, _ rows: Int) throws {
        var stage = Stage.open(drawsPictures: true)
        stage.press(.enter, .enter)
        stage.feed(.resized(columns: columns, rows: rows))
        for place in try #require(stage.screen.diary).picturePlaces {
            #expect(place.column + place.width <= columns && place.row + place.height < max(rows, 6))
        }
        #expect(stage.screen.frame().lines.count == rows)
    }

    @Test func `a click selects, a second one opens, the menu's words are keys, and the wheel moves`() {
        var stage = Stage.open()
        let lines = stage.text.split(separator: "\n", omittingEmptySubsequences: false)
        let boat = lines.firstIndex { $0.contains("Mended the boat") } ?? 0
        stage.press(.click(row: boat, column: 20))
        #expect(stage.text.contains("Timeline") && stage.text.contains("> 12:00"))
        stage.press(.click(row: boat, column: 20))
        #expect(stage.text.contains("Mended the boat.") && !stage.text.contains("First snow"))
        stage.press(.escape)
        let tags = lines[1].range(of: " g ").map { lines[1].distance(from: lines[1].startIndex, to: $0.lowerBound) }
        stage.press(.click(row: 1, column: (tags ?? 0) + 3))
        #expect(stage.text.contains("#boat"))
        stage.press(.text("t"), .wheel(1))
        #expect(stage.screen.diary.map { if case .list(let pane) = $0.page { pane.row } else { -1 } } == 3)
        stage.press(.wheel(-1))
        #expect(stage.screen.diary.map { if case .list(let pane) = $0.page { pane.row } else { -1 } } == 0)
    }

    @Test func `End reaches the last of a list that has not been read so far`() {
        var world = DiaryWorld()
        for day in 1...28 {
            for hour in 10...19 { world.add("2026-02-\(day < 10 ? "0" : "")\(day) \(hour):00", "Entry \(day) \(hour)") }
        }
        var stage = Stage.open(world)
        stage.press(.end)
        #expect(stage.text.contains("Entry 1 10"))
        stage.press(.home)
        #expect(stage.text.contains("Entry 28 19"))
    }
}
