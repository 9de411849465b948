import Certificates
import TerminalScreen
import Testing
import Tresor

@testable import KeychainTerminal

/// The list of records by itself, rows of which some are seen, and what was copied.
@Suite struct RecordListTests {
    private static func list(_ listing: Listing = .sample) -> RecordList {
        var list = RecordList()
        list.accept(listing)
        return list
    }

    @Test func `nothing is listed before anything is known, and nothing after a lock`() {
        var list = RecordList()
        #expect(list.rows.isEmpty && list.shown == nil && list.selected == nil)
        list.accept(Listing.sample)
        list.find("example")
        #expect(!list.rows.isEmpty)
        list.wipe()
        #expect(list.rows.isEmpty && list.shown == nil && list.search.isEmpty)
    }

    @Test func `a list that is read anew keeps the record that is selected`() {
        var list = Self.list()
        _ = list.press(.text("j"), height: 10)
        let former = list.selected
        var listing = Listing.sample
        if case .record(let first) = list.row(at: 0) { listing.records.removeAll { $0 == first } }
        list.accept(listing)
        #expect(former != nil && list.selected == former && list.row == 0)
    }

    @Test func `keys that neither move nor choose are somebody else's`() {
        var list = Self.list()
        let answers = [Key.text("r"), .enter, .text("/"), .text("G")].map { list.press($0, height: 10) }
        #expect(answers == [nil, nil, nil, []] && list.row == list.rows.count - 1)
    }

    @Test func `a keychain of files is read when it is chosen, and taken only while it is`() {
        var list = Self.list()
        let effects = list.press(.text("K"), height: 10)
        #expect(effects == [.listSystem(.system)] && list.reading == [.list, .listSystem(.system)])
        let isOfAnother = list.accept(.ofFiles(.systemRoots), of: .systemRoots)
        #expect(!isOfAnother && list.rows.isEmpty)
        let isTaken = list.accept(.ofFiles(.system), of: .system)
        #expect(isTaken && list.rows.count == 2)
    }

    @Test func `rows scroll to the last and not beyond`() {
        let rows = ScrolledRows(30, height: 10)
        #expect(rows.top(after: .down, from: 19) == 20 && rows.top(after: .down, from: 20) == 20)
        #expect(rows.top(after: .pageDown, from: 5) == 14 && rows.top(after: .pageUp, from: 5) == 0)
        #expect(rows.top(after: .end, from: 0) == 20 && rows.top(25) == 20)
        #expect(rows.top(after: .text("x"), from: 3) == nil)
        #expect(ScrolledRows(3, height: 10).top(after: .end, from: 0) == 0)
    }

    @Test func `what is copied is cleared after 45 seconds, and a terminal is not said to have obeyed`() {
        let copied = CopiedSecret(.terminal, at: 1000)
        #expect(copied.due == 46_000)
        #expect(copied.clearedWords.contains("cannot be known"))
        #expect(CopiedSecret(.desktop, at: 0).clearedWords == "The clipboard is cleared.")
    }
}
