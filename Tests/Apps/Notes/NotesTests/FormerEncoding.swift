import Secrets

@testable import Notes
import Zones

/// A body as version 0.1 wrote it, in layout 1: the code that did, kept for tests alone.
enum FormerEncoding {
    static func body(_ blocks: [Block], title: String = "", tags: [String] = []) -> [UInt8] {
        var writer = RecordLayout.begin()
        writer.field(title)
        writer.uint32(UInt32(tags.count))
        for tag in tags { writer.field(tag) }
        writer.uint32(UInt32(blocks.count))
        for block in blocks { block.encode(into: &writer) }
        return writer.bytes
    }
}

extension Block {
    fileprivate func encode(into writer: inout ByteWriter) {
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
}
