/// `<img src="target" alt="label">` in a line of Markdown.
enum HTMLImage {
    private static let longestTag = 8192

    /// - Parameter start: of the angle bracket.
    static func read(_ line: [UInt8], at start: Int) -> MarkdownReference? {
        let tag = line[start...].prefix(longestTag)
        let name = tag.dropFirst().prefix(3).map { $0 | 0x20 }
        guard name == Array("img".utf8), let next = tag.dropFirst(4).first, CodeBlocks.isBlank(next) else { return nil }
        var source: String?
        var label: String?
        var index = start + 4
        while index < tag.endIndex {
            index = tag[index...].firstIndex { !CodeBlocks.isBlank($0) && $0 != UInt8(ascii: "/") } ?? tag.endIndex
            guard index < tag.endIndex else { return nil }
            if tag[index] == UInt8(ascii: ">") {
                guard let source, !source.isEmpty else { return nil }
                let shown = label ?? RelativePath.name(source)
                return MarkdownReference(
                    kind: .image, range: start..<index + 1, label: ForeignText.escaped(shown), target: source)
            }
            guard let attribute = attribute(tag, &index) else { return nil }
            switch attribute.name {
            case "src": source = source ?? attribute.value
            case "alt": label = label ?? attribute.value
            default: break
            }
        }
        return nil
    }

    private static func attribute(_ tag: ArraySlice<UInt8>, _ index: inout Int) -> (name: String, value: String)? {
        let name = tag[index...].prefix { !"= />\t".utf8.contains($0) }
        guard !name.isEmpty else { return nil }
        index = name.endIndex
        let key = String(decoding: name, as: UTF8.self).lowercased()
        guard index < tag.endIndex, tag[index] == UInt8(ascii: "=") else { return (name: key, value: "") }
        index += 1
        guard index < tag.endIndex else { return nil }
        let quote = tag[index]
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { index += 1 }
        let value = tag[index...].prefix { isQuoted ? $0 != quote : !" \t>".utf8.contains($0) }
        index = value.endIndex
        if isQuoted {
            guard index < tag.endIndex else { return nil }
            index += 1
        }
        return (name: key, value: unescaped(String(decoding: value, as: UTF8.self)))
    }

    /// The entities that addresses and labels have.
    private static func unescaped(_ text: String) -> String {
        guard text.contains("&") else { return text }
        let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}"]
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            let inner = rest[mark...].dropFirst().prefix { $0 != ";" && $0 != "&" }
            let isClosed = inner.endIndex < rest.endIndex && rest[inner.endIndex] == ";"
            if isClosed, let meaning = names[String(inner)] ?? number(inner) {
                result += meaning
                rest = rest[rest.index(after: inner.endIndex)...]
            } else {
                result += "&"
                rest = rest[rest.index(after: mark)...]
            }
        }
        return result + rest
    }

    private static func number(_ text: Substring) -> String? {
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst()
        let value = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }.map { String(Character($0)) }
    }
}
