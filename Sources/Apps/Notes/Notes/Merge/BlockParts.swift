/// The source of a block, in the parts that a merge treats apart.
///
/// Together they are the source. They are found by a look at its lines alone: a block that looks like something else
/// than it is merges a little worse, and nothing is lost.
struct BlockParts: Equatable {
    /// What sort of block it looks like.
    enum Kind: Int { case heading, paragraph, code, table, html, rule }

    /// Marks of quotes, indentation and the marker of an item, before its first word.
    var lead: [UInt8] = []
    /// `[ ]` or `[x]` after an item's marker, with the blank after it.
    var check: [UInt8] = []
    /// From the first word to the last, without the last line's end.
    var content: [UInt8] = []
    /// The end of the last line that says something, and the blank lines after it.
    var tail: [UInt8] = []

    init(_ source: [UInt8]) {
        let end = Self.contentEnd(of: source)
        tail = Array(source[end...])
        var start = 0
        let isItem = Self.skipLead(&start, in: source[..<end])
        lead = Array(source[..<start])
        if isItem {
            let count = Self.checkMarkCount(source[start..<end])
            check = Array(source[start..<start + count])
            start += count
        }
        content = Array(source[start..<end])
    }

    var source: [UInt8] { lead + check + content + tail }

    /// Whether it is ticked; nil where there is nothing to tick.
    var isChecked: Bool? { check.isEmpty ? nil : check[1] != UInt8(ascii: " ") }

    /// The content without what its lines owe to the place where they stand: what is the same after a move.
    var essence: [UInt8] {
        guard kind != .code, content.contains(where: MarkdownText.endsLine) else { return content }
        var result: [UInt8] = []
        var isAtStart = false
        for byte in content {
            if isAtStart, MarkdownText.isBlank(byte) || byte == UInt8(ascii: ">") { continue }
            isAtStart = MarkdownText.endsLine(byte)
            result.append(byte)
        }
        return result
    }

    var kind: Kind {
        switch content.first {
        case UInt8(ascii: "#"): .heading
        case UInt8(ascii: "`"): content.starts(with: Array("```".utf8)) ? .code : .paragraph
        case UInt8(ascii: "~"): content.starts(with: Array("~~~".utf8)) ? .code : .paragraph
        case UInt8(ascii: "|"): .table
        case UInt8(ascii: "<"): .html
        case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "_"):
            content.allSatisfy { MarkdownText.isBlank($0) || $0 == content.first } ? .rule : .paragraph
        default: .paragraph
        }
    }
}

extension BlockParts {
    /// Where the last line ends that says something; of a block of marks alone, its first line.
    private static func contentEnd(of source: [UInt8]) -> Int {
        let lines = SourceLines(source)
        let last =
            (0..<lines.count).last { !MarkdownText.isEmpty(lines[$0]) }
            ?? (0..<lines.count).first { !MarkdownText.isBlankLine(lines[$0]) }
        guard let last else { return 0 }
        let line = lines[last]
        return line.lastIndex { !MarkdownText.endsLine($0) }.map { $0 + 1 } ?? line.startIndex
    }

    /// Goes over blank lines, marks of quotes, blanks and markers of items.
    ///
    /// - Returns: whether a marker was the last of them.
    private static func skipLead(_ index: inout Int, in source: ArraySlice<UInt8>) -> Bool {
        var isItem = false
        while index < source.endIndex {
            let byte = source[index]
            if MarkdownText.isBlank(byte) || MarkdownText.endsLine(byte) {
                index += 1
            } else if byte == UInt8(ascii: ">") {
                isItem = false
                index += 1
            } else if let end = markerEnd(source[index...]) {
                isItem = true
                index = end
            } else {
                break
            }
        }
        return isItem
    }

    /// Behind the marker that stands first, with a blank after it or nothing more on its line.
    private static func markerEnd(_ source: ArraySlice<UInt8>) -> Int? {
        let digits = source.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits.count <= 9, digits.endIndex < source.endIndex else { return nil }
        let marks = digits.isEmpty ? "-+*" : ".)"
        guard marks.utf8.contains(source[digits.endIndex]) else { return nil }
        let end = digits.endIndex + 1
        guard end < source.endIndex else { return end }
        // A rule is no list.
        if digits.isEmpty, isRule(source) { return nil }
        return MarkdownText.isBlank(source[end]) || MarkdownText.endsLine(source[end]) ? end : nil
    }

    private static func isRule(_ source: ArraySlice<UInt8>) -> Bool {
        let line = source.prefix { !MarkdownText.endsLine($0) }
        return line.allSatisfy { $0 == line.first || MarkdownText.isBlank($0) } && line.count { $0 == line.first } >= 3
    }

    private static func checkMarkCount(_ source: ArraySlice<UInt8>) -> Int {
        let mark = Array(source.prefix(4))
        guard mark.count >= 3, mark[0] == UInt8(ascii: "["), mark[2] == UInt8(ascii: "]"),
            " xX".utf8.contains(mark[1])
        else { return 0 }
        guard mark.count == 4 else { return 3 }
        return MarkdownText.isBlank(mark[3]) ? 4 : MarkdownText.endsLine(mark[3]) ? 3 : 0
    }
}
