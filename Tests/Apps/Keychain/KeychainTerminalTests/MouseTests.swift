import ScreenPlaces
import TerminalScreen
import Testing

@testable import KeychainTerminal

/// What a mouse does in the viewer.
@Suite struct MouseTests {
    private func selected(_ stage: Stage) -> String? {
        guard case .record(let record) = stage.screen.records.selected else { return nil }
        return record.label
    }

    @Test(arguments: [24, 7]) func `a click selects the row under it, and a second one opens it`(rows: Int) throws {
        var stage = Stage(rows: rows)
        stage.press(.end, .home)
        for label in ["shop.example", "Mail"] {
            stage.press(try ScreenPlace.click(on: label, in: stage.text))
            #expect(selected(stage) == label && stage.screen.page == .list)
        }
        stage.press(try ScreenPlace.click(on: "Mail", in: stage.text))
        guard case .details(let record, _) = stage.screen.page else { return #expect(Bool(false), "\(stage.text)") }
        #expect(record.label == "Mail")
    }

    @Test func `a click on the name of a kind lists that kind`() throws {
        var stage = Stage()
        for filter in Filter.allCases.reversed() {
            stage.press(try ScreenPlace.click(on: filter.title, in: stage.text))
            #expect(stage.screen.records.filter == filter)
        }
        // Beside the names, and on the headings.
        stage.press(.click(row: 1, column: 79), .click(row: 2, column: 3), .click(row: 0, column: 3))
        #expect(stage.screen.records.filter == .all && stage.screen.page == .list && stage.screen.records.row == 0)
    }

    @Test func `the wheel moves by three rows, and no further than there are`() {
        var stage = Stage()
        stage.press(.wheel(1))
        #expect(stage.screen.records.row == 3)
        stage.press(.wheel(-1), .wheel(-1))
        #expect(stage.screen.records.row == 0)
        stage.press(.wheel(1000))
        #expect(stage.screen.records.row == stage.screen.records.rowCount - 1)
    }

    @Test func `a click answers no question`() throws {
        var stage = Stage()
        let mail = try ScreenPlace.click(on: "Mail", in: stage.text)
        stage.press(mail, .text("d"))
        let count = stage.listing.records.count
        stage.press(mail, .wheel(1), .click(row: 23, column: 1))
        #expect(stage.listing.records.count == count && stage.screen.dialog != nil)
    }
}
