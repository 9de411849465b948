/// The source of inline content, as lines.
enum MarkdownText {
    /// The lines without indentation; blank ones are left out, because they would end the paragraph.
    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        for line in text.utf8.split(whereSeparator: { $0 == newline || $0 == carriageReturn }) {
            let content = line.drop { isBlank($0) }
            if !content.isEmpty { lines.append(String(content) ?? "") }
        }
        if let last = lines.popLast() { lines.append(trimmed(last)) }
        return lines
    }

    /// The lines of a paragraph, so that they read back as this paragraph and nothing else.
    ///
    /// Only what would read as another block is changed. A line after the first is indented by four spaces, which
    /// vanish in reading; the first one gets a backslash, which does not.
    ///
    /// - Parameter prefix: what stands before the text on its first line.
    static func paragraphLines(of text: String, after prefix: String = "") -> [String] {
        let lines = lines(of: text)
        guard let first = lines.first else { return [] }
        let suspicious = lines.dropFirst().contains(where: maySeemBlock) || (prefix.isEmpty && maySeemBlock(first))
        guard suspicious else { return lines }
        let indented = lines.dropFirst().map { maySeemBlock($0) ? "    " + $0 : $0 }
        let escaped = escaped(first)
        let forms = [lines, [first] + indented, [escaped] + lines.dropFirst(), [escaped] + indented]
        return forms.first { isParagraph($0, after: prefix) } ?? lines
    }

    /// The text on one line.
    static func singleLine(_ text: String) -> String { lines(of: text).joined(separator: " ") }

    /// Text as source that shows it literally.
    static func escapingAll(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\r" {
                result += " "
            } else {
                if special.contains(scalar) { result += "\\" }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Without white space at its end.
    static func trimmed(_ text: String) -> String {
        guard let last = text.utf8.lastIndex(where: { !isBlank($0) && !(newline...carriageReturn).contains($0) }) else {
            return ""
        }
        return String(text.utf8[...last]) ?? ""
    }

    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static let special = Set("\\`*_[]<>&!~|#:@.".unicodeScalars)
    private static let opening = Set("#>-+*_=0123456789`~<|:[".utf8)

    /// Whether the lines read back as one paragraph of this text.
    private static func isParagraph(_ form: [String], after prefix: String) -> Bool {
        let text = prefix + lines(of: form.joined(separator: "\n")).joined(separator: "\n")
        return MarkdownLibrary.events(in: prefix + form.joined(separator: "\n")) == [.paragraph(text: text)]
    }

    /// A cheap look that never misses: the library has the last word.
    private static func maySeemBlock(_ line: String) -> Bool {
        guard let first = line.utf8.first else { return false }
        return opening.contains(first)
    }

    /// The backslash stands before the line's first punctuation: before the dot of a list's number.
    private static func escaped(_ line: String) -> String {
        let digits = line.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return (String(digits) ?? "") + "\\" + (String(line.utf8[digits.endIndex...]) ?? "")
    }
}
