import Secrets

/// The places of attachments in a note's text: `![name](attachment:ID)` in a paragraph of its own.
///
/// Nothing else of the text is changed, and taking out what was just put in gives the text back byte for byte.
enum AttachmentText {
    /// A text that comes in, which names its files by their numbers; those that it does not name stand at its end.
    ///
    /// - Parameter title: becomes the text where there is none.
    static func blocks(
        of markdown: String, title: String?, _ files: [(id: Identifier, name: String)]
    ) -> [SourceBlock] {
        var text = markdown
        if text.allSatisfy(\.isWhitespace), let title, !title.isEmpty { text = "# " + Markdown.escape(title) + "\n" }
        let (blocks, placed) = naming(files.map(\.id), in: Markdown.split(Array(text.utf8)))
        return appending(files.filter { !placed.contains($0.id) }, to: blocks)
    }

    /// With attachments at the end, each in a paragraph of its own.
    static func appending(_ new: [(id: Identifier, name: String)], to blocks: [SourceBlock]) -> [SourceBlock] {
        guard !new.isEmpty else { return blocks }
        var longer = blocks
        for (id, name) in new { append(Array(link(to: id, named: name).utf8), to: &longer) }
        let shown = Set(attachments(in: longer))
        guard !new.allSatisfy({ shown.contains($0.id) }), let last = blocks.last else { return longer }
        // The text ends in a fence or in HTML that nobody closed: there a line would be part of it.
        let lineEnd = lineEnd(of: blocks)
        let paragraphs = new.map {
            SourceBlock(source: Array(link(to: $0.id, named: $0.name).utf8) + lineEnd + lineEnd)
        }
        let before = blocks.dropLast() + paragraphs + [last]
        let isShown = Set(new.map(\.id)).isSubset(of: attachments(in: Array(before)))
        return isShown ? Array(before) : paragraphs + blocks
    }

    private static func append(_ line: [UInt8], to blocks: inout [SourceBlock]) {
        guard let last = blocks.last else { return blocks.append(SourceBlock(source: line + newline)) }
        let tail = BlockParts(last.source).tail
        let lineEnd = lineEnd(of: blocks)
        if tail.isEmpty { blocks[blocks.count - 1].source += lineEnd }
        if SourceLines(tail).count < 2 { blocks[blocks.count - 1].source += lineEnd }
        blocks.append(SourceBlock(source: line + tail))
    }

    /// Without the lines that are nothing but the attachment.
    static func removing(_ id: Identifier, from blocks: [SourceBlock]) -> [SourceBlock] {
        let leaves = Markdown.leaves(of: blocks)
        var result: [SourceBlock] = []
        for (index, block) in blocks.enumerated() {
            guard leaves[index]?.content.attachment == id else {
                result.append(block)
                continue
            }
            let rest = withoutLines(of: id, in: block.source)
            if !rest.isEmpty { result.append(SourceBlock(id: block.id, source: rest)) }
            guard rest.isEmpty, index == blocks.count - 1, let before = result.popLast() else { continue }
            // The text ends as it did.
            var parts = BlockParts(before.source)
            parts.tail = BlockParts(block.source).tail
            if !parts.source.isEmpty { result.append(SourceBlock(id: before.id, source: parts.source)) }
        }
        return result
    }

    /// Definitions may stand in the same lines as the paragraph.
    private static func withoutLines(of id: Identifier, in source: [UInt8]) -> [UInt8] {
        let mark = Array((Markdown.attachmentScheme + id.description).utf8)
        let lines = SourceLines(source)
        let rest = (0..<lines.count).map { lines[$0] }.filter { $0.firstRange(of: mark) == nil }
        return rest.allSatisfy(MarkdownText.isEmpty) ? [] : Array(rest.joined())
    }

