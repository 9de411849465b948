import DiaryClient
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// A search that finds more than one answer holds.
@Suite struct SearchPagesTests {
    /// So many entries with a word, the latest with the highest number.
    static func world(_ count: Int) -> DiaryWorld {
        var world = DiaryWorld()
        for number in 1...count {
            let time = "\(10 + number / 60):\(number % 60 < 10 ? "0" : "")\(number % 60)"
            world.add("2026-11-20 \(time) Europe/Oslo", "word \(number)")
        }
        return world
    }

    private func search(_ stage: inout Stage) -> EntryPane? {
        stage.press(.text("/"))
        stage.type("word")
        stage.press(.enter)
        return pane(stage)
    }

    private func pane(_ stage: Stage) -> EntryPane? {
        if case .list(let pane) = stage.screen.diary?.page { pane } else { nil }
    }

    @Test func `a search reads on as one scrolls, past its first hundred`() throws {
        var stage = Stage.open(Self.world(250))
        let first = try #require(search(&stage))
        #expect(first.entries.count == 100 && first.total == 250 && stage.text.contains("(250)"))
        #expect(stage.requests.contains(.search(text: "word", limit: 100, offset: 0)))
        for _ in 1...99 { stage.press(.down) }
        #expect(try #require(pane(stage)).entries.count == 200)
        #expect(stage.requests.contains(.search(text: "word", limit: 100, offset: 100)))
        for _ in 1...150 { stage.press(.down) }
        let last = try #require(pane(stage))
        #expect(last.entries.count == 250 && last.row == 249 && Set(last.entries.map(\.id)).count == 250)
        #expect(!stage.requests.contains(.search(text: "word", limit: 100, offset: 250)), "nothing follows")
    }

    @Test func `End goes to the last that was found`() throws {
        var stage = Stage.open(Self.world(250))
        _ = search(&stage)
        stage.press(.end)
        let found = try #require(pane(stage))
        #expect(found.entries.count == 250 && found.row == 249 && !found.goesToEnd)
    }

    @Test func `a search of which something went meanwhile ends, and does not ask for ever`() throws {
        var stage = Stage.open(Self.world(150))
        _ = search(&stage)
        stage.world.entries.removeAll { !$0.text.hasSuffix("1") }
        stage.press(.end)
        let found = try #require(pane(stage))
        #expect(found.entries.count == 100 && found.total == 100 && !found.hasMore)
        let asked = stage.requests.filter { $0 == .search(text: "word", limit: 100, offset: 100) }
        #expect(asked.count == 1)
    }
}
