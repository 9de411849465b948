import Secrets
import Testing
import Thoroughness

@testable import Notes

/// What holds for every merge, tried on random edits of random notes.
@Suite struct MergePropertyTests {
    @Test(arguments: 0..<UInt64(Thoroughness.count(200, soak: 1000)))
    func `a merge keeps its promises`(_ seed: UInt64) {
        var editor = RandomEditor(seed: seed)
        let start = editor.makeNote()
        let base = split(editor.text(start))
        let mine = BlockIdentity.carry(from: base, to: split(editor.text(editor.edit(start))))
        let theirs = BlockIdentity.carry(from: base, to: split(editor.text(editor.edit(start))))
        let merged = BlockMerge.merge(base: base, mine: mine, theirs: theirs)
        let mirrored = BlockMerge.merge(base: base, mine: theirs, theirs: mine)
        #expect(merged.blocks == mirrored.blocks && merged.hasConflict == mirrored.hasConflict, "it knows no sides")
        #expect(Set(merged.blocks.map(\.id)).count == merged.blocks.count, "no identity is there twice")
        let known = words(base)
        let (ones, others, result) = (words(mine), words(theirs), words(merged.blocks))
        #expect(ones.subtracting(known).isSubset(of: result), "what one wrote is there")
        #expect(others.subtracting(known).isSubset(of: result), "what the other wrote is there")
        #expect(ones.intersection(others).isSubset(of: result), "what both kept is there")
        #expect(result.isSubset(of: ones.union(others)), "what both deleted is gone")
        expectDeletionsAndUntouched(base, mine, theirs, merged.blocks)
        #expect(merged.blocks.dropLast().allSatisfy { $0.source.last.map(MarkdownText.endsLine) == true })
    }

    @Test(arguments: 0..<UInt64(Thoroughness.count(200, soak: 1000)))
    func `each text in its half gives both halves, byte for byte`(_ seed: UInt64) {
        var editor = RandomEditor(seed: seed)
        let (head, tail) = (editor.makeNote() + [editor.makeFence()], editor.makeNote())
        let whole = { (one: [String], other: [String]) in
            editor.text(one) + [UInt8](editor.lineEnd.utf8) + editor.text(other)
        }
        let (newHead, newTail) = (editor.edit(head.dropLast()) + [head[head.count - 1]], editor.edit(tail))
        let base = split(whole(head, tail))
        let mine = BlockIdentity.carry(from: base, to: split(whole(newHead, tail)))
        let theirs = BlockIdentity.carry(from: base, to: split(whole(head, newTail)))
        let merged = BlockMerge.merge(base: base, mine: mine, theirs: theirs)
        let expected = whole(newHead, newTail)
        #expect(merged.blocks.text == expected && !merged.hasConflict, "\(difference(merged.blocks.text, expected))")
    }

