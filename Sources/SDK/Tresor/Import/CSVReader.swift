import Localization
package import Secrets

/// Reads the rows of a CSV file in locked memory, front to back: RFC 4180, and what browsers and password managers
/// really write.
///
/// Lines end with CR LF, LF or CR, the last one perhaps not at all; a byte order mark may stand first. A quoted field
/// holds anything, NUL and line ends included, with its own quotes doubled. A quote inside an unquoted field and bytes
/// behind a closing quote are errors rather than guesses. Nothing is decoded here: a row says where its fields lie.
package struct CSVReader: ~Escapable {
    private let file: RawSpan
    private var offset = 0
    private var line = 1
    /// How many rows were read, the header and bad ones included.
    ///
    /// Blank lines are none.
    package private(set) var rowCount = 0

    /// - Parameter file: UTF-8, with or without a byte order mark.
    @_lifetime(copy file)
    package init(_ file: RawSpan) {
        self.file = file
        if file.startsWithByteOrderMark { offset = 3 }
    }

    /// The next row, or nil behind the last.
    ///
    /// - Throws: ``CSVError`` for a row that can't be read. The reader then stands at the next line.
    package mutating func next() throws(CSVError) -> CSVRow? {
        while let byte = peek(), byte.isLineEnd { skipByte(byte) }
        guard peek() != nil else { return nil }
        let number = rowCount
        let firstLine = line
        rowCount += 1
        do throws(CSVError.Problem) {
            return CSVRow(number: number, line: firstLine, fields: try fields())
        } catch {
            while let byte = peek(), !byte.isLineEnd { offset += 1 }
            throw CSVError(row: number, line: firstLine, error)
        }
    }

    /// More than any export has; of a row of commas alone, each field would take 24 times its place in the file.
    static let mostFields = 1000

    /// - Returns: of a row that has more than ``mostFields`` one more than these: as many as no header has.
    private mutating func fields() throws(CSVError.Problem) -> [CSVField] {
        var fields = [try field()]
        while peek() == .comma {
            offset += 1
            let field = try field()
            if fields.count <= Self.mostFields { fields.append(field) }
        }
        return fields
    }

    private mutating func field() throws(CSVError.Problem) -> CSVField {
        if peek() == .quote { return try quotedField() }
        let start = offset
        while let byte = peek(), byte != .comma, !byte.isLineEnd {
            guard byte != .quote else { throw .quoteInsideField }
            offset += 1
        }
        return CSVField(start: start, end: offset, doubledQuotes: 0)
    }

    private mutating func quotedField() throws(CSVError.Problem) -> CSVField {
        offset += 1
        let start = offset
        var doubledQuotes = 0
        while let byte = peek() {
            guard byte == .quote else {
                skipByte(byte)
                continue
            }
            if peek(1) == .quote {
                doubledQuotes += 1
                offset += 2
                continue
            }
            let field = CSVField(start: start, end: offset, doubledQuotes: doubledQuotes)
            offset += 1
            guard let next = peek(), next != .comma, !next.isLineEnd else { return field }
            throw .bytesAfterQuote
        }
        throw .unterminatedQuote
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        offset + distance < file.byteCount ? file.byte(at: offset + distance) : nil
    }

    /// Steps over `byte`, which is the next one, and counts lines: CR LF ends one.
    private mutating func skipByte(_ byte: UInt8) {
        if byte == .lineFeed || (byte == .carriageReturn && peek(1) != .lineFeed) { line += 1 }
        offset += 1
    }
}

/// A row of a CSV file: its number, the line on which it begins, and where its fields lie.
package struct CSVRow: Sendable {
    /// 0 is the header, 1 the first row below it.
    package let number: Int
    /// Counted from 1.
    package let line: Int
    /// In the order of the columns.
    package let fields: [CSVField]
}

