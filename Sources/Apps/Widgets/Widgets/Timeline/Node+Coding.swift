/// What a node is, as its first byte; specs/widget-timeline.md.
enum NodeTag: UInt8 {
    case text = 1, image, symbol, gauge, toggle, stack, group, divider, spacer, modified, sealed, choice
}

extension Node {
    /// A node in which there is no other.
    func encodeLeaf(to writer: inout WidgetWriter) throws(WidgetCodingError) {
        switch self {
        case .text(let run):
            writer.uint8(NodeTag.text.rawValue)
            try run.encode(to: &writer)
        case .image(let picture):
            writer.uint8(NodeTag.image.rawValue)
            try picture.encode(to: &writer)
        case .symbol(let name, let tint):
            writer.uint8(NodeTag.symbol.rawValue)
            writer.uint8(name.rawValue)
            writer.uint8(tint.rawValue)
        case .divider: writer.uint8(NodeTag.divider.rawValue)
        case .spacer: writer.uint8(NodeTag.spacer.rawValue)
        default: throw .invalid
        }
    }
}

extension Modifier {
    func encode(to writer: inout WidgetWriter) throws(WidgetCodingError) {
        switch self {
        case .privacySensitive(let isPrivate):
            writer.uint8(0)
            writer.bool(isPrivate)
        case .redacted(let reasons):
            writer.uint8(1)
            writer.uint8(reasons.rawValue)
        case .unredacted: writer.uint8(2)
        case .invalidatableContent(let isInvalidatable):
            writer.uint8(3)
            writer.bool(isInvalidatable)
        case .accessibilityLabel(let label):
            writer.uint8(4)
            try writer.text(label)
        case .link(let url):
            writer.uint8(5)
            try writer.text(url)
        }
    }

    init(from reader: inout WidgetReader) throws(WidgetCodingError) {
        switch try reader.uint8() {
        case 0: self = .privacySensitive(try reader.bool())
        case 1:
            let bits = try reader.uint8()
            guard bits < 8 else { throw .invalid }
            self = .redacted(RedactionReasons(rawValue: bits))
        case 2: self = .unredacted
        case 3: self = .invalidatableContent(try reader.bool())
        case 4: self = .accessibilityLabel(try reader.text())
        case 5: self = .link(try reader.text())
        default: throw .invalid
        }
    }
}
