import Secrets
import Testing

@testable import Notes

/// What holds for every merge, tried on random edits of random notes.
@Suite struct MergePropertyTests {
    @Test(arguments: 0..<400 as Range<UInt64>)
    func `a merge keeps its promises`(_ seed: UInt64) {
        var editor = RandomEditor(seed: seed)
        let base = editor.makeNote()
        let mine = editor.edit(base)
        let theirs = editor.edit(base)
        let merged = BlockMerge.merge(base: base, mine: mine, theirs: theirs)
        let mirrored = BlockMerge.merge(base: base, mine: theirs, theirs: mine)
        #expect(merged.blocks == mirrored.blocks && merged.hasConflict == mirrored.hasConflict, "it knows no sides")
        #expect(Set(merged.blocks.map(\.id)).count == merged.blocks.count, "no identity is there twice")
        expectNothingLost(from: mine, since: base, in: merged.blocks)
        expectNothingLost(from: theirs, since: base, in: merged.blocks)
        expectDeletionsAndUntouched(base, mine, theirs, merged.blocks)
        expectItemsTogether(merged.blocks)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `without a change on one side the other side is the result`(_ seed: UInt64) {
        var editor = RandomEditor(seed: seed)
        let base = editor.makeNote()
        let edited = editor.edit(base)
        for (mine, theirs) in [(base, edited), (edited, base), (edited, edited)] {
            let merged = BlockMerge.merge(base: base, mine: mine, theirs: theirs)
            #expect(merged.blocks == edited && !merged.hasConflict)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `after an edit as text each block that stayed keeps its identity`(_ seed: UInt64) {
        var editor = RandomEditor(seed: seed)
        let old = editor.makeNote()
        let edited = editor.edit(old)
        let typed = edited.map { Block(containers: $0.containers, content: $0.content) }
        let carried = BlockIdentity.carry(from: old, to: typed)
        #expect(carried.map(\.content) == edited.map(\.content))
        #expect(Set(carried.map(\.id)).count == carried.count)
        let known = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.content) })
        for (block, truth) in zip(carried, edited) where known[truth.id] == truth.content {
            #expect(block.id == truth.id, "\(truth.content)")
        }
    }

    /// Every word that a side added is unique, so that it can be found again.
    private func expectNothingLost(from side: [Block], since base: [Block], in merged: [Block]) {
        let result = Set(merged.flatMap(words))
        #expect(Set(side.flatMap(words)).subtracting(base.flatMap(words)).isSubset(of: result))
    }

    private func expectDeletionsAndUntouched(_ base: [Block], _ mine: [Block], _ theirs: [Block], _ merged: [Block]) {
        let one = Dictionary(uniqueKeysWithValues: mine.map { ($0.id, $0.content) })
        let other = Dictionary(uniqueKeysWithValues: theirs.map { ($0.id, $0.content) })
        let result = Dictionary(uniqueKeysWithValues: merged.map { ($0.id, $0.content) })
        for block in base {
            switch (one[block.id], other[block.id]) {
            case (nil, nil): #expect(result[block.id] == nil)
            case (let left?, nil), (nil, let left?): if left != block.content { #expect(result[block.id] == left) }
            case (let left?, let right?): if left == right { #expect(result[block.id] == left) }
            }
        }
    }

    private func expectItemsTogether(_ blocks: [Block]) {
        var left: Set<Identifier> = []
        var current: Set<Identifier> = []
        for block in blocks {
            let containers = Set(block.containers.map(\.id))
            #expect(containers.isDisjoint(with: left))
            left.formUnion(current.subtracting(containers))
            current = containers
        }
    }

    private func words(_ block: Block) -> [String] {
        block.content.text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}

/// Makes notes and edits them as a person might, repeatably.
private struct RandomEditor {
    private var random: SplitMix64
    private var wordCount = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func makeNote() -> [Block] {
        let list = makeIdentifier()
        return (0..<number(12)).map { _ in
            let item = Block.Item(id: makeIdentifier(), list: list, isChecked: number(2) == 0 ? false : nil)
            return Block(
                id: makeIdentifier(), containers: number(3) == 0 ? [.item(item)] : [], content: makeContent())
        }
    }

    mutating func edit(_ note: [Block]) -> [Block] {
        var note = note
        for _ in 0..<1 + number(6) { editOnce(&note) }
        return note
    }

    private mutating func editOnce(_ note: inout [Block]) {
        let place = number(note.count + 1)
        guard place < note.count, number(4) > 0 else {
            return note.insert(Block(id: makeIdentifier(), content: makeContent()), at: place)
        }
        switch number(6) {
        case 0: note.remove(at: place)
        case 1: note.insert(note.remove(at: place), at: number(note.count))
        case 2: tick(&note[place])
        case 3: note[place].content = makeContent()
        default: editWord(&note[place])
        }
    }

    private mutating func editWord(_ block: inout Block) {
        guard case .paragraph(let text) = block.content else { return }
        var words = text.split(separator: " ").map(String.init)
        let place = number(words.count)
        if place < words.count, number(2) == 0 {
            words[place] = makeWord()
        } else {
            words.insert(makeWord(), at: place)
        }
        block.content = .paragraph(text: words.joined(separator: " "))
    }

    private func tick(_ block: inout Block) {
        guard case .item(var item)? = block.containers.first else { return }
        item.isChecked = item.isChecked.map { !$0 }
        block.containers[0] = .item(item)
    }

    private mutating func makeContent() -> Block.Content {
        let text = (0...number(8)).map { _ in makeWord() }.joined(separator: " ")
        switch number(6) {
        case 0: return .heading(level: 1 + number(6), text: text)
        case 1: return .code(info: "", text: text)
        case 2: return .table(Table(alignments: [.none], rows: [[text], [makeWord()]]))
        default: return .paragraph(text: text)
        }
    }

    private mutating func makeWord() -> String {
        wordCount += 1
        return "word\(wordCount)"
    }

    private mutating func makeIdentifier() -> Identifier { Identifier(high: random.next(), low: random.next()) }

    /// From zero to one less than the bound.
    private mutating func number(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &random) : 0 }
}
