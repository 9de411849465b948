/// Where the lines of a text are; they end with LF, CR, or CR and LF, as the library counts them.
struct SourceLines {
    private let bytes: [UInt8]
    /// Where each line begins; what follows the last line end is a line if it has bytes.
    let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts: [Int] = bytes.isEmpty ? [] : [0]
        for (index, byte) in bytes.enumerated() where MarkdownText.endsLine(byte) {
            let next = index + 1
            guard next < bytes.count else { break }
            let isHalf = byte == MarkdownText.carriageReturn && bytes[next] == MarkdownText.newline
            if !isHalf { starts.append(next) }
        }
        self.starts = starts
    }

    var count: Int { starts.count }

    /// The bytes of a line, with its end.
    subscript(line: Int) -> ArraySlice<UInt8> {
        bytes[starts[line]..<(line + 1 < starts.count ? starts[line + 1] : bytes.count)]
    }
}

extension MarkdownText {
    static func endsLine(_ byte: UInt8) -> Bool { byte == newline || byte == carriageReturn }

    /// Whether a line shows nothing: blanks, its end, and marks of the quotes that it stands in.
    static func isEmpty(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { isBlank($0) || endsLine($0) || $0 == UInt8(ascii: ">") }
    }

    static func isBlankLine(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { isBlank($0) || endsLine($0) } }
}
