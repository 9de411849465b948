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
    /// What stands there, in its order.
    private var entries: [Entry] = []

    /// A key with all that belongs to it, or lines that belong to none, which have an empty key.
    private struct Entry {
        var key: String
        var lines: [String]
        /// Whether ``values`` says all that the lines say.
        var isUnderstood = false
    }

    static func == (one: FrontMatter, other: FrontMatter) -> Bool { one.values == other.values }

    /// More is text that begins with a rule.
    private static let mostLines = 2000
    private static let mostBytes = 64 * 1024

    init() {}

    /// - Parameter content: the lines between the dashes.
    init(_ content: [String]) { read(content) }

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
        return (matter: FrontMatter(content), lineCount: end + 1)
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
            case .text(let text)?:
                return text.split(separator: ",").map { FlowReader.scalar(Self.trimmed($0)) }.filter { !$0.isEmpty }
            case .list(let texts)?: return texts
            case nil: continue
            }
        }
        return nil
    }

    /// The keys that stand there, in lower case.
    var keys: Set<String> { Set(entries.map(\.key)).subtracting([""]) }

    /// The lines of all entries but those with these keys, as they were.
    ///
    /// An entry that says more than we understand stays, and so does a second one of the same key.
    ///
    /// - Parameter known: keys that mean something here.
    func lines(without known: Set<String>) -> String {
        var used: Set<String> = []
        let kept = entries.filter { entry in
            !(known.contains(entry.key) && entry.isUnderstood && used.insert(entry.key).inserted)
        }
        let lines = kept.flatMap(\.lines)
        guard lines.contains(where: { !Self.isBlank($0) }) else { return "" }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Lines that belong together: what is indented, an item, or within an open bracket belongs to the key above.
    private static func divided(_ lines: [String]) -> [Entry] {
        var entries: [Entry] = []
        var open = ""
        for line in lines {
            let key = key(of: line)
            let isInner = isBlank(line) || line.first?.isWhitespace == true || item(line) != nil
            if key == nil, !entries.isEmpty, isInner || !open.isEmpty {
                entries[entries.count - 1].lines.append(line)
                open = open.isEmpty || FlowReader.isClosed(open + " " + line) ? "" : open + " " + line
            } else {
                entries.append(Entry(key: key?.key ?? "", lines: [line]))
                open = key.map { $0.rest.hasPrefix("[") && !FlowReader.isClosed($0.rest) ? $0.rest : "" } ?? ""
            }
        }
        return entries.flatMap(separated)
    }

    /// Comments and empty lines at an entry's end are the next one's, or nobody's.
    private static func separated(_ entry: Entry) -> [Entry] {
        let count = entry.lines.reversed().prefix { isBlank($0) && $0.first?.isWhitespace != true }.count
        guard !entry.key.isEmpty, count > 0, count < entry.lines.count else { return [entry] }
        let rest = Array(entry.lines.suffix(count))
        return [Entry(key: entry.key, lines: entry.lines.dropLast(count)), Entry(key: "", lines: rest)]
    }

    private mutating func read(_ lines: [String]) {
        entries = Self.divided(lines)
        for index in entries.indices {
            guard let first = entries[index].lines.first, let entry = Self.key(of: first) else { continue }
            let below = entries[index].lines.dropFirst().filter { !Self.isBlank($0) }
            var value = Value.text(FlowReader.scalar(entry.rest))
            if entry.rest.hasPrefix("[") {
                let text = ([entry.rest] + below).joined(separator: " ")
                value = .list(FlowReader.items(text))
                entries[index].isUnderstood = FlowReader.isClosed(text)
            } else if entry.rest.isEmpty || entry.rest.hasPrefix("#") {
                let items = below.prefix { Self.item($0) != nil }.compactMap(Self.item)
                value = .list(items.filter { !$0.isEmpty }.map(FlowReader.scalar))
                entries[index].isUnderstood = items.count == below.count
            } else {
                entries[index].isUnderstood = below.isEmpty
                // A text of several lines: its first says too little.
                guard below.isEmpty else { continue }
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
            if reader.quoted() == nil { reader.index += 1 }
        }
        return false
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func skipSpaces() { while let next, next.properties.isWhitespace { index += 1 } }

    private mutating func skipToSeparator() { while let next, next != ",", next != "]" { index += 1 } }

    private mutating func scalar(endsAtComma: Bool) -> String {
        let start = index
        if let (text, isClosed) = quoted() {
            if isClosed, endsHere(atComma: endsAtComma) { return text }
            // What begins with a quote and goes on behind it is no YAML: it is taken as it stands.
            index = start
        }
        var text = String.UnicodeScalarView()
        while let next {
            if endsAtComma, next == "," || next == "]" { break }
            if next == "#", text.last?.properties.isWhitespace == true { break }
            text.append(next)
            index += 1
        }
        return FrontMatter.trimmed(String(text))
    }

    /// What stands in quotes, or runs from a quote to the end; nil where none begins.
    private mutating func quoted() -> (text: String, isClosed: Bool)? {
        switch next {
        case "\"": doubleQuoted()
        case "'": singleQuoted()
        default: nil
        }
    }

    /// Whether a value that has ended in a quote ends there.
    private func endsHere(atComma: Bool) -> Bool {
        let rest = scalars[index...].drop { $0.properties.isWhitespace }
        guard let first = rest.first else { return true }
        return first == "#" && rest.startIndex > index || atComma && (first == "," || first == "]")
    }

    private mutating func singleQuoted() -> (text: String, isClosed: Bool) {
        var text = String.UnicodeScalarView()
        index += 1
        while let scalar = next {
            index += 1
            if scalar == "'" {
                guard next == "'" else { return (text: String(text), isClosed: true) }
                index += 1
            }
            text.append(scalar)
        }
        return (text: String(text), isClosed: false)
    }

    private mutating func doubleQuoted() -> (text: String, isClosed: Bool) {
        var text = String.UnicodeScalarView()
        index += 1
        while let scalar = next {
            index += 1
            if scalar == "\"" { return (text: String(text), isClosed: true) }
            if scalar == "\\" { text.append(escaped()) } else { text.append(scalar) }
        }
        return (text: String(text), isClosed: false)
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
