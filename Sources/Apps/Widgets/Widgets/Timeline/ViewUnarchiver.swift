/// Reads a view, and puts what was sealed into its places.
struct ViewUnarchiver {
    private var reader: WidgetReader
    /// What stands at each open place; nil where they stay open.
    private let secrets: [[UInt8]]?
    private let isInside: Bool
    private var next = 0

    /// - Parameters:
    ///   - bytes: the view.
    ///   - secrets: what stands at its open places; nil leaves them open.
    ///   - nodes: of the timeline so far.
    /// - Throws: ``WidgetCodingError``.
    static func view(
        _ bytes: [UInt8], secrets: [[UInt8]]?, nodes: inout Int
    ) throws(WidgetCodingError) -> Node {
        var unarchiver = ViewUnarchiver(WidgetReader(bytes), secrets: secrets, isInside: false)
        let node = try unarchiver.node()
        try unarchiver.reader.end()
        guard secrets == nil || secrets?.count == unarchiver.next else { throw .invalid }
        nodes += unarchiver.reader.nodes
        guard nodes <= WidgetLimit.timelineNodes else { throw .tooLarge }
        return node
    }

    private init(_ reader: WidgetReader, secrets: [[UInt8]]?, isInside: Bool) {
        self.reader = reader
        self.secrets = secrets
        self.isInside = isInside
    }

    private mutating func node() throws(WidgetCodingError) -> Node {
        try reader.enter()
        defer { reader.leave() }
        guard let tag = NodeTag(rawValue: try reader.uint8()) else { throw .invalid }
        switch tag {
        case .text: return .text(try TextRun(from: &reader))
        case .image: return .image(try Picture(from: &reader))
        case .symbol: return .symbol(try reader.symbol(), try reader.tint())
        case .gauge:
            let (style, value) = (try reader.gaugeStyle(), try GaugeValue(from: &reader))
            return .gauge(style, value, label: try node())
        case .toggle:
            let isOn = try reader.bool()
            return .toggle(isOn: isOn, label: try node())
        case .stack:
            let (axis, alignment, spacing) = (try reader.axis(), try reader.alignment(), try reader.uint8())
            return .stack(axis, alignment, spacing: spacing, try nodes())
        case .group: return .group(try nodes())
        case .divider: return .divider
        case .spacer: return .spacer
        case .modified:
            let modifier = try Modifier(from: &reader)
            return .modified(modifier, try node())
        case .sealed: return try sealed()
        case .choice: return try choice()
        }
    }

    private mutating func sealed() throws(WidgetCodingError) -> Node {
        let hasContent = try reader.bool()
        var content: Node?
        if hasContent && isInside {
            content = try node()
        } else if hasContent, let secrets {
            guard next < secrets.count else { throw .invalid }
            content = try secret(secrets[next])
            next += 1
        }
        return .sealed(content, placeholder: try node())
    }

    /// It counts as if it stood in the view, so that what both are together keeps to the limits.
    private mutating func secret(_ bytes: [UInt8]) throws(WidgetCodingError) -> Node {
        var inside = ViewUnarchiver(WidgetReader(bytes, within: reader), secrets: nil, isInside: true)
        let node = try inside.node()
        try inside.reader.end()
        reader.count(nodesOf: inside.reader)
        return node
    }

    private mutating func choice() throws(WidgetCodingError) -> Node {
        var indices: [UInt8] = []
        for _ in 0..<ViewEnvironment.variantCount { indices.append(try reader.uint8()) }
        let nodes = try nodes()
        guard indices.isChoice(of: nodes.count) else { throw .invalid }
        return .choice(indices, nodes)
    }

    private mutating func nodes() throws(WidgetCodingError) -> [Node] {
        var nodes: [Node] = []
        for _ in 0..<(try reader.count(WidgetLimit.nodes)) { nodes.append(try node()) }
        return nodes
    }
}
