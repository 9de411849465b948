/// Something in a line of Markdown that names something else.
struct MarkdownReference: Equatable {
    enum Kind: Equatable {
        /// `![label](target)`, `![label][name of a target]` or `<img src="target">`
        case image
        /// `[label](target)` or `[label][name of a target]`
        case link
        /// `![[target|label]]`
        case embed
        /// `[[target|label]]`
        case wiki
    }

    let kind: Kind
    /// Bytes of the line.
    let range: Range<Int>
    let label: String
    let target: String
}

/// Finds links and images in a line, outside of code.
///
/// The time is linear in the line's length: what is longer than the limits here is no link, and behind many openings
/// that lead nowhere nothing more is looked for.
struct LinkScanner {
    private let line: [UInt8]
    private static let longestLabel = 1000
    private static let longestTarget = 4096
    private static let longestCode = 4096
    private static let mostFailures = 200

    /// What names of targets stand for, by ``key(_:)``.
    private let definitions: [String: String]

    private init(_ line: [UInt8], _ definitions: [String: String] = [:]) {
        self.line = line
        self.definitions = definitions
    }

    static func references(in line: [UInt8], _ definitions: [String: String] = [:]) -> [MarkdownReference] {
        guard line.contains(UInt8(ascii: "[")) || line.contains(UInt8(ascii: "<")) else { return [] }
        return LinkScanner(line, definitions).references
    }

    /// A line that says what a name stands for: `[name]: target`.
    static func definition(in line: [UInt8]) -> (key: String, target: String)? {
        let indent = line.prefix { $0 == 32 }.count
        guard indent <= 3, indent < line.count, line[indent] == UInt8(ascii: "[") else { return nil }
        let scanner = LinkScanner(line)
        guard let close = scanner.closing(UInt8(ascii: "["), UInt8(ascii: "]"), from: indent, limit: longestLabel),
            scanner.byte(close + 1) == UInt8(ascii: ":"),
            let target = scanner.destination(scanner.skipBlanks(close + 2))
        else { return nil }
        let key = key(line[indent + 1..<close])
        return key.isEmpty || target.text.isEmpty ? nil : (key: key, target: unescaped(target.text))
    }

    /// Names are the same whatever their case and blanks.
    private static func key(_ label: ArraySlice<UInt8>) -> String {
        String(decoding: label, as: UTF8.self).lowercased().split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }

