/// What stands between the two lines of dashes at the beginning of a Markdown file.
///
/// It is the part of YAML that notes apps write there: `key: value`, lists in brackets or with dashes, quotes. What is
/// nested deeper is passed over.
struct FrontMatter: Equatable {
    enum Value: Equatable {
        case text(String)
        case list([String])
    }

    /// By lower-case key; of two alike, the first counts.
    private(set) var values: [String: Value] = [:]
    /// The lines of each entry, as they were, in their order; those before the first have no key.
    private var sources: [(key: String, lines: [String])] = []

    static func == (one: FrontMatter, other: FrontMatter) -> Bool { one.values == other.values }

    /// More is text that begins with a rule.
    private static let mostLines = 2000
    private static let mostBytes = 64 * 1024

    init() {}

    /// Reads the front matter of a file.
    ///
    /// - Returns: it, and the number of lines it takes up; nil where there is none.
    static func parse(_ lines: [String]) -> (matter: FrontMatter, lineCount: Int)? {
        guard let first = lines.first, trimmed(first) == "---" else { return nil }
        let inner = lines.dropFirst().prefix(mostLines)
        guard let end = inner.firstIndex(where: { trimmed($0) == "---" || trimmed($0) == "..." }) else { return nil }
        let content = Array(lines[1..<end])
        guard content.reduce(0, { $0 + $1.utf8.count }) <= mostBytes else { return nil }
        if let start = content.first(where: { !isBlank($0) }), key(of: start) == nil { return nil }
        var matter = FrontMatter()
        matter.read(content)
        return (matter: matter, lineCount: end + 1)
    }

    func text(_ keys: String...) -> String? {
        for key in keys {
            switch values[key] {
            case .text(let text)?: if !text.isEmpty { return text }
            case .list(let texts)?: if let first = texts.first { return first }
            case nil: continue
            }
        }
        return nil
    }

    /// A list, or a text whose parts commas separate.
    func list(_ keys: String...) -> [String]? {
        for key in keys {
            switch values[key] {
            case .text(let text)?: return text.split(separator: ",").map { Self.trimmed($0) }.filter { !$0.isEmpty }
            case .list(let texts)?: return texts
            case nil: continue
            }
        }
        return nil
    }