    /// Gives attachments that came with a text their identities: number i is `![label](attachment:i)`.
    ///
    /// - Returns: the text, and which of them have a place in it.
    private static func naming(_ ids: [Identifier], in blocks: [SourceBlock]) -> (
        blocks: [SourceBlock], placed: Set<Identifier>
    ) {
        // Most notes have none, and need not be parsed again.
        guard !ids.isEmpty else { return (blocks, []) }
        var named = blocks
        var places: [Identifier: Int] = [:]
        for (index, block) in blocks.enumerated() {
            var parts = BlockParts(block.source)
            guard let number = number(in: parts.content), ids.indices.contains(number), places[ids[number]] == nil
            else { continue }
            parts.content.removeLast("\(number))".utf8.count)
            parts.content += "\(ids[number]))".utf8
            named[index].source = parts.source
            places[ids[number]] = index
        }
        let shown = Set(attachments(in: named))
        // In code it would only look like one.
        for (id, index) in places where !shown.contains(id) { named[index] = blocks[index] }
        var placed = shown.intersection(places.keys)
        nameInParagraphs(ids, &named, &placed)
        return (named, placed)
    }

    /// The same in lines that are nothing but an attachment, within a paragraph, a list or a quote.
    ///
    /// So somebody had typed it, and so it comes back.
    private static func nameInParagraphs(
        _ ids: [Identifier], _ blocks: inout [SourceBlock], _ placed: inout Set<Identifier>
    ) {
        let leaves = Markdown.leaves(of: blocks)
        for index in blocks.indices {
            guard case .paragraph = leaves[index]?.content else { continue }
            let lines = SourceLines(blocks[index].source)
            var source: [UInt8] = []
            for number in 0..<lines.count {
                var line = Array(lines[number])
                let ending = Array(line.reversed().prefix { " \t\r\n".utf8.contains($0) }.reversed())
                let content = line.dropLast(ending.count).drop { $0 != UInt8(ascii: "!") }
                if let file = self.number(in: Array(content)), ids.indices.contains(file),
                    line.prefix(line.count - ending.count - content.count).allSatisfy(isContainer),
                    placed.insert(ids[file]).inserted
                {
                    line.removeLast("\(file))".utf8.count + ending.count)
                    line += Array("\(ids[file]))".utf8) + ending
                }
                source += line
            }
            blocks[index].source = source
        }
    }

    /// White space, and marks of quotes and lists.
    private static func isContainer(_ byte: UInt8) -> Bool { " \t>-*+.)0123456789".utf8.contains(byte) }

    /// The number in a paragraph that is nothing but `![label](attachment:NUMBER)`.
    private static func number(in content: [UInt8]) -> Int? {
        let scheme = Array("](\(Markdown.attachmentScheme)".utf8)
        guard content.starts(with: "![".utf8), content.last == UInt8(ascii: ")") else { return nil }
        let digits = content.dropLast().reversed().prefix { (48...57).contains($0) }.count
        let before = content.dropLast(1 + digits)
        guard (1...9).contains(digits), before.suffix(scheme.count) == scheme[...] else { return nil }
        return Int(String(decoding: content[before.endIndex...].dropLast(), as: UTF8.self))
    }

    /// The attachments that a text shows, in their order.
    static func attachments(in blocks: [SourceBlock]) -> [Identifier] {
        Markdown.blocks(from: String(decoding: blocks.text, as: UTF8.self)).compactMap(\.content.attachment)
    }

    private static func link(to id: Identifier, named name: String) -> String {
        "![\(MarkdownText.escapingAll(name))](\(Markdown.attachmentScheme)\(id))"
    }

    private static let newline = [MarkdownText.newline]

    /// As the text has it.
    private static func lineEnd(of blocks: [SourceBlock]) -> [UInt8] {
        let text = blocks.first?.source ?? []
        guard let end = text.firstIndex(of: MarkdownText.newline), end > 0 else { return newline }
        return text[end - 1] == MarkdownText.carriageReturn ? [MarkdownText.carriageReturn] + newline : newline
    }
}

extension Block.Content {
    /// The attachment that stands here.
    var attachment: Identifier? {
        guard case .attachment(let id, _) = self else { return nil }
        return id
    }

    /// What sort of content it is, whatever it says.
    enum Kind: Int { case heading, paragraph, code, table, html, rule, attachment, empty }

    var kind: Kind {
        switch self {
        case .heading: .heading
        case .paragraph: .paragraph
        case .code: .code
        case .table: .table
        case .html: .html
        case .rule: .rule
        case .attachment: .attachment
        case .empty: .empty
        }
    }
}
