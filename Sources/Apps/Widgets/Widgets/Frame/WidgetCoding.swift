/// Why bytes are no widget.
public enum WidgetCodingError: Error, Equatable, Sendable {
    /// They end too early.
    case truncated
    /// They go on behind the end.
    case trailing
    /// A value that no writer writes.
    case invalid
    /// More nodes, or deeper ones, than a widget may have.
    case tooLarge
}

/// What a widget may have, so that a hostile one costs no more than it should.
public enum WidgetLimit {
    /// Nodes in one view.
    public static let nodes = 4000
    /// How deep nodes may lie in each other.
    public static let depth = 64
    /// UTF-8 bytes of one text, label or URL.
    public static let textBytes = 16_384
    /// Bytes of one picture.
    public static let pictureBytes = 1 << 20
    /// Points that a picture may have a side.
    public static let pictureSide: UInt16 = 1000
    /// Entries of one timeline.
    public static let entries = 1000
    /// Nodes of all its views: as values they take up to fifty times their bytes.
    public static let timelineNodes = 200_000
    /// Bytes of one timeline.
    public static let timelineBytes = 16 << 20
}

/// Writes the parts of a widget as bytes, big-endian; specs/widget-timeline.md.
struct WidgetWriter {
    var bytes: [UInt8] = []

    mutating func uint8(_ value: UInt8) { bytes.append(value) }
    mutating func bool(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func uint16(_ value: UInt16) {
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(value & 255))
    }

    mutating func uint32(_ value: UInt32) {
        uint16(UInt16(value >> 16))
        uint16(UInt16(value & 0xffff))
    }

    mutating func int64(_ value: Int64) {
        let bits = UInt64(bitPattern: value)
        uint32(UInt32(bits >> 32))
        uint32(UInt32(bits & 0xffff_ffff))
    }

    mutating func field(_ field: [UInt8]) {
        uint32(UInt32(field.count))
        bytes += field
    }

    mutating func text(_ text: String, limit: Int = WidgetLimit.textBytes) throws(WidgetCodingError) {
        let field = Array(text.utf8)
        guard field.count <= limit else { throw .tooLarge }
        self.field(field)
    }
}

/// Reads them back, and refuses what no writer writes.
struct WidgetReader {
    private let bytes: [UInt8]
    private var offset = 0
    /// How many there were so far.
    private(set) var nodes = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads what stands where another reader is: its nodes lie as deep, and count with the other's.
    init(_ bytes: [UInt8], within outer: WidgetReader) {
        self.bytes = bytes
        nodes = outer.nodes
        depth = outer.depth
    }

    /// Counts what was read within this one.
    mutating func count(nodesOf inner: WidgetReader) { nodes = inner.nodes }

    var isAtEnd: Bool { offset == bytes.count }

    func end() throws(WidgetCodingError) { if !isAtEnd { throw .trailing } }

    /// Counts a node, and how deep it lies; ``leave()`` follows.
    mutating func enter() throws(WidgetCodingError) {
        nodes += 1
        depth += 1
        guard nodes <= WidgetLimit.nodes, depth <= WidgetLimit.depth else { throw .tooLarge }
    }

    mutating func leave() { depth -= 1 }

    mutating func uint8() throws(WidgetCodingError) -> UInt8 {
        guard offset < bytes.count else { throw .truncated }
        offset += 1
        return bytes[offset - 1]
    }

    mutating func bool() throws(WidgetCodingError) -> Bool {
        switch try uint8() {
        case 0: return false
        case 1: return true
        default: throw .invalid
        }
    }

    mutating func uint16() throws(WidgetCodingError) -> UInt16 { UInt16(try uint8()) << 8 | UInt16(try uint8()) }

    mutating func uint32() throws(WidgetCodingError) -> UInt32 { UInt32(try uint16()) << 16 | UInt32(try uint16()) }

    mutating func int64() throws(WidgetCodingError) -> Int64 {
        Int64(bitPattern: UInt64(try uint32()) << 32 | UInt64(try uint32()))
    }

    /// A count of at most `limit`.
    mutating func count(_ limit: Int) throws(WidgetCodingError) -> Int {
        let count = Int(try uint16())
        guard count <= limit else { throw .tooLarge }
        return count
    }

    mutating func field(limit: Int) throws(WidgetCodingError) -> [UInt8] {
        let count = Int(try uint32())
        guard count <= limit else { throw .tooLarge }
        guard count <= bytes.count - offset else { throw .truncated }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func text(limit: Int = WidgetLimit.textBytes) throws(WidgetCodingError) -> String {
        let bytes = try field(limit: limit)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalid }
        return text
    }
}