    /// The lines of entries with other keys than these, as they were.
    ///
    /// - Parameter known: keys that mean something here.
    func lines(without known: Set<String>) -> String {
        let lines = sources.filter { !known.contains($0.key) }.flatMap(\.lines)
        guard lines.contains(where: { !Self.isBlank($0) }) else { return "" }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Which entry each line belongs to.
    private mutating func divide(_ lines: [String]) {
        for line in lines {
            if let entry = Self.key(of: line) {
                sources.append((key: entry.key, lines: [line]))
            } else if sources.isEmpty {
                sources.append((key: "", lines: [line]))
            } else {
                sources[sources.count - 1].lines.append(line)
            }
        }
    }

    private mutating func read(_ lines: [String]) {
        divide(lines)
        var index = 0
        while index < lines.count {
            defer { index += 1 }
            guard let entry = Self.key(of: lines[index]) else { continue }
            var value = Value.text("")
            if entry.rest.hasPrefix("[") {
                var text = entry.rest
                while !FlowReader.isClosed(text), index + 1 < lines.count, Self.key(of: lines[index + 1]) == nil {
                    index += 1
                    text += " " + lines[index]
                }
                value = .list(FlowReader.items(text))
            } else if entry.rest.isEmpty {
                var items: [String] = []
                while index + 1 < lines.count, let item = Self.item(lines[index + 1]) {
                    index += 1
                    if !item.isEmpty { items.append(FlowReader.scalar(item)) }
                }
                value = .list(items)
            } else {
                value = .text(FlowReader.scalar(entry.rest))
            }
            if values[entry.key] == nil { values[entry.key] = value }
        }
    }

    /// `key: rest` in the first column; comments have none.
    private static func key(of line: String) -> (key: String, rest: String)? {
        guard let colon = line.firstIndex(of: ":"), let first = line.first, !first.isWhitespace, first != "#",
            first != "-"
        else { return nil }
        let rest = line[line.index(after: colon)...]
        guard rest.isEmpty || rest.first?.isWhitespace == true else { return nil }
        let key = trimmed(line[..<colon])
        guard key.utf8.count <= 100, key.allSatisfy({ $0.isLetter || $0.isNumber || " _-".contains($0) }) else {
            return nil
        }
        return (key: key.lowercased(), rest: trimmed(rest))
    }

    /// What follows the dash; nil where the line is no item.
    private static func item(_ line: String) -> String? {
        let text = trimmed(line)
        guard text != "-" else { return "" }
        return text.hasPrefix("- ") ? trimmed(text.dropFirst(2)) : nil
    }

    private static func isBlank(_ line: String) -> Bool {
        let text = trimmed(line)
        return text.isEmpty || text.hasPrefix("#")
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}

extension FrontMatter {
    /// A text in double quotes, as YAML and JSON both read it.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where scalar.value < 0x20 || (0x7F...0xA0).contains(scalar.value) || isSeparator(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func quoted(_ texts: [String]) -> String { "[" + texts.map { quoted($0) }.joined(separator: ", ") + "]" }

    /// Line ends of their own in YAML 1.1.
    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{2028}" || scalar == "\u{2029}" }
}

/// Reads scalars and `[a, "b", 'c']`.
private struct FlowReader {
    private let scalars: [Unicode.Scalar]
    private var index = 0

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    static func scalar(_ text: String) -> String {
        var reader = FlowReader(text)
        return reader.scalar(endsAtComma: false)
    }

    static func items(_ text: String) -> [String] {
        var reader = FlowReader(text)
        var items: [String] = []
        reader.index = 1
        while true {
            reader.skipSpaces()
            guard let next = reader.next, next != "]" else { return items }
            if next == "," {
                reader.index += 1
                continue
            }
            let item = reader.scalar(endsAtComma: true)
            if !item.isEmpty { items.append(item) }
            reader.skipToSeparator()
        }
    }

    /// Whether the bracket that opens the text is closed in it.
    static func isClosed(_ text: String) -> Bool {
        var reader = FlowReader(text)
        reader.index = 1
        while let next = reader.next {
            if next == "]" { return true }
            if next == "\"" || next == "'" { _ = reader.scalar(endsAtComma: true) } else { reader.index += 1 }
        }
        return false
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func skipSpaces() { while let next, next.properties.isWhitespace { index += 1 } }

    private mutating func skipToSeparator() { while let next, next != ",", next != "]" { index += 1 } }

    private mutating func scalar(endsAtComma: Bool) -> String {
        if next == "\"" { return doubleQuoted() }
        if next == "'" { return singleQuoted() }
        var text = String.UnicodeScalarView()
        while let next {
            if endsAtComma, next == "," || next == "]" { break }
            if next == "#", text.last?.properties.isWhitespace == true { break }
            text.append(next)
            index += 1
        }
        return FrontMatter.trimmed(String(text))
    }

    private mutating func singleQuoted() -> String {
        var text = String.UnicodeScalarView()
        index += 1
        while let scalar = next {
            index += 1
            if scalar == "'" {
                guard next == "'" else { break }
                index += 1
            }
            text.append(scalar)
        }
        return String(text)
    }

    private mutating func doubleQuoted() -> String {
        var text = String.UnicodeScalarView()
        index += 1
        while let scalar = next, scalar != "\"" {
            index += 1
            if scalar == "\\" { text.append(escaped()) } else { text.append(scalar) }
        }
        index += 1
        return String(text)
    }

    /// What a backslash stands for; one that stands for nothing known is dropped.
    private mutating func escaped() -> Unicode.Scalar {
        guard let scalar = next else { return "\\" }
        index += 1
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "0": return "\u{FFFD}"
        case "x": return hexadecimal(digits: 2)
        case "u": return hexadecimal(digits: 4)
        case "U": return hexadecimal(digits: 8)
        default: return scalar
        }
    }

    private mutating func hexadecimal(digits count: Int) -> Unicode.Scalar {
        let digits = scalars[index..<min(scalars.count, index + count)]
        index += digits.count
        let text = String(String.UnicodeScalarView(digits))
        guard digits.count == count, let value = UInt32(text, radix: 16), value != 0 else { return "\u{FFFD}" }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
