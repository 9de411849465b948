extension Markdown {
    /// The title of a text: the first line that a reader sees anything in, else the first that has anything.
    static func title(ofText source: String) -> String {
        let title = title(blocks(from: source))
        guard title.isEmpty else { return title }
        // A note of definitions alone shows nothing, and is not without a name for that.
        for line in source.split(whereSeparator: \.isNewline) {
            let title = legible(line)
            if !title.isEmpty { return title }
        }
        return ""
    }

    /// What a search looks through: what a reader sees, and then each line of which the reader does not see all.
    ///
    /// So every word that was typed is found: a link's definition and its address, a cell beyond a table's last column,
    /// HTML. The second half is as it was typed; of links to attachments the identifiers are left out.
    static func searchText(_ source: String) -> String {
        let shown = plainText(blocks(from: source))
        guard source.utf8.contains(where: hiding.contains) else { return shown }
        let text = Array(source.utf8)
        var known: Set<[UInt8]> = []
        forEachWord(in: Array(shown.utf8)[...]) { known.insert(Array($0)) }
        let lines = SourceLines(text)
        var hidden: [String] = []
        for line in 0..<lines.count {
            var isHidden = false
            forEachWord(in: lines[line]) { word in
                isHidden = isHidden || !(known.contains(Array(word)) || isOfAttachment(word))
            }
            guard isHidden else { continue }
            // As everywhere in what is read: a null character ends a text for other programs.
            let typed = String(decoding: lines[line], as: UTF8.self).replacing("\0", with: "\u{FFFD}")
            hidden.append(MarkdownText.trimmed(typed))
        }
        return hidden.isEmpty ? shown : ([shown] + hidden).joined(separator: "\n")
    }

    /// Without any of these, a reader sees every word.
    private static let hiding = Set("[]()|<>&`~*_\\".utf8)

    /// Runs of letters and digits; what is not ASCII counts as a letter.
    private static func forEachWord(in text: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) {
        var start: Int?
        for index in text.indices {
            let byte = text[index]
            let isWord = byte >= 0x80 || isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            if isWord {
                start = start ?? index
            } else if let first = start {
                body(text[first..<index])
                start = nil
            }
        }
        if let first = start { body(text[first...]) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// `attachment`, or 32 hexadecimal digits.
    private static func isOfAttachment(_ word: ArraySlice<UInt8>) -> Bool {
        if word.count == 32 {
            return word.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
        }
        return word.elementsEqual("attachment".utf8)
    }
}