    private var references: [MarkdownReference] {
        var found: [MarkdownReference] = []
        var failures = 0
        var index = 0
        while index < line.count, failures < Self.mostFailures {
            switch line[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "`"): index = endOfCode(index)
            case UInt8(ascii: "!") where byte(index + 1) == UInt8(ascii: "["):
                let reference = wiki(index + 1, .embed) ?? inline(index + 1, .image) ?? named(index + 1, .image)
                if let reference { found.append(reference) } else { failures += 1 }
                index = reference?.range.upperBound ?? index + 2
            case UInt8(ascii: "["):
                if let reference = wiki(index, .wiki) {
                    found.append(reference)
                    index = reference.range.upperBound
                } else {
                    let reference = inline(index, .link) ?? named(index, .link)
                    if let reference { found.append(reference) } else { failures += 1 }
                    // A link may have an image for its label.
                    index += 1
                }
            case UInt8(ascii: "<"):
                let reference = HTMLImage.read(line, at: index)
                if let reference { found.append(reference) }
                index = reference?.range.upperBound ?? index + 1
            default: index += 1
            }
        }
        return found
    }

    private func byte(_ index: Int) -> UInt8? { line.indices.contains(index) ? line[index] : nil }

    /// Behind the code that begins at `start`, or behind backticks that begin none.
    private func endOfCode(_ start: Int) -> Int {
        let tick = UInt8(ascii: "`")
        let count = line[start...].prefix { $0 == tick }.count
        var index = start + count
        let end = min(line.count, index + Self.longestCode)
        while index < end {
            guard line[index] == tick else {
                index += 1
                continue
            }
            let run = line[index...].prefix { $0 == tick }.count
            index += run
            if run == count { return index }
        }
        return start + count
    }

    /// - Parameter start: of the first bracket.
    private func wiki(_ start: Int, _ kind: MarkdownReference.Kind) -> MarkdownReference? {
        guard byte(start + 1) == UInt8(ascii: "[") else { return nil }
        let inner = start + 2
        let text = line[inner...].prefix(Self.longestLabel).prefix { !"[]".utf8.contains($0) }
        guard !text.isEmpty, byte(text.endIndex) == UInt8(ascii: "]"), byte(text.endIndex + 1) == UInt8(ascii: "]")
        else { return nil }
        let parts = text.split(separator: UInt8(ascii: "|"), maxSplits: 1, omittingEmptySubsequences: false)
        // In tables the bar is written with a backslash before it.
        let target = string(parts[0].last == UInt8(ascii: "\\") && parts.count > 1 ? parts[0].dropLast() : parts[0])
        let from = kind == .embed ? start - 1 : start
        return MarkdownReference(
            kind: kind, range: from..<text.endIndex + 2, label: parts.count > 1 ? string(parts[1]) : "",
            target: FrontMatter.trimmed(target))
    }

    /// - Parameter start: of the bracket.
    private func inline(_ start: Int, _ kind: MarkdownReference.Kind) -> MarkdownReference? {
        guard let close = closing(UInt8(ascii: "["), UInt8(ascii: "]"), from: start, limit: Self.longestLabel),
            byte(close + 1) == UInt8(ascii: "("), let target = target(close + 2)
        else { return nil }
        let from = kind == .image ? start - 1 : start
        return MarkdownReference(
            kind: kind, range: from..<target.end, label: string(line[start + 1..<close]), target: target.text)
    }

    /// `[label][name]`, `[name][]` or `[name]`, where the name stands for something.
    ///
    /// - Parameter start: of the bracket.
    private func named(_ start: Int, _ kind: MarkdownReference.Kind) -> MarkdownReference? {
        guard !definitions.isEmpty,
            let close = closing(UInt8(ascii: "["), UInt8(ascii: "]"), from: start, limit: Self.longestLabel)
        else { return nil }
        let label = line[start + 1..<close]
        var (name, end) = (label, close + 1)
        if byte(end) == UInt8(ascii: "["),
            let last = closing(UInt8(ascii: "["), UInt8(ascii: "]"), from: end, limit: Self.longestLabel)
        {
            if last > end + 1 { name = line[end + 1..<last] }
            end = last + 1
        }
        guard let target = definitions[Self.key(name)] else { return nil }
        let from = kind == .image ? start - 1 : start
        return MarkdownReference(kind: kind, range: from..<end, label: string(label), target: target)
    }

    /// The bracket that closes the one at `start`.
    private func closing(_ open: UInt8, _ close: UInt8, from start: Int, limit: Int) -> Int? {
        var depth = 0
        var index = start
        let end = min(line.count, start + limit)
        while index < end {
            switch line[index] {
            case UInt8(ascii: "\\"): index += 1
            case open: depth += 1
            case close:
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// A destination, and a title that is passed over; ends behind the parenthesis.
    private func target(_ start: Int) -> (text: String, end: Int)? {
        guard let (text, index) = destination(skipBlanks(start)) else { return nil }
        let next = skipBlanks(index)
        if byte(next) == UInt8(ascii: ")") { return (text: Self.unescaped(text), end: next + 1) }
        guard next > index, let quote = byte(next), "\"'".utf8.contains(quote),
            let end = line[(next + 1)...].prefix(Self.longestLabel).firstIndex(of: quote)
        else { return nil }
        let close = skipBlanks(end + 1)
        return byte(close) == UInt8(ascii: ")") ? (text: Self.unescaped(text), end: close + 1) : nil
    }

    /// In angle brackets or bare.
    private func destination(_ start: Int) -> (text: ArraySlice<UInt8>, end: Int)? {
        guard byte(start) == UInt8(ascii: "<") else {
            let text = bareTarget(start)
            return (text: text, end: text.endIndex)
        }
        let text = line[(start + 1)...].prefix(Self.longestTarget).prefix { !"<>".utf8.contains($0) }
        guard byte(text.endIndex) == UInt8(ascii: ">") else { return nil }
        return (text: text, end: text.endIndex + 1)
    }

    /// Up to a blank, or a parenthesis that is not opened in it.
    private func bareTarget(_ start: Int) -> ArraySlice<UInt8> {
        var depth = 0
        var index = start
        let end = min(line.count, start + Self.longestTarget)
        while index < end {
            switch line[index] {
            case 0...32: return line[start..<index]
            case UInt8(ascii: "\\") where index + 1 < end: index += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                if depth == 0 { return line[start..<index] }
                depth -= 1
            default: break
            }
            index += 1
        }
        return line[start..<end]
    }

    private func skipBlanks(_ start: Int) -> Int {
        var index = start
        while let byte = byte(index), CodeBlocks.isBlank(byte) { index += 1 }
        return index
    }

    /// A backslash before punctuation stands for the punctuation.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
                continue
            }
            if isEscaped, !isPunctuation(byte) { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
            isEscaped = false
        }
        if isEscaped { result.append(UInt8(ascii: "\\")) }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        (33...47).contains(byte) || (58...64).contains(byte) || (91...96).contains(byte) || (123...126).contains(byte)
    }

    private func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
