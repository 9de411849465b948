import NotesClient
import TerminalScreen
import Testing

@testable import NotesTerminal

/// What others write appears by itself, and neither the place nor what is typed is lost by it.
@Suite struct ElsewhereTests {
    private static func many(_ count: Int = 450) -> NotesWorld {
        var world = NotesWorld()
        for number in 1...count { world.add("# Note \(number)\n\nword") }
        return world
    }

    @Test func `a note far down stays selected when somebody else changes something`() {
        var stage = Stage(Self.many())
        stage.press(.end, .end, .end, .up)
        let selected = stage.screen.panes.shelf.selected?.id
        #expect(selected == "note-449")
        stage.world.notes[0].text = "# Note 1, changed"
        stage.feed(.event(.noteChanged(id: "note-1")))
        stage.pass(milliseconds: 300)
        #expect(stage.screen.panes.shelf.selected?.id == selected)
        #expect(stage.text.contains("Note 449"))
    }

    @Test func `a note that another client made comes to stand in the list`() {
        var stage = Stage(.sample)
        stage.press(.down, .down)
        let selected = stage.screen.panes.shelf.selected?.id
        stage.world.add("# From elsewhere")
        stage.feed(.event(.noteChanged(id: "note-5")))
        stage.pass(milliseconds: 300)
        #expect(stage.text.contains("From elsewhere") && stage.screen.panes.shelf.selected?.id == selected)
    }

    @Test func `the reader keeps its row when the note is written elsewhere`() {
        var world = NotesWorld()
        world.add("# Long\n\n" + (1...60).map { "line \($0)" }.joined(separator: "\n"))
        var stage = Stage(world)
        stage.press(.tab, .pageDown, .pageDown)
        let row = stage.text.split(separator: "\n").first { $0.contains("│>line") }
        stage.world.notes[0].text += "\nand one more"
        stage.world.notes[0].summary.revision += 1
        stage.feed(.event(.noteChanged(id: "note-1")))
        stage.pass(milliseconds: 300)
        #expect(row != nil && stage.text.split(separator: "\n").contains { $0 == row })
        stage.press(.end)
        #expect(stage.text.contains("and one more"))
    }

    @Test func `an editor without words of its own shows what others wrote, and one with words keeps them`() {
        var stage = Stage(.sample)
        stage.press(.text("e"))
        stage.world.notes[0].text = "theirs"
        stage.world.notes[0].summary.revision = 2
        stage.feed(.event(.noteChanged(id: "note-1")))
        #expect(stage.screen.editor?.buffer.text == "theirs" && stage.screen.editor?.base == 2)
        stage.type("mine ")
        stage.world.notes[0].text = "theirs again"
        stage.feed(.event(.noteChanged(id: "note-1")))
        stage.pass(milliseconds: 300)
        #expect(stage.screen.editor?.buffer.text == "mine theirs")
    }

    @Test func `what is typed at a prompt stays while lists are read anew`() {
        var stage = Stage(.sample)
        stage.press(.text("/"))
        stage.type("bea")
        stage.feed(.event(.noteChanged(id: "note-1")))
        stage.pass(milliseconds: 300)
        #expect(stage.text.contains("Search: bea"))
    }

    @Test func `a search goes on past its first page`() {
        var stage = Stage(Self.many())
        stage.press(.text("/"))
        stage.type("word\n")
        #expect(stage.screen.panes.shelf.notes.count == 200)
        stage.press(.end, .end, .end, .end)
        #expect(stage.screen.panes.shelf.notes.count == 450)
        #expect(stage.requests.contains(.search(text: "word", limit: 200, offset: 400)))
    }

    @Test func `the order turns, and the selected note stays selected`() {
        var stage = Stage(.sample)
        stage.press(.down, .down)
        let selected = stage.screen.panes.shelf.selected?.id
        stage.press(.text("o"), .text("o"))
        var filter = NoteFilter(limit: Place.pageSize)
        filter.order = .title
        #expect(stage.requests.contains(.list(filter)) && stage.text.contains("by title"))
        #expect(stage.screen.panes.shelf.selected?.id == selected)
    }

    @Test func `dates are those of the clock on the wall`() {
        let dates = NoteDates { _ in 7200 }
        #expect(dates.minute(1_750_000_000_000_000) == "2025-06-15 17:06")
        #expect(NoteDates.utc.day(-1_000_000) == "1969-12-31" && NoteDates.utc.day(951_782_400_000_000) == "2000-02-29")
        #expect(NoteDates.utc.day(0).isEmpty)
    }

    @Test func `the help fits a terminal of eighty columns, and every key of it is there in a small one`() {
        #expect(Help.lines.allSatisfy { CellWidth.of(String($0)) <= 78 })
        var stage = Stage(.sample, columns: 20, rows: 6)
        stage.press(.text("?"), .end)
        #expect(stage.text.contains("quit"))
        stage.press(.home)
        #expect(stage.text.contains("Moving"))
    }
}
