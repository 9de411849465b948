import Secrets
import Tresor

/// Where the secrets of a file lie decoded, one behind the other, in locked memory.
struct SecretArena: ~Copyable {
    private var buffer: SecretBuffer

    init() throws(SecretMemoryError) { buffer = try SecretBuffer(capacity: 4096) }

    var count: Int { buffer.count }

    func byte(at place: Int) -> UInt8 { buffer.bytes.byte(at: place) }

    mutating func append(_ byte: UInt8) throws(SecretMemoryError) { try buffer.append(byte: byte) }

    mutating func append(_ bytes: RawSpan) throws(SecretMemoryError) { try buffer.append(bytes) }

    /// Words of ours, or a name; no secret.
    mutating func append(_ text: String) throws(SecretMemoryError) { try buffer.append(Array(text.utf8)) }

    /// Once more what lies there.
    mutating func append(copyOf range: Range<Int>) throws(SecretMemoryError) {
        for place in range {
            let byte = byte(at: place)
            try append(byte)
        }
    }

    /// Takes away, and wipes, what was appended last.
    mutating func truncate(to count: Int) { buffer.truncate(to: count) }

    consuming func finish() -> SecretBytes { buffer.finish() }

    func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { byte(at: $0) == byte(at: $1) }
    }

    func begins(_ range: Range<Int>, with text: String) -> Bool {
        range.count >= text.utf8.count && zip(range, text.utf8).allSatisfy { byte(at: $0) == $1 }
    }

    /// Not for secrets.
    func text(_ range: Range<Int>) -> String? {
        String(validating: range.map { byte(at: $0) }, as: UTF8.self)
    }
}

/// Lines of a name and what stands there: custom fields; or what has no place in an item, to stand behind its notes.
struct NamedLines {
    private enum Content {
        case words(String)
        case secret(Range<Int>)
    }

    private var lines: [(name: String, content: Content)] = []
    /// In bytes, without what stands between names and contents.
    private var size = 0
    /// Whether there are more than an item may have: none is taken any more.
    ///
    /// A name within others is written with theirs, so that a short file can have lines without end.
    private(set) var isFull = false

    var isEmpty: Bool { lines.isEmpty }

    mutating func add(_ name: String, _ words: String) { add(name, .words(words), words.utf8.count) }

    /// - Parameter secret: where it lies; nothing is added where it is empty.
    mutating func add(_ name: String, _ secret: Range<Int>?) {
        if let secret, !secret.isEmpty { add(name, .secret(secret), secret.count) }
    }

    private mutating func add(_ name: String, _ content: Content, _ count: Int) {
        size += name.utf8.count + count
        isFull = isFull || size > CSVEntry.secretLimit
        if !isFull { lines.append((name, content)) }
    }

    /// Writes the lines, behind a text where there is one.
    ///
    /// - Returns: where all of it lies; nil where there is nothing.
    /// - Throws: `CSVError.Problem` where it is larger than an item may be.
    func written(
        behind text: Range<Int>?, as column: String, in arena: inout SecretArena
    ) throws -> CSVField? {
        guard !isFull else { throw CSVError.Problem.secretTooLarge(column: column) }
        guard !isEmpty else { return try text.flatMap { try $0.field(column) } }
        let start = arena.count
        if let text, !text.isEmpty {
            try arena.append(copyOf: text)
            try arena.append("\n\n")
        }
        for (number, line) in lines.enumerated() {
            if number > 0 { try arena.append("\n") }
            try arena.append(line.name + ":")
            switch line.content {
            case .words(let words): try arena.append(" " + words)
            case .secret(let range):
                // A key of several lines begins on one of its own.
                let hasLines = range.contains { arena.byte(at: $0) == 0x0A }
                try arena.append(hasLines ? "\n" : " ")
                try arena.append(copyOf: range)
            }
        }
        return try (start..<arena.count).field(column)
    }
}

extension Range<Int> {
    /// Nil for an empty one.
    func field(_ column: String) throws -> CSVField? {
        guard count <= CSVEntry.secretLimit else { throw CSVError.Problem.secretTooLarge(column: column) }
        return isEmpty ? nil : CSVField(self)
    }
}

extension CSVEntry {
    /// Puts texts that are too long for an attribute down to the file.
    func checkTexts() throws {
        for (column, text) in [("title", title), ("address", address), ("user name", username), ("folder", folder)] {
            guard text.utf8.count <= Self.textLimit else { throw CSVError.Problem.textTooLong(column: column) }
        }
    }
}
