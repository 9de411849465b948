import Secrets

extension Markdown {
    /// What a document consists of, and on which of its lines each block begins, counted from 0.
    ///
    /// A block begins where the first of the quotes and items begins that it is the first to stand in.
    static func outline(_ source: String) -> (blocks: [Block], lines: [Int]) {
        var builder = BlockBuilder()
        for (event, line) in MarkdownLibrary.located(in: source) { builder.add(event, line: line) }
        return (builder.blocks, builder.lines)
    }

    /// Cuts a text into blocks, each with a fresh random identity: nothing is left out, nothing is changed.
    ///
    /// Each leaf that the library finds begins a block, which goes on to the next. What it finds nothing in, such as
    /// the definitions of links, is a block of its own where a blank line parts it from what stands before.
    package static func split(_ text: [UInt8]) -> [SourceBlock] {
        starts(in: text, outline(String(decoding: text, as: UTF8.self))).map { SourceBlock(source: Array(text[$0])) }
    }

    /// What each block of a text says; nil for what shows nothing, such as the definition of a link.
    static func leaves(of blocks: [SourceBlock]) -> [Block?] {
        let text = blocks.text
        let (found, places) = outline(String(decoding: text, as: UTF8.self))
        let lines = SourceLines(text)
        var leaves: [Block?] = []
        var offset = 0
        var next = 0
        for block in blocks {
            let start = offset
            offset += block.source.count
            let place = { (leaf: Int) in places[leaf] < lines.count ? lines.starts[places[leaf]] : text.count }
            while next < found.count, place(next) < start { next += 1 }
            leaves.append(next < found.count && place(next) < offset ? found[next] : nil)
        }
        return leaves
    }

    /// Where the blocks are in a text that has been read already.
    static func starts(in text: [UInt8], _ outline: (blocks: [Block], lines: [Int])) -> [Range<Int>] {
        let lines = SourceLines(text)
        var starts = BlockStarts(lines)
        for (index, block) in outline.blocks.enumerated() {
            let next = index + 1 < outline.lines.count ? outline.lines[index + 1] : lines.count
            starts.add(block.content.kind, from: outline.lines[index], to: min(next, lines.count))
        }
        let offsets = starts.finished().map { lines.starts[$0] }
        return zip(offsets, offsets.dropFirst() + [text.count]).map { $0..<$1 }
    }
}

/// The lines on which blocks begin.
private struct BlockStarts {
    private let lines: SourceLines
    private var starts: [Int] = []
    /// The first line that no leaf has claimed.
    private var next = 0
    /// Whether there was a line that shows something, or a leaf.
    private var hasBegun = false

    init(_ lines: SourceLines) { self.lines = lines }

    mutating func add(_ kind: Block.Content.Kind, from start: Int, to end: Int) {
        if starts.isEmpty, next < start { addLoose(to: min(start, lines.count), isAfterBlank: true) }
        guard start < lines.count else { return }
        // Several on one line, as the library sometimes says, are one block.
        if start >= next {
            begin(at: start)
            next = start + 1
        }
        if kind == .code || kind == .html { next = max(next, end) } else { addLoose(to: end, isAfterBlank: false) }
    }

    mutating func finished() -> [Int] {
        if starts.isEmpty { addLoose(to: lines.count, isAfterBlank: true) }
        if starts.isEmpty, lines.count > 0 { starts = [0] }
        return starts
    }

    /// Blank lines before the first block belong to it.
    private mutating func begin(at line: Int) {
        starts.append(hasBegun ? line : 0)
        hasBegun = true
    }

    /// Lines after a leaf: it ends at a blank line, and what comes then is nothing that is shown.
    private mutating func addLoose(to end: Int, isAfterBlank: Bool) {
        var (hasEnded, isAfterBlank) = (isAfterBlank, isAfterBlank)
        while next < end {
            let line = lines[next]
            if MarkdownText.isEmpty(line) {
                (hasEnded, isAfterBlank) = (true, true)
            } else {
                if hasEnded, isAfterBlank || isDefinition(line) { begin(at: next) }
                isAfterBlank = false
            }
            next += 1
        }
    }

    private func isDefinition(_ line: ArraySlice<UInt8>) -> Bool {
        line.first { !MarkdownText.isBlank($0) && $0 != UInt8(ascii: ">") } == UInt8(ascii: "[")
    }
}
