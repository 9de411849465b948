extension Frame {
    /// The frame's one form as bytes; specs/widget-frame.md.
    ///
    /// - Throws: ``WidgetCodingError/tooLarge`` for a text or picture beyond its limit.
    public func encode() throws(WidgetCodingError) -> [UInt8] {
        var writer = WidgetWriter()
        writer.uint8(1)
        try writer.text(kind)
        try writer.text(displayName)
        writer.uint8(symbol.rawValue)
        writer.uint8(family.rawValue)
        writer.uint8(state.rawValue)
        writer.bool(isLuminanceReduced)
        try root.encode(to: &writer)
        return writer.bytes
    }

    /// - Parameter bytes: as ``encode()`` gives them, and nothing besides.
    /// - Throws: ``WidgetCodingError``.
    public init(decoding bytes: [UInt8]) throws(WidgetCodingError) {
        var reader = WidgetReader(bytes)
        guard try reader.uint8() == 1 else { throw .invalid }
        kind = try reader.text(limit: 64)
        displayName = try reader.text()
        symbol = try reader.symbol()
        guard let family = WidgetFamily(rawValue: try reader.uint8()), let state = State(rawValue: try reader.uint8())
        else { throw .invalid }
        self.family = family
        self.state = state
        isLuminanceReduced = try reader.bool()
        root = try FrameNode(from: &reader)
        guard WidgetConfiguration.isKind(kind) else { throw .invalid }
        try reader.end()
    }
}

private enum FrameTag: UInt8 {
    case text = 1, image, symbol, gauge, toggle, stack, divider, spacer, mask, labelled, link
}

extension FrameNode {
    func encode(to writer: inout WidgetWriter) throws(WidgetCodingError) {
        switch self {
        case .text(let run, let isDimmed):
            writer.uint8(FrameTag.text.rawValue)
            try run.encode(to: &writer)
            writer.bool(isDimmed)
        case .image(let picture, let isDimmed):
            writer.uint8(FrameTag.image.rawValue)
            try picture.encode(to: &writer)
            writer.bool(isDimmed)
        case .symbol(let name, let tint, let isDimmed):
            writer.uint8(FrameTag.symbol.rawValue)
            writer.uint8(name.rawValue)
            writer.uint8(tint.rawValue)
            writer.bool(isDimmed)
        case .gauge(let style, let value, let label, let isDimmed):
            writer.uint8(FrameTag.gauge.rawValue)
            writer.uint8(style.rawValue)
            writer.uint16(value.thousandths)
            writer.bool(isDimmed)
            try label.encode(to: &writer)
        case .toggle(let isOn, let label, let isDimmed):
            writer.uint8(FrameTag.toggle.rawValue)
            writer.bool(isOn)
            writer.bool(isDimmed)
            try label.encode(to: &writer)
        case .stack(let axis, let alignment, let spacing, let nodes):
            guard nodes.count <= WidgetLimit.nodes else { throw .tooLarge }
            writer.uint8(FrameTag.stack.rawValue)
            writer.uint8(axis.rawValue)
            writer.uint8(alignment.rawValue)
            writer.uint8(spacing)
            writer.uint16(UInt16(nodes.count))
            for node in nodes { try node.encode(to: &writer) }
        case .divider: writer.uint8(FrameTag.divider.rawValue)
        case .spacer: writer.uint8(FrameTag.spacer.rawValue)
        case .mask(let mask):
            writer.uint8(FrameTag.mask.rawValue)
            mask.encode(to: &writer)
        case .labelled(let label, let node):
            writer.uint8(FrameTag.labelled.rawValue)
            try writer.text(label)
            try node.encode(to: &writer)
        case .link(let url, let node):
            writer.uint8(FrameTag.link.rawValue)
            try writer.text(url)
            try node.encode(to: &writer)
        }
    }

    init(from reader: inout WidgetReader) throws(WidgetCodingError) {
        try reader.enter()
        defer { reader.leave() }
        guard let tag = FrameTag(rawValue: try reader.uint8()) else { throw .invalid }
        switch tag {
        case .text: self = .text(try TextRun(from: &reader), isDimmed: try reader.bool())
        case .image: self = .image(try Picture(from: &reader), isDimmed: try reader.bool())
        case .symbol:
            self = .symbol(try reader.symbol(), try reader.tint(), isDimmed: try reader.bool())
        case .gauge:
            let (style, value) = (try reader.gaugeStyle(), try GaugeValue(from: &reader))
            let isDimmed = try reader.bool()
            self = .gauge(style, value, label: try FrameNode(from: &reader), isDimmed: isDimmed)
        case .toggle:
            let (isOn, isDimmed) = (try reader.bool(), try reader.bool())
            self = .toggle(isOn: isOn, label: try FrameNode(from: &reader), isDimmed: isDimmed)
        case .stack:
            let (axis, alignment, spacing) = (try reader.axis(), try reader.alignment(), try reader.uint8())
            var nodes: [FrameNode] = []
            for _ in 0..<(try reader.count(WidgetLimit.nodes)) { nodes.append(try FrameNode(from: &reader)) }
            self = .stack(axis, alignment, spacing: spacing, nodes)
        case .divider: self = .divider
        case .spacer: self = .spacer
        case .mask: self = .mask(try Mask(from: &reader))
        case .labelled:
            let label = try reader.text()
            self = .labelled(label, try FrameNode(from: &reader))
        case .link:
            let url = try reader.text()
            self = .link(url, try FrameNode(from: &reader))
        }
    }
}

extension Mask {
    func encode(to writer: inout WidgetWriter) {
        switch self {
        case .text(let font, let columns):
            writer.uint8(0)
            writer.uint8(font.rawValue)
            writer.uint8(columns)
        case .image: writer.uint8(1)
        case .gauge(let style):
            writer.uint8(2)
            writer.uint8(style.rawValue)
        case .toggle: writer.uint8(3)
        case .block: writer.uint8(4)
        }
    }

    init(from reader: inout WidgetReader) throws(WidgetCodingError) {
        switch try reader.uint8() {
        case 0:
            guard let font = Font(rawValue: try reader.uint8()) else { throw .invalid }
            let columns = try reader.uint8()
            guard columns >= 1, columns <= Mask.mostColumns else { throw .invalid }
            self = .text(font, columns: columns)
        case 1: self = .image
        case 2: self = .gauge(try reader.gaugeStyle())
        case 3: self = .toggle
        case 4: self = .block
        default: throw .invalid
        }
    }
}
