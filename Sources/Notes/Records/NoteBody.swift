import Secrets
import Zones

/// A note's text and what belongs to it; of a locked note, all of it is sealed under its own key.
struct NoteBody: Equatable, Sendable {
    /// Of a locked note, whose header may hide it.
    var title = ""
    var tags: [String] = []
    var blocks: [Block]

    init(blocks: [Block], title: String = "", tags: [String] = []) {
        self.blocks = blocks
        self.title = title
        self.tags = tags
    }

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.field(title)
        writer.uint32(UInt32(tags.count))
        for tag in tags { writer.field(tag) }
        writer.uint32(UInt32(blocks.count))
        for block in blocks { block.encode(into: &writer) }
        return writer.bytes
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in try NoteBody(&reader) }
    }

    private init(_ reader: inout ByteReader) throws(DecodingError) {
        title = try reader.text()
        for _ in 0..<(try reader.count(ofSize: 4)) { tags.append(try reader.text()) }
        let count = try reader.count(ofSize: Block.smallest)
        blocks = []
        blocks.reserveCapacity(count)
        for _ in 0..<count { blocks.append(try Block(from: &reader)) }
    }
}

extension Block {
    /// Bytes of the smallest block: identity, no container, a kind.
    static let smallest = 16 + 2 + 1
    private static let deepest = 1024

    func encode(into writer: inout ByteWriter) {
        writer.identifier(id)
        writer.uint16(UInt16(containers.count))
        for container in containers { container.encode(into: &writer) }
        switch content {
        case .heading(let level, let text):
            writer.uint8(1)
            writer.uint8(UInt8(level))
            writer.field(text)
        case .paragraph(let text):
            writer.uint8(2)
            writer.field(text)
        case .code(let info, let text):
            writer.uint8(3)
            writer.field(info)
            writer.field(text)
        case .table(let table):
            writer.uint8(4)
            table.encode(into: &writer)
        case .html(let text):
            writer.uint8(5)
            writer.field(text)
        case .rule: writer.uint8(6)
        case .attachment(let id, let name):
            writer.uint8(7)
            writer.identifier(id)
            writer.field(name)
        case .empty: writer.uint8(8)
        }
    }

    init(from reader: inout ByteReader) throws(DecodingError) {
        let id = try reader.identifier()
        let depth = Int(try reader.uint16())
        guard depth <= Self.deepest else { throw .tooLong }
        var containers: [Container] = []
        for _ in 0..<depth { containers.append(try Container(from: &reader)) }
        self.init(id: id, containers: containers, content: try Content(from: &reader))
    }
}

extension Block.Content {
    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        switch try reader.uint8() {
        case 1:
            let level = Int(try reader.uint8())
            guard (1...6).contains(level) else { throw .invalid }
            self = .heading(level: level, text: try reader.text())
        case 2: self = .paragraph(text: try reader.text())
        case 3: self = .code(info: try reader.text(), text: try reader.text())
        case 4: self = .table(try Table(from: &reader))
        case 5: self = .html(try reader.text())
        case 6: self = .rule
        case 7: self = .attachment(id: try reader.identifier(), name: try reader.text())
        case 8: self = .empty
        default: throw .invalid
        }
    }
}

extension Block.Container {
    fileprivate func encode(into writer: inout ByteWriter) {
        switch self {
        case .quote(let id):
            writer.uint8(1)
            writer.identifier(id)
        case .item(let item):
            writer.uint8(2)
            writer.identifier(item.id)
            writer.identifier(item.list)
            writer.bool(item.isTight)
            writer.uint8(item.isChecked.map { $0 ? 2 : 1 } ?? 0)
            writer.bool(item.number != nil)
            if let number = item.number { writer.uint32(UInt32(clamping: number)) }
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        switch try reader.uint8() {
        case 1: self = .quote(id: try reader.identifier())
        case 2:
            var item = Block.Item(id: try reader.identifier(), list: try reader.identifier())
            item.isTight = try reader.bool()
            let check = try reader.uint8()
            guard check <= 2 else { throw .invalid }
            item.isChecked = check == 0 ? nil : check == 2
            if try reader.bool() { item.number = Int(try reader.uint32()) }
            self = .item(item)
        default: throw .invalid
        }
    }
}

extension Table {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.uint32(UInt32(alignments.count))
        for alignment in alignments { writer.uint8(alignment.rawValue) }
        writer.uint32(UInt32(rows.count))
        for row in rows {
            for index in alignments.indices { writer.field(index < row.count ? row[index] : "") }
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        var alignments: [Alignment] = []
        for _ in 0..<(try reader.count(ofSize: 1)) {
            guard let alignment = Alignment(rawValue: try reader.uint8()) else { throw .invalid }
            alignments.append(alignment)
        }
        guard !alignments.isEmpty else { throw .invalid }
        var rows: [[String]] = []
        for _ in 0..<(try reader.count(ofSize: 4 * alignments.count)) {
            var row: [String] = []
            for _ in alignments.indices { row.append(try reader.text()) }
            rows.append(row)
        }
        self.init(alignments: alignments, rows: rows)
    }
}
