import NotesClient
import ScreenPlaces
import TerminalScreen
import Testing

@testable import NotesTerminal

/// What a mouse does in the notes.
@Suite struct MouseTests {
    private func many() -> NotesWorld {
        var world = NotesWorld()
        for number in 1...60 { world.add("# Note \(number).\n\nwords of \(number)\n") }
        return world
    }

    @Test func `a click selects the note under it, and a second one gives its text the keys`() throws {
        var stage = Stage(many())
        stage.press(.wheel(10))
        let titles = stage.screen.panes.shelf.notes.map(\.title)
        for title in [titles[25], titles[35], titles[30]] {
            stage.press(try ScreenPlace.click(on: title, in: stage.text))
            #expect(stage.screen.panes.shelf.selected?.title == title && stage.screen.panes.focus == .list)
        }
        #expect(stage.text.contains("words of"))
        stage.press(try ScreenPlace.click(on: titles[30], in: stage.text))
        #expect(stage.screen.panes.focus == .note)
    }

    @Test func `what a search found has two lines, and either is the note`() throws {
        var stage = Stage(many())
        stage.press(.text("/"))
        for letter in "words" { stage.press(.text(String(letter))) }
        stage.press(.enter)
        let titles = stage.screen.panes.shelf.notes.map(\.title)
        #expect(titles.count > 5)
        guard case .click(let row, let column) = try ScreenPlace.click(on: titles[4], in: stage.text) else { return }
        stage.press(.click(row: row, column: column))
        #expect(stage.screen.panes.shelf.row == 4)
        stage.press(.click(row: row - 1, column: column))
        #expect(stage.screen.panes.shelf.row == 3)
    }

    @Test func `a click on a folder lists it`() throws {
        var stage = Stage(.sample)
        stage.press(try ScreenPlace.click(on: "Trash", in: stage.text))
        #expect(stage.screen.panes.shelf.place == .trash && stage.screen.panes.focus == .folders)
        stage.press(try ScreenPlace.click(on: "Garden", in: stage.text))
        #expect(stage.screen.panes.shelf.place == .folder("Home/Garden"))
        // Below the last of them there is none.
        stage.press(.click(row: 20, column: 2))
        #expect(stage.screen.panes.shelf.place == .folder("Home/Garden"))
    }

    @Test func `nothing is clicked through what lies over the panes`() throws {
        var stage = Stage(.sample)
        let trash = try ScreenPlace.click(on: "Trash", in: stage.text)
        for key in [Key.text("?"), .text("/"), .text("n")] {
            stage.press(key, trash, .wheel(1))
            #expect(stage.screen.panes.shelf.place == .all)
            stage.press(.escape)
        }
    }
}
