import Secrets
import Zones

/// A note's text as version 0.1 stored it, in layout 1: the blocks that it had read, each with its containers.
///
/// It is read still and never written. Its text is what version 0.1 showed, byte for byte: the blocks as canonical
/// Markdown.
enum FormerBody {
    static func blocks(from reader: inout ByteReader) throws(DecodingError) -> [SourceBlock] {
        let count = try reader.count(ofSize: Block.smallest)
        var blocks: [Block] = []
        blocks.reserveCapacity(count)
        for _ in 0..<count { blocks.append(try Block(from: &reader)) }
        return sources(of: blocks)
    }

    /// The text of the blocks, with their identities.
    ///
    /// Where the text reads as another number of blocks, identities are made of the text: the same in a note and in its
    /// versions, so that both can be merged.
    static func sources(of former: [Block]) -> [SourceBlock] {
        var blocks = Markdown.split(Array(Markdown.render(former).utf8))
        let names = Set(former.map(\.id))
        guard blocks.count != former.count || names.count != former.count else {
            for index in blocks.indices { blocks[index].id = former[index].id }
            return blocks
        }
        var taken: Set<Identifier> = []
        for index in blocks.indices {
            var hash = Fingerprint()
            hash.add(blocks[index].source)
            while !taken.insert(hash.identifier).inserted { hash.add([0]) }
            blocks[index].id = hash.identifier
        }
        return blocks
    }
}

extension Block {
    /// Bytes of the smallest block: identity, no container, a kind.
    fileprivate static let smallest = 16 + 2 + 1
    private static let deepest = 1024

    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
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
