import Secrets
import TerminalScreen

/// A secret as rows of a terminal, without a string being made of it.
///
/// Text is folded at the width, each character safe by itself: what a terminal would obey or nobody could see is
/// spelled out as `‹U+001B›`. What is no text is shown as hexadecimal digits.
struct SecretLayout {
    let width: Int

    init(width: Int) { self.width = max(width, 10) }

    /// Whether the bytes are UTF-8 without control characters, but for the ends of lines and tabs.
    static func isText(_ bytes: RawSpan) -> Bool {
        var offset = 0
        while offset < bytes.byteCount {
            guard let (scalar, length) = scalar(in: bytes, at: offset) else { return false }
            let isLayout = scalar == "\n" || scalar == "\r" || scalar == "\t"
            if scalar.properties.generalCategory == .control && !isLayout { return false }
            offset += length
        }
        return true
    }

    /// How many rows there are.
    func rowCount(_ bytes: RawSpan) -> Int {
        var last = 0
        walk(bytes) { row, _, _ in last = row }
        return last + 1
    }

    /// Appends what puts the secret into its area: cursor movements of ECMA-48, and the secret.
    func draw(_ bytes: RawSpan, in area: SecretArea, into output: inout SecretBuffer) throws(SecretMemoryError) {
        for row in 0..<area.height { try output.append(Self.place(area.row + row, 0) + Self.eraseLine) }
        var current = -1
        try walk(bytes) { (row, _, piece) throws(SecretMemoryError) in
            guard row >= area.top, row < area.top + area.height else { return }
            if row != current {
                current = row
                try output.append(Self.place(area.row + row - area.top, area.column))
            }
            try Self.append(piece, to: &output)
        }
    }

    /// Appends the secret as lines of words, without a movement of the cursor.
    func spell(_ bytes: RawSpan, into output: inout SecretBuffer) throws(SecretMemoryError) {
        var current = 0
        try walk(bytes) { (row, _, piece) throws(SecretMemoryError) in
            while current < row {
                try output.append(byte: 0x0A)
                current += 1
            }
            try Self.append(piece, to: &output)
        }
    }

    // MARK: Pieces

    private enum Piece {
        case end
        case scalar(Unicode.Scalar)
        case space(Int)
        /// Something that is not to be seen or obeyed.
        case spelledOut(UInt32)
        case hexadecimal(UInt8)

        var width: Int {
            switch self {
            case .end: 0
            case .scalar(let scalar): CellWidth.of(scalar)
            case .space(let count): count
            case .spelledOut(let value): SecretLayout.digitCount(value) + 4
            case .hexadecimal: 2
            }
        }
    }

    /// Calls `body` with each piece and its row and column; at the end of each row of its own with `end`.
    private func walk<Failure: Error>(
        _ bytes: RawSpan, _ body: (Int, Int, Piece) throws(Failure) -> Void
    ) throws(Failure) {
        let isText = Self.isText(bytes)
        var (offset, row, column) = (0, 0, 0)
        try body(0, 0, .end)
        while offset < bytes.byteCount {
            let (piece, length) =
                isText ? Self.piece(bytes, at: offset, column) : (.hexadecimal(bytes.byte(at: offset)), 1)
            offset += length
            if case .end = piece {
                (row, column) = (row + 1, 0)
            } else if column + piece.width > width {
                (row, column) = (row + 1, 0)
            }
            try body(row, column, piece)
            column += piece.width
        }
    }

    private static func piece(_ bytes: RawSpan, at offset: Int, _ column: Int) -> (Piece, length: Int) {
        guard let (scalar, length) = scalar(in: bytes, at: offset) else {
            return (.hexadecimal(bytes.byte(at: offset)), 1)
        }
        if scalar == "\n" { return (.end, length) }
        if scalar == "\r", offset + 1 < bytes.byteCount, bytes.byte(at: offset + 1) == 0x0A { return (.end, 2) }
        if scalar == "\t" { return (.space(Cell.tabWidth - column % Cell.tabWidth), length) }
        return (SafeText.isShown(scalar) ? .scalar(scalar) : .spelledOut(scalar.value), length)
    }

    private static func append(_ piece: Piece, to output: inout SecretBuffer) throws(SecretMemoryError) {
        switch piece {
        case .end: break
        case .scalar(let scalar): for byte in UTF8.encode(scalar) ?? .init() { try output.append(byte: byte) }
        case .space(let count): for _ in 0..<count { try output.append(byte: 0x20) }
        case .spelledOut(let value):
            try output.append(Array("‹U+".utf8))
            for digit in (0..<digitCount(value)).reversed() {
                try output.append(byte: digits[Int(value >> UInt32(4 * digit) & 15)])
            }
            try output.append(Array("›".utf8))
        case .hexadecimal(let byte):
            try output.append(byte: digits[Int(byte >> 4)])
            try output.append(byte: digits[Int(byte & 15)])
        }
    }

    /// Plain, and the line erased.
    private static let eraseLine = Array("\u{1B}[0m\u{1B}[2K".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func digitCount(_ value: UInt32) -> Int { value > 0xFFFFF ? 6 : value > 0xFFFF ? 5 : 4 }

    /// Cursor position, both counted from 0.
    private static func place(_ row: Int, _ column: Int) -> [UInt8] {
        Array("\u{1B}[\(row + 1);\(column + 1)H".utf8)
    }

    /// The scalar that begins at `offset`, if there is a well-formed one (Unicode 16, table 3-7).
    private static func scalar(in bytes: RawSpan, at offset: Int) -> (Unicode.Scalar, length: Int)? {
        let first = UInt32(bytes.byte(at: offset))
        let (length, least): (Int, UInt32) =
            switch first {
            case 0..<0x80: (1, 0)
            case 0xC2..<0xE0: (2, 0x80)
            case 0xE0..<0xF0: (3, 0x800)
            case 0xF0..<0xF5: (4, 0x10000)
            default: (0, 0)
            }
        guard length > 0, offset + length <= bytes.byteCount else { return nil }
        var value = length == 1 ? first : first & (0x7F >> UInt32(length))
        for index in 1..<max(length, 1) {
            let byte = UInt32(bytes.byte(at: offset + index))
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | byte & 0x3F
        }
        guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, length)
    }
}
