/// Goes through Markdown line by line, and changes pictures' targets and needless escapes; code stays as it is.
enum MarkdownScanner {
    /// - Parameters:
    ///   - undoingEscapes: Day One writes `\.` and its like where nothing would go wrong without.
    ///   - target: of a picture; its answer stands in its place, nil leaves it.
    static func rewrite(_ text: String, undoingEscapes: Bool, target: (String) -> String?) -> String {
        var fence: [UInt8]?
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var isFirst = true
        for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
            if !isFirst { result.append(10) }
            isFirst = false
            let line = Array(line)
            let mark = Self.fence(line)
            if let open = fence {
                result += line
                // It is closed by as many of the same at least, and nothing behind them.
                if let mark, mark.run.starts(with: open), mark.isAlone { fence = nil }
            } else if let mark {
                result += line
                fence = mark.run
            } else {
                var scan = LineScan(line, undoingEscapes: undoingEscapes)
                result += scan.rewrite(target)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Three or more of ` or ~ at the start of a line (CommonMark 4.5); deeper ones are those of lists.
    private static func fence(_ line: [UInt8]) -> (run: [UInt8], isAlone: Bool)? {
        let content = line.drop { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: ">") }
        guard let first = content.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else { return nil }
        let run = content.prefix { $0 == first }
        let info = content.dropFirst(run.count)
        // A fence of backticks has none behind it; otherwise it is code within a line.
        guard run.count >= 3, first == UInt8(ascii: "~") || !info.contains(first) else { return nil }
        return (run: Array(run), isAlone: info.allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 })
    }
}

/// One line outside code.
private struct LineScan {
    private let line: [UInt8]
    private let undoingEscapes: Bool
    private let hasLink: Bool
    private var index = 0
    private var result: [UInt8] = []

    init(_ line: [UInt8], undoingEscapes: Bool) {
        self.line = line
        self.undoingEscapes = undoingEscapes
        hasLink = zip(line, line.dropFirst()).contains { $0 == (UInt8(ascii: "]"), UInt8(ascii: "(")) }
    }

    mutating func rewrite(_ target: (String) -> String?) -> [UInt8] {
        while index < line.count {
            switch line[index] {
            case UInt8(ascii: "`"): passCode()
            case UInt8(ascii: "\\") where index + 1 < line.count:
                let isKept = !undoingEscapes || isNeeded(line[index + 1])
                result += isKept ? line[index...(index + 1)] : line[(index + 1)...(index + 1)]
                index += 2
            case UInt8(ascii: "!") where hasLink && passPicture(target): break
            case let byte:
                result.append(byte)
                index += 1
            }
        }
        return result
    }

    /// Code within a line ends with as many backticks as it begins with (CommonMark 6.1).
    private mutating func passCode() {
        let run = line[index...].prefix { $0 == UInt8(ascii: "`") }.count
        var end = index + run
        while end < line.count {
            let found = line[end...].prefix { $0 == UInt8(ascii: "`") }.count
            end += max(found, 1)
            if found == run {
                result += line[index..<end]
                index = end
                return
            }
        }
        result += line[index..<(index + run)]
        index += run
    }

    /// `![caption](target)`.
    private mutating func passPicture(_ target: (String) -> String?) -> Bool {
        guard index + 1 < line.count, line[index + 1] == UInt8(ascii: "["),
            let closing = end(of: UInt8(ascii: "]"), from: index + 2), closing + 1 < line.count,
            line[closing + 1] == UInt8(ascii: "("), let end = end(of: UInt8(ascii: ")"), from: closing + 2),
            let new = target(String(decoding: line[(closing + 2)..<end], as: UTF8.self))
        else { return false }
        result += line[index...(closing + 1)]
        result += new.utf8
        result.append(line[end])
        index = end + 1
        return true
    }

    /// Farther on none is looked for, so that a line of brackets alone takes no time.
    private static let longestLink = 8192

    private func end(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index < min(line.count, start + Self.longestLink) {
            if line[index] == byte { return index }
            index += line[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// Whether a character would mean something without the backslash before it (CommonMark 2.4).
    private func isNeeded(_ byte: UInt8) -> Bool {
        let start = result.drop { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: ">") }
        let next = index + 2 < line.count ? line[index + 2] : 10
        switch byte {
        // `1\. ` would begin a list.
        case UInt8(ascii: "."): return !start.isEmpty && start.allSatisfy { (48...57).contains($0) }
        case UInt8(ascii: "("), UInt8(ascii: ")"):
            return hasLink || (!start.isEmpty && start.allSatisfy { (48...57).contains($0) })
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="): return start.isEmpty
        case UInt8(ascii: "#"): return start.isEmpty || start.first == byte
        case UInt8(ascii: "!"): return next == UInt8(ascii: "[")
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "\""),
            UInt8(ascii: "%"), UInt8(ascii: "$"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            return false
        default: return true
        }
    }
}
