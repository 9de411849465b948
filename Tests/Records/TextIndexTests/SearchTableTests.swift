import Secrets
import Testing
import Thoroughness
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

    @Test(arguments: [true, false])
    func `it finds what is there and nothing that was, whether or not it hears what that was`(_ hears: Bool) throws {
        let table = try SearchTable()
        var known: [Identifier: IndexedText] = [:]
        var generator = SeededGenerator(7)
        for _ in 0..<Thoroughness.count(120, soak: 400) {
            if known.count > 5, Bool.random(using: &generator), let gone = known.values.randomElement(using: &generator)
            {
                try table.remove(gone.id, former: hears ? gone : nil)
                known[gone.id] = nil
            } else {
                let changed = Bool.random(using: &generator) ? known.keys.randomElement(using: &generator) : nil
                let text = Self.text(changed ?? .makeRandom(), &generator)
                try table.replace([text], former: known[text.id].flatMap { hears ? [$0] : nil } ?? [])
                known[text.id] = text
            }
            #expect(table.count == known.count && known.keys.allSatisfy(table.contains))
            for word in Self.words {
                let found = Set(try table.find(SearchQuery("\"\(word)\""), limit: 1000).map(\.id))
                #expect(found == Set(known.values.filter { Self.holds($0, word) }.map(\.id)), "\(word)")
            }
        }
    }

    @Test func `what was found no more takes no place of what is found`() throws {
        let table = try SearchTable()
        let kept = IndexedText(id: .makeRandom(), title: "", text: "tea, and more words than others have")
        try table.replace([kept])
        for _ in 0..<20 {
            let id = Identifier.makeRandom()
            try table.replace([IndexedText(id: id, title: "tea", text: "tea")])
            try table.remove(id)
        }
        #expect(try table.find(SearchQuery("tea"), limit: 1).map(\.id) == [kept.id])
    }

    @Test func `it is stale once more has stayed than is there, and never where it hears what goes`() throws {
        let text = String(repeating: "boats in the harbour ", count: 50_000)
        for hears in [true, false] {
            let table = try SearchTable()
            let id = Identifier.makeRandom()
            var former: [IndexedText] = []
            var staleAfter: Int?
            for number in 1...8 {
                let new = IndexedText(id: id, title: "\(number)", text: text)
                try table.replace([new], former: former)
                if hears { former = [new] }
                if table.isStale, staleAfter == nil { staleAfter = number }
            }
            // A megabyte each time: five have stayed, and more than four megabytes and what is there.
            #expect(staleAfter == (hears ? nil : 6))
            #expect(try table.find(SearchQuery("boat"), limit: 9).map(\.id) == [id] && table.count == 1)
        }
    }

    @Test func `many small texts that have stayed make it stale as well: they count where hits are ranked`() throws {
        let table = try SearchTable()
        let id = Identifier.makeRandom()
        for number in 0...258 {
            #expect(!table.isStale, "\(number)")
            try table.replace([IndexedText(id: id, title: "", text: "tea")])
        }
        // One is there.
        #expect(table.isStale && table.count == 1)
    }

    @Test func `the line that it was found in is the first with one of the words`() {
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
