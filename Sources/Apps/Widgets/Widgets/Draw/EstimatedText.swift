/// How wide letters are where nobody has the font: for SVG, whose reader brings its own.
///
/// Widths are those of common sans-serif faces, rather too wide than too narrow.
public struct EstimatedText: TextMeasure {
    /// Knows no more than that.
    public init() {}

    /// See ``TextMeasure/extent(of:width:)``.
    public func extent(of run: TextRun, width: Double?) -> TextExtent {
        let lines = self.lines(run, width: width, limit: .max)
        return TextExtent(width: lines.reduce(0) { max($0, self.width($1[...], run)) }, lineCount: max(lines.count, 1))
    }

    /// A text broken into lines; what is beyond the last ends in an ellipsis.
    ///
    /// - Parameters:
    ///   - run: clean text.
    ///   - width: points; nil for line ends alone.
    ///   - limit: the most lines.
    func lines(_ run: TextRun, width: Double?, limit: Int) -> [String] {
        var lines: [String] = []
        let paragraphs = run.content.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, paragraph) in paragraphs.enumerated() {
            var rest = paragraph
            repeat {
                let isLast = lines.count + 1 >= limit
                let isTooLong = width.map { exceeds(rest, run, $0) } ?? false
                if isLast && (isTooLong || index + 1 < paragraphs.count) {
                    return lines + [shortened(rest, run, width ?? .infinity)]
                }
                let cut = isTooLong ? cut(rest, run, width ?? .infinity) : (end: rest.endIndex, next: rest.endIndex)
                lines.append(String(rest[..<cut.end]))
                rest = rest[cut.next...]
            } while !rest.isEmpty
        }
        return lines
    }

    /// Looks no further than it has to.
    private func exceeds(_ text: Substring, _ run: TextRun, _ width: Double) -> Bool {
        var used = 0.0
        for scalar in text.unicodeScalars {
            used += self.width(scalar, run)
            if used > width { return true }
        }
        return false
    }

    /// Points.
    private func width(_ text: Substring, _ run: TextRun) -> Double {
        text.unicodeScalars.reduce(0) { $0 + width($1, run) }
    }

    private func width(_ scalar: Unicode.Scalar, _ run: TextRun) -> Double {
        let (size, width) = (Double(run.font.size), Self.width(scalar))
        guard run.font != .monospaced else { return size * (width > 0.95 ? 1.22 : width > 0 ? 0.61 : 0) }
        return size * width * (run.isBold || run.font == .headline ? 1.08 : 1)
    }

    /// Where a line that is too long ends, and where the next begins: behind the last blank that fits, else anywhere.
    private func cut(_ line: Substring, _ run: TextRun, _ width: Double) -> (end: String.Index, next: String.Index) {
        var used = 0.0
        var index = line.startIndex
        var blank: String.Index?
        while index < line.endIndex {
            let next = line.index(after: index)
            used += self.width(line[index..<next], run)
            if line[index] == " " { blank = index } else if used > width { break }
            index = next
        }
        if let blank, blank > line.startIndex { return (end: blank, next: line.index(after: blank)) }
        // One letter at least, or there would be no end.
        if index == line.startIndex { index = line.index(after: index) }
        return (end: index, next: index)
    }

    private func shortened(_ line: Substring, _ run: TextRun, _ width: Double) -> String {
        var used = Double(run.font.size) * 0.9
        var end = line.startIndex
        while end < line.endIndex {
            let next = line.index(after: end)
            used += self.width(line[end..<next], run)
            if used > width { break }
            end = next
        }
        var text = line[..<end]
        while text.last == " " { text.removeLast() }
        return String(text) + "…"
    }

    /// Of a scalar, in sizes of the font.
    private static func width(_ scalar: Unicode.Scalar) -> Double {
        switch scalar.value {
        case 0x20, 0x21, 0x27, 0x28, 0x29, 0x2c, 0x2e, 0x3a, 0x3b, 0x49, 0x5b, 0x5d, 0x69, 0x6a, 0x6c, 0x7c: 0.33
        case 0x66, 0x72, 0x74, 0x2d: 0.42
        case 0x40, 0x25, 0x4d, 0x57, 0x6d, 0x77: 0.92
        case 0x41...0x5a: 0.7
        case 0x30...0x39: 0.62
        case 0x300...0x36f, 0x200b...0x200f, 0x2060...0x2069, 0xfe00...0xfe0f: 0
        case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xff00...0xff60: 1.02
        case 0x1f300...0x1faff, 0x20000...0x3fffd: 1.3
        default: 0.6
        }
    }
}
