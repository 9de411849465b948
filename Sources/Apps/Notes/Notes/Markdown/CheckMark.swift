/// `[ ]` or `[x]` at the start of an item's first paragraph.
enum CheckMark {
    static func text(_ isChecked: Bool) -> String { isChecked ? "[x]" : "[ ]" }

    /// The mark and the text after it, nil where there is no mark.
    static func split(_ text: String) -> (isChecked: Bool, rest: String)? {
        let bytes = Array(text.utf8.prefix(4))
        guard bytes.count >= 3, bytes[0] == UInt8(ascii: "["), bytes[2] == UInt8(ascii: "]") else { return nil }
        guard bytes.count == 3 || MarkdownText.isBlank(bytes[3]) || bytes[3] == MarkdownText.newline else { return nil }
        let rest = text.utf8.dropFirst(3).drop { MarkdownText.isBlank($0) || $0 == MarkdownText.newline }
        switch bytes[1] {
        case UInt8(ascii: " "): return (false, String(rest) ?? "")
        case UInt8(ascii: "x"), UInt8(ascii: "X"): return (true, String(rest) ?? "")
        default: return nil
        }
    }

    /// A mark that the library escaped in rewriting a paragraph, as it was.
    static func unescaped(_ text: String) -> String {
        for mark in ["[ ]", "[x]", "[X]"] {
            let escaped = "\\" + mark.dropLast() + "\\]"
            if text.hasPrefix(escaped) { return mark + text.dropFirst(escaped.count) }
        }
        return text
    }
}
