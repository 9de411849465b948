import Secrets
import Testing
import TextIndex

/// Tables of words beside a dictionary that says what should be found.
@Suite struct SearchTableTests {
    private static let words = ["harbour", "boat", "rain", "Bergen", "tea", "été", "lighthouse", "reed"]

    private static func text(_ id: Identifier, _ generator: inout some RandomNumberGenerator) -> IndexedText {
        let chosen = (0..<Int.random(in: 0...5, using: &generator)).compactMap { _ in
            words.randomElement(using: &generator)
        }
        return IndexedText(id: id, title: chosen.first.map { "#" + $0 } ?? "", text: chosen.joined(separator: " "))
    }

    private static func holds(_ text: IndexedText, _ word: String) -> Bool {
        (text.title + " " + text.text).split { !$0.isLetter }.contains { $0 == word }
    }

    @Test(arguments: [true, false]) func `it finds what is there and nothing that was`(_ keepsTexts: Bool) throws {
        let table = try SearchTable(keepsTexts: keepsTexts)
        var known: [Identifier: IndexedText] = [:]
        var generator = SeededGenerator(7)
        for _ in 0..<400 {
            if known.count > 5, Bool.random(using: &generator), let gone = known.values.randomElement(using: &generator)
            {
                try table.remove(gone.id, former: gone)
                known[gone.id] = nil
            } else {
                let changed = Bool.random(using: &generator) ? known.keys.randomElement(using: &generator) : nil
                let text = Self.text(changed ?? .makeRandom(), &generator)
                try table.replace([text], former: known[text.id].map { [$0] } ?? [])
                known[text.id] = text
            }
            #expect(table.count == known.count && known.keys.allSatisfy(table.contains))
            for word in Self.words {
                let found = Set(try table.find(SearchQuery("\"\(word)\""), limit: 1000).map(\.id))
                #expect(found == Set(known.values.filter { Self.holds($0, word) }.map(\.id)), "\(word)")
            }
        }
    }

    @Test func `without texts, a change has to say what it changes, and else changes nothing`() throws {
        let table = try SearchTable(keepsTexts: false)
        let id = Identifier.makeRandom()
        let first = IndexedText(id: id, title: "", text: "boats in the harbour")
        try table.replace([first])
        let new = IndexedText(id: .makeRandom(), title: "", text: "tea")
        #expect(throws: (any Error).self) {
            try table.replace([new, IndexedText(id: id, title: "", text: "rain")])
        }
        #expect(throws: (any Error).self) { try table.remove(id) }
        #expect(try table.find(SearchQuery("harbour"), limit: 9).map(\.id) == [id])
        #expect(try table.find(SearchQuery("tea"), limit: 9).isEmpty && !table.contains(new.id) && table.count == 1)
        let hit = try table.find(SearchQuery("boat"), limit: 9)
        #expect(hit.map(\.excerpt) == [""])
        #expect(SearchQuery("boat").excerpt(of: "Rain.\nTwo boats came in.") == "Two boats came in.")
    }
}

/// splitmix64 (Steele, Lea, Flood 2014).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