    @Test(arguments: 0..<UInt64(Thoroughness.count(100, soak: 500)))
    func `lines that come together at random lose nothing that was added to them`(_ seed: UInt64) {
        var document = RandomDocument(seed: seed)
        var editor = RandomEditor(seed: seed)
        let start = Array(document.make().utf8)
        let base = split(start)
        let texts = [editor.editLines(start), editor.editLines(start)]
        let sides = texts.map { BlockIdentity.carry(from: base, to: split($0.text)) }
        for (side, text) in zip(sides, texts) { #expect(side.text == text.text, "typed is typed") }
        let merged = BlockMerge.merge(base: base, mine: sides[0], theirs: sides[1])
        let mirrored = BlockMerge.merge(base: base, mine: sides[1], theirs: sides[0])
        #expect(merged.blocks == mirrored.blocks && !merged.blocks.contains { $0.source.isEmpty })
        for word in texts.flatMap(\.added) {
            #expect(merged.blocks.text.firstRange(of: Array(word.utf8)) != nil, "\(word)")
        }
    }

    @Test(arguments: 0..<UInt64(Thoroughness.count(30, soak: 100)))
    func `without a change on one side the other side is the result`(_ seed: UInt64) {
        var editor = RandomEditor(seed: seed)
        let start = editor.makeNote()
        let base = split(editor.text(start))
        let edited = BlockIdentity.carry(from: base, to: split(editor.text(editor.edit(start))))
        for (mine, theirs) in [(base, edited), (edited, base), (edited, edited)] {
            let merged = BlockMerge.merge(base: base, mine: mine, theirs: theirs)
            #expect(merged.blocks == edited && !merged.hasConflict)
        }
    }

    @Test func `many edits in a row are kept as they were typed`() {
        var editor = RandomEditor(seed: 5)
        var note = editor.makeNote()
        var blocks = split(editor.text(note))
        for _ in 0..<Thoroughness.count(200, soak: 1000) {
            note = editor.edit(note)
            if note.count > 20 { note = editor.makeNote() }
            let typed = editor.text(note)
            let old = blocks
            blocks = BlockIdentity.carry(from: old, to: split(typed))
            #expect(blocks.text == typed && Set(blocks.map(\.id)).count == blocks.count)
            let known = Dictionary(old.map { ($0.source, $0.id) }) { first, _ in first }
            let counts = Dictionary(grouping: old, by: \.source).mapValues(\.count)
            for block in blocks where counts[block.source] == 1 {
                // A block that stands in both once is the same, unless its lines moved into another.
                if let id = known[block.source] { #expect(block.id == id || blocks.contains { $0.id == id }) }
            }
        }
    }

    private func expectDeletionsAndUntouched(
        _ base: [SourceBlock], _ mine: [SourceBlock], _ theirs: [SourceBlock], _ merged: [SourceBlock]
    ) {
        let contents = { (blocks: [SourceBlock]) in
            Dictionary(uniqueKeysWithValues: blocks.map { ($0.id, BlockParts($0.source)) })
        }
        let (one, other, result) = (contents(mine), contents(theirs), contents(merged))
        for block in base {
            let before = BlockParts(block.source)
            switch (one[block.id], other[block.id]) {
            case (nil, nil): #expect(result[block.id] == nil)
            case (let left?, nil), (nil, let left?):
                let isEdited = left.essence != before.essence || left.isChecked != before.isChecked
                #expect((result[block.id] != nil) == isEdited)
                if isEdited { #expect(result[block.id]?.content == left.content) }
            case (let left?, let right?):
                if left.content == right.content { #expect(result[block.id]?.content == left.content) }
            }
        }
    }

    private func split(_ text: [UInt8]) -> [SourceBlock] { Markdown.split(text) }

    private func difference(_ found: [UInt8], _ expected: [UInt8]) -> String {
        let same = zip(found, expected).prefix { $0 == $1 }.count
        let around = { (text: [UInt8]) in String(decoding: text.dropFirst(max(0, same - 60)).prefix(160), as: UTF8.self)
        }
        return "found \(around(found).debugDescription), expected \(around(expected).debugDescription)"
    }

    /// Every word is unique, so that it can be found again.
    private func words(_ blocks: [SourceBlock]) -> Set<String> {
        let text = String(decoding: blocks.text, as: UTF8.self)
        return Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { $0.hasPrefix("word") })
    }
}

/// Makes notes and edits them as a person might, repeatably; a note is a list of what blank lines part.
private struct RandomEditor {
    private var random: SplitMix64
    private var wordCount = 0
    let lineEnd: String

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        lineEnd = seed % 3 == 0 ? "\r\n" : "\n"
    }

    func text(_ note: [String]) -> [UInt8] {
        Array(note.map { $0.replacing("\n", with: lineEnd) + lineEnd }.joined(separator: lineEnd).utf8)
    }

    mutating func makeNote() -> [String] { (0..<number(12)).map { _ in makeContent() } }

    mutating func makeFence() -> String { "```\n\(makeWord())\n```" }

    mutating func edit(_ note: some Sequence<String>) -> [String] {
        var note = Array(note)
        for _ in 0..<1 + number(6) { editOnce(&note) }
        return note
    }

    private mutating func editOnce(_ note: inout [String]) {
        let place = number(note.count + 1)
        guard place < note.count, number(4) > 0 else { return note.insert(makeContent(), at: place) }
        switch number(6) {
        case 0: note.remove(at: place)
        case 1: note.insert(note.remove(at: place), at: number(note.count))
        case 2: note[place] = tick(note[place])
        case 3: note[place] = makeContent()
        default: editWord(&note[place])
        }
    }

    private mutating func editWord(_ block: inout String) {
        // Behind the end of a fence a word would open it again.
        if block.hasPrefix("```") { return }
        var words = block.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let places = words.indices.filter { words[$0].hasPrefix("word") && !words[$0].contains("\n") }
        guard let place = places.randomElement(using: &random) else { return block += " " + makeWord() }
        if number(2) == 0 { words[place] = makeWord() } else { words.insert(makeWord(), at: place) }
        block = words.joined(separator: " ")
    }

    private func tick(_ block: String) -> String {
        block.contains("[ ]") ? block.replacing("[ ]", with: "[x]") : block.replacing("[x]", with: "[ ]")
    }

    private mutating func makeContent() -> String {
        let text = (0...number(8)).map { _ in makeWord() }.joined(separator: " ")
        switch number(12) {
        case 0: return String(repeating: "#", count: 1 + number(6)) + " " + text
        case 1: return "```swift\n\(text)\n\n\(makeWord())\n```"
        case 2: return "| \(text) | b |\n|:--|---|\n| \(makeWord()) | \(makeWord()) | \(makeWord()) |"
        case 3: return "[\(makeWord())]: \(makeWord())"
        case 4: return "> \(text)\n> \(makeWord())"
        case 5: return "\(3 + number(5)). \(text)\n\(1 + number(9)). \(makeWord())\n   - [ ] \(makeWord())"
        case 6: return "* [x] \(text)\n\n  \(makeWord())"
        case 7: return "\(text)\n======"
        case 8: return "<div>\(makeWord())\n\(text)</div>"
        default: return text
        }
    }

    /// Lines deleted, doubled, added and written to, wherever they are.
    mutating func editLines(_ text: [UInt8]) -> (text: [UInt8], added: [String]) {
        let source = SourceLines(text)
        var lines = (0..<source.count).map { Array(source[$0]) }
        var added: [String] = []
        for _ in 0..<1 + number(4) {
            let place = number(lines.count + 1)
            let word = makeWord() + "x"
            switch number(4) {
            case 0 where place < lines.count: lines.remove(at: place)
            case 1 where place < lines.count: lines.insert(lines[place], at: place)
            case 2 where place < lines.count: lines[place] = Array(word.utf8) + lines[place]
            default: lines.insert(Array((word + lineEnd).utf8), at: place)
            }
            added.append(word)
        }
        let result = Array(lines.joined())
        return (result, added.filter { result.firstRange(of: Array($0.utf8)) != nil })
    }

    private mutating func makeWord() -> String {
        wordCount += 1
        return "word\(wordCount)"
    }

    /// From zero to one less than the bound.
    private mutating func number(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &random) : 0 }
}
