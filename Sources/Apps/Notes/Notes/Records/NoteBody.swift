import Secrets
import Zones

/// A note's text and what belongs to it; of a locked note, all of it is sealed under its own key.
struct NoteBody: Equatable, Sendable {
    /// Of a locked note, whose header may hide it.
    var title = ""
    var tags: [String] = []
    var blocks: [SourceBlock]

    /// The layout that is written; 1 is read as well, see ``FormerBody``.
    private static let layout: UInt8 = 2

    init(blocks: [SourceBlock], title: String = "", tags: [String] = []) {
        self.blocks = blocks
        self.title = title
        self.tags = tags
    }

    /// The text as it was typed.
    var markdown: String { String(decoding: blocks.text, as: UTF8.self) }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.uint8(Self.layout)
        writer.field(title)
        writer.uint32(UInt32(tags.count))
        for tag in tags { writer.field(tag) }
        writer.uint32(UInt32(blocks.count))
        for block in blocks {
            writer.identifier(block.id)
            writer.field(block.source)
        }
        return writer.bytes
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try bytes.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            let layout = try reader.uint8()
            guard layout == 1 || layout == Self.layout else { throw .invalid }
            let body = try NoteBody(&reader, isFormer: layout == 1)
            try reader.end()
            return body
        }
    }

    private init(_ reader: inout ByteReader, isFormer: Bool) throws(DecodingError) {
        title = try reader.text()
        for _ in 0..<(try reader.count(ofSize: 4)) { tags.append(try reader.text()) }
        if isFormer {
            blocks = try FormerBody.blocks(from: &reader)
        } else {
            let count = try reader.count(ofSize: SourceBlock.smallest)
            blocks = []
            blocks.reserveCapacity(count)
            for _ in 0..<count { blocks.append(try SourceBlock(from: &reader)) }
        }
    }
}

extension SourceBlock {
    /// Bytes of the smallest block: identity, length, one byte.
    fileprivate static let smallest = 16 + 4 + 1

    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        let id = try reader.identifier()
        let source = Array(try reader.text().utf8)
        guard !source.isEmpty else { throw .invalid }
        self.init(id: id, source: source)
    }
}
