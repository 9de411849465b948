import Secrets
import Testing

@testable import Notes

@Suite struct MergeTests {
    @Test func `edits of different words of one paragraph come together`() {
        let base = note("The quick brown fox.")
        let merged = merge(base, change(base, "The slow brown fox."), change(base, "The quick brown fox jumps."))
        #expect(text(merged) == "The slow brown fox jumps.\n" && !merged.hasConflict)
    }

    @Test func `edits of the same word keep both paragraphs`() {
        let base = note("The quick fox.")
        let merged = merge(base, change(base, "The slow fox."), change(base, "The red fox."))
        #expect(merged.hasConflict && merged.blocks.count == 2 && merged.blocks.contains { $0.id == base[0].id })
        #expect(Set(merged.blocks.map(\.content.text)) == ["The slow fox.", "The red fox."])
    }

    @Test func `an edit beats a deletion, and a deletion what nobody touched`() {
        let base = note("one\n\ntwo")
        let merged = merge(base, [], change(base, "one more"))
        #expect(text(merged) == "one more\n" && !merged.hasConflict)
    }

    @Test func `both sides add at the same place and both stay in one piece`() {
        let base = note("start\n\nend")
        let mine = [base[0]] + note("a\n\nb") + [base[1]]
        let theirs = [base[0]] + note("c\n\nd") + [base[1]]
        let result = text(merge(base, mine, theirs))
        #expect(result == "start\n\na\n\nb\n\nc\n\nd\n\nend\n" || result == "start\n\nc\n\nd\n\na\n\nb\n\nend\n")
    }

    @Test func `an item that one adds stays in its list when the other writes after it`() {
        let base = note("- milk")
        guard case .item(var item)? = base[0].containers.first else { return #expect(Bool(false)) }
        for seed in UInt64(1)...8 {
            item.id = Identifier(high: seed, low: 1)
            let added = Block(id: .makeRandom(), containers: [.item(item)], content: .paragraph(text: "bread"))
            let merged = merge(base, base + [added], base + note("Thanks"))
            #expect(text(merged) == "- milk\n- bread\n\nThanks\n")
        }
    }

    @Test func `one ticks an item while the other writes in it`() {
        let base = note("- [ ] milk\n- [ ] bread")
        let mine = BlockIdentity.carry(from: base, to: note("- [x] milk\n- [ ] bread"))
        let theirs = BlockIdentity.carry(from: base, to: note("- [ ] oat milk\n- [ ] bread"))
        #expect(text(merge(base, mine, theirs)) == "- [x] oat milk\n- [ ] bread\n")
    }

    @Test func `one moves a block while the other edits it`() {
        let base = note("one\n\ntwo\n\nthree")
        let merged = merge(base, [base[2], base[0], base[1]], change(base, "one\n\ntwo\n\nthree!"))
        #expect(text(merged) == "three!\n\none\n\ntwo\n")
    }

    @Test func `a paragraph becomes a heading while the other edits its words`() {
        let base = note("Plan for May")
        var mine = base
        mine[0].content = .heading(level: 2, text: "Plan for May")
        #expect(text(merge(base, mine, change(base, "Plan for June"))) == "## Plan for June\n")
    }

    @Test func `cells and lines of code come together`() {
        let table = note("| a | b |\n|---|---|\n| 1 | 2 |")
        let tables = merge(
            table, change(table, "| a | b |\n|---|---|\n| 3 | 2 |"), change(table, "| a | b |\n|:--|---|\n| 1 | 4 |"))
        #expect(text(tables) == "| a | b |\n| :-- | --- |\n| 3 | 4 |\n")
        let code = note("```\na\nb\nc\n```")
        let codes = merge(code, change(code, "```\nx\nb\nc\n```"), change(code, "```c\na\nb\nz\n```"))
        #expect(text(codes) == "```c\nx\nb\nz\n```\n")
    }

    @Test func `an edited note keeps its identities`() {
        let old = note("# Trip\n\nPack the tent.\n\n- one\n- two\n\n> wise words\n\nend")
        let text = "# Trip\n\nPack the small tent.\n\nnew\n\n- one and a half\n- two\n\n> wise words\n\nend"
        let new = BlockIdentity.carry(from: old, to: note(text))
        #expect(new[0].id == old[0].id && new[1].id == old[1].id && !old.map(\.id).contains(new[2].id))
        #expect(new[3].id == old[2].id && new[4].id == old[3].id && new[4].containers == old[3].containers)
        #expect(new[5].containers == old[4].containers && new[6].id == old[5].id)
    }

    @Test func `a hundred thousand blocks take seconds`() {
        let base = note((0..<100_000).map { "- item \($0 % 1_000) \($0 / 7)" }.joined(separator: "\n"))
        var mine = Array(base.reversed().prefix(50_000) + base.prefix(50_000))
        mine.remove(at: 77)
        let start = ContinuousClock.now
        let merged = merge(base, mine, Array(base.dropFirst(3)))
        let carried = BlockIdentity.carry(from: base, to: note(Markdown.render(mine)))
        #expect(merged.blocks.count == 99_996 && carried.count == mine.count)
        #expect(ContinuousClock.now - start < .seconds(120))
    }

    private func note(_ text: String) -> [Block] { Markdown.blocks(from: text) }

    private func change(_ base: [Block], _ text: String) -> [Block] { BlockIdentity.carry(from: base, to: note(text)) }

    private func merge(_ base: [Block], _ mine: [Block], _ theirs: [Block]) -> (blocks: [Block], hasConflict: Bool) {
        BlockMerge.merge(base: base, mine: mine, theirs: theirs)
    }

    private func text(_ merged: (blocks: [Block], hasConflict: Bool)) -> String { Markdown.render(merged.blocks) }
}