/// Where the content of one field lies in its file, without the quotes around it.
package struct CSVField: Hashable, Sendable {
    /// The offset of its first byte in the file.
    package let start: Int
    /// The offset behind its last byte.
    package let end: Int
    /// How many quotes of its content stand there doubled.
    package let doubledQuotes: Int

    init(start: Int, end: Int, doubledQuotes: Int) {
        self.start = start
        self.end = end
        self.doubledQuotes = doubledQuotes
    }

    /// A secret that lies decoded among others.
    package init(_ range: Range<Int>) { self.init(start: range.lowerBound, end: range.upperBound, doubledQuotes: 0) }

    /// How many bytes it has once it is decoded.
    package var count: Int { end - start - doubledQuotes }

    /// The content, byte for byte, in locked memory.
    package func secret(in file: RawSpan) throws(SecretMemoryError) -> SecretBytes {
        guard doubledQuotes > 0 else { return try SecretBytes(copying: file.extracting(start..<end)) }
        var secret = try SecretBuffer(capacity: count)
        var at = start
        while at < end {
            let byte = file.byte(at: at)
            try secret.append(byte: byte)
            at += byte == .quote ? 2 : 1
        }
        return secret.finish()
    }

    /// The content as text, or nil where it is no UTF-8.
    ///
    /// Not for secrets.
    package func text(in file: RawSpan) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var at = start
        while at < end {
            let byte = file.byte(at: at)
            bytes.append(byte)
            at += byte == .quote ? 2 : 1
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether nothing is said: the field is empty, or a mark that isn't set.
    ///
    /// Looks without copying.
    package func isUnset(in file: RawSpan) -> Bool {
        count == 0 || equals("0", in: file) || equals("false", in: file)
    }

    /// Whether there is nothing in it but white space.
    func isBlank(in file: RawSpan) -> Bool {
        (start..<end).allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains(file.byte(at: $0)) }
    }

    private func equals(_ word: String, in file: RawSpan) -> Bool {
        guard end - start == word.utf8.count else { return false }
        for (index, letter) in word.utf8.enumerated()
        where file.byte(at: start + index) | 0x20 != letter | 0x20 { return false }
        return true
    }
}

/// What is wrong with a file that is to be imported, and where.
///
/// It never holds what stands there.
public struct CSVError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Problem: Error, Hashable, Sendable {
        /// A quote is opened and never closed; everything behind it was taken for the field.
        case unterminatedQuote
        /// Something other than a comma or a line end follows a closing quote.
        case bytesAfterQuote
        /// A field that doesn't begin with a quote has one inside.
        case quoteInsideField
        /// The row has more or fewer fields than the header.
        case fieldCount(expected: Int, found: Int)
        /// The text in this column is no UTF-8.
        case invalidText(column: String)
        /// The text in this column is too long for an attribute.
        case textTooLong(column: String)
        /// The secret in this column is larger than an item may hold.
        case secretTooLarge(column: String)
        /// The row has neither a title nor an address nor a user name.
        case nameless
        /// The column `type` says something other than `login` or `note`.
        case unknownType
        /// What stands in this place is of another kind than the format has there.
        case wrongValue(column: String)
        /// What stands in this place is sealed by the other program.
        case encryptedValue(column: String)
        /// The header is that of no known export.
        case unknownFormat
        /// There is no header.
        case emptyFile
    }

    /// The row: 0 is the header, 1 the first row below it.
    public let row: Int
    /// The line on which the row begins, counted from 1.
    public let line: Int
    /// What is wrong with it.
    public let problem: Problem

    /// - Parameters:
    ///   - row: 0 is the header.
    ///   - line: on which the row begins, from 1.
    package init(row: Int, line: Int, _ problem: Problem) {
        self.row = row
        self.line = line
        self.problem = problem
    }

    /// Something that is wrong with a row that was read.
    package init(_ row: CSVRow, _ problem: Problem) { self.init(row: row.number, line: row.line, problem) }
}

extension CSVError: CustomStringConvertible {
    /// The place and the problem, in words.
    public var description: String {
        let words = translated("\(problem)")
        return row == 0 ? localized("header: \(words)") : localized("row \(row) (line \(line)): \(words)")
    }
}

extension CSVError.Problem: CustomStringConvertible {
    /// The problem in words, in English: it stands in JSON too.
    public var description: String {
        switch self {
        case .unterminatedQuote: marked("a quote is opened and never closed; nothing behind it was read")
        case .bytesAfterQuote: marked("something follows a closing quote")
        case .quoteInsideField: marked("there is a quote inside a field that has none around it")
        case .fieldCount(let expected, let found): marked("\(found) fields, where the header has \(expected)")
        case .invalidText(let column): marked("\(column) is not UTF-8")
        case .textTooLong(let column): marked("\(column) is longer than 8 KiB")
        case .secretTooLarge(let column): marked("\(column) is larger than 896 KiB")
        case .nameless: marked("neither a title nor an address nor a user name")
        case .unknownType: marked("the type is neither login nor note")
        case .wrongValue(let column): marked("\(column) is not of the kind that the format has there")
        case .encryptedValue(let column): marked("\(column) is encrypted")
        case .unknownFormat:
            marked("not the export of \(CSVFormat.allCases.map(\.name).joined(separator: ", "))")
        case .emptyFile: marked("the file is empty")
        }
    }
}

extension UInt8 {
    fileprivate static let comma = UInt8(ascii: ",")
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let lineFeed: UInt8 = 0x0a
    fileprivate static let carriageReturn: UInt8 = 0x0d

    fileprivate var isLineEnd: Bool { self == .lineFeed || self == .carriageReturn }
}

extension RawSpan {
    fileprivate var startsWithByteOrderMark: Bool {
        byteCount >= 3 && byte(at: 0) == 0xef && byte(at: 1) == 0xbb && byte(at: 2) == 0xbf
    }
}
