/// Writes a view without what is sealed in it, which it hands out.
struct ViewArchiver {
    private(set) var writer = WidgetWriter()
    /// The places that the view leaves open, in their order.
    private(set) var slots: [SecretSlot] = []
    /// Nodes so far, those of the secrets among them.
    private(set) var nodes: Int
    private let family: WidgetFamily
    /// Whether what is sealed stays where it is: within a secret.
    private let isInside: Bool
    /// Whether it is a reader's answer that is written.
    private let isInReader: Bool
    private var depth: Int

    init(
        family: WidgetFamily, isInside: Bool = false, isInReader: Bool = false, depth: Int = 0, nodes: Int = 0
    ) {
        self.family = family
        self.isInside = isInside
        self.isInReader = isInReader
        self.depth = depth
        self.nodes = nodes
    }

    /// - Parameters:
    ///   - node: the view.
    ///   - variants: in which it can be drawn.
    mutating func write(
        _ node: Node, in variants: EnvironmentVariants = .all
    ) throws(WidgetCodingError) {
        try enter()
        defer { depth -= 1 }
        switch node {
        case .text, .image, .symbol, .divider, .spacer: try node.encodeLeaf(to: &writer)
        case .gauge(let style, let value, let label):
            writer.uint8(NodeTag.gauge.rawValue)
            writer.uint8(style.rawValue)
            writer.uint16(value.thousandths)
            try write(label, in: variants)
        case .toggle(let isOn, let label):
            writer.uint8(NodeTag.toggle.rawValue)
            writer.bool(isOn)
            try write(label, in: variants)
        case .stack(let axis, let alignment, let spacing, let nodes):
            writer.uint8(NodeTag.stack.rawValue)
            writer.uint8(axis.rawValue)
            writer.uint8(alignment.rawValue)
            writer.uint8(spacing)
            try write(nodes, variants)
        case .group(let nodes):
            writer.uint8(NodeTag.group.rawValue)
            try write(nodes, variants)
        case .modified(let modifier, let inner):
            writer.uint8(NodeTag.modified.rawValue)
            try modifier.encode(to: &writer)
            try write(inner, in: variants.inside(modifier))
        case .sealed(let content, let placeholder): try writeSealed(content, placeholder, variants)
        case .reader(let content): try writeReader(content, variants)
        case .choice(let indices, let nodes): try writeChoice(indices, nodes, variants)
        }
    }

    /// The bytes of what stands at a place that was left open; its nodes count with the view's.
    mutating func secret(_ slot: SecretSlot) throws(WidgetCodingError) -> [UInt8] {
        var forms: [ViewArchiver] = []
        var indices = [UInt8](repeating: 0, count: ViewEnvironment.variantCount)
        let isChoice = slot.pieces.count > 1
        for piece in slot.pieces {
            var form = ViewArchiver(
                family: family, isInside: true, isInReader: slot.isInReader, depth: slot.depth + (isChoice ? 1 : 0),
                nodes: nodes)
            try form.write(piece.content, in: piece.variants)
            let index = forms.firstIndex { $0.writer.bytes == form.writer.bytes }
            for variant in indices.indices where piece.variants.contains(variant) {
                indices[variant] = UInt8(index ?? forms.count)
            }
            if index == nil { forms.append(form) }
        }
        let before = nodes
        for form in forms { nodes += form.nodes - before }
        if forms.count > 1 { nodes += 1 }
        guard nodes <= WidgetLimit.nodes else { throw .tooLarge }
        if forms.count == 1 { return forms[0].writer.bytes }
        var writer = WidgetWriter()
        writer.choice(indices, count: forms.count)
        for form in forms { writer.bytes += form.writer.bytes }
        return writer.bytes
    }

    private mutating func enter() throws(WidgetCodingError) {
        depth += 1
        nodes += 1
        guard depth <= WidgetLimit.depth, nodes <= WidgetLimit.nodes else { throw .tooLarge }
    }

    private mutating func write(_ nodes: [Node], _ variants: EnvironmentVariants) throws(WidgetCodingError) {
        guard nodes.count <= WidgetLimit.nodes else { throw .tooLarge }
        writer.uint16(UInt16(nodes.count))
        for node in nodes { try write(node, in: variants) }
    }

    private mutating func writeSealed(
        _ content: Node?, _ placeholder: Node, _ variants: EnvironmentVariants
    ) throws(WidgetCodingError) {
        writer.uint8(NodeTag.sealed.rawValue)
        writer.bool(content != nil)
        if let content {
            let showing = variants.showingSealed
            // What a reader gives where nothing sealed is shown need not be kept.
            let kept = isInReader && showing.isEmpty ? .group([]) : content
            if isInside {
                try write(kept, in: showing)
            } else {
                slots.append(SecretSlot(kept, in: showing, isInReader: isInReader, depth: depth))
            }
        }
        try write(placeholder, in: variants.inside(.redacted(.placeholder)))
    }

    /// A reader becomes what it gives in each variant; variants that give the same share it.
    ///
    /// Whether they do is judged without what is sealed in them: the open part must not tell whether secrets are alike.
    private mutating func writeReader(
        _ content: @Sendable (ViewEnvironment) -> Node, _ variants: EnvironmentVariants
    ) throws(WidgetCodingError) {
        var forms: [ViewArchiver] = []
        var indices = [UInt8](repeating: 0, count: ViewEnvironment.variantCount)
        for variant in indices.indices where variants.contains(variant) {
            var form = ViewArchiver(family: family, isInside: isInside, isInReader: true, depth: depth, nodes: nodes)
            let node = content(ViewEnvironment(family: family).at(variant: variant))
            try form.write(node, in: EnvironmentVariants(only: variant))
            let index = forms.firstIndex { $0.canShare(form) }
            indices[variant] = UInt8(index ?? forms.count)
            if let index { forms[index].share(form) } else { forms.append(form) }
        }
        // Nobody ever draws it.
        if forms.isEmpty { forms = [try nothing()] }
        let before = nodes
        for form in forms {
            nodes += form.nodes - before
            slots += form.slots
        }
        guard nodes <= WidgetLimit.nodes else { throw .tooLarge }
        writer.choice(indices, count: forms.count)
        for form in forms { writer.bytes += form.writer.bytes }
    }

    private func nothing() throws(WidgetCodingError) -> ViewArchiver {
        var form = ViewArchiver(family: family, isInside: isInside, depth: depth, nodes: nodes)
        try form.write(.group([]))
        return form
    }

    private mutating func writeChoice(
        _ indices: [UInt8], _ nodes: [Node], _ variants: EnvironmentVariants
    ) throws(WidgetCodingError) {
        guard indices.isChoice(of: nodes.count) else { throw .invalid }
        writer.choice(indices, count: nodes.count)
        for (index, node) in nodes.enumerated() {
            try write(node, in: variants.filtered { Int(indices[$0]) == index })
        }
    }

    private func canShare(_ other: ViewArchiver) -> Bool {
        writer.bytes == other.writer.bytes && zip(slots, other.slots).allSatisfy { $0.canShare($1) }
    }

    private mutating func share(_ other: ViewArchiver) {
        for index in slots.indices { slots[index].share(other.slots[index]) }
    }
}

/// A place that a view leaves open, and what stands there.
struct SecretSlot {
    /// What stands there in which variants.
    ///
    /// Ordered by them, and disjoint; one alone may be for none.
    private(set) var pieces: [(variants: EnvironmentVariants, content: Node)]
    let isInReader: Bool
    /// How deep the place lies.
    let depth: Int

    init(_ content: Node, in variants: EnvironmentVariants, isInReader: Bool, depth: Int) {
        pieces = [(variants: variants, content: content)]
        self.isInReader = isInReader
        self.depth = depth
    }

    /// Whether for no variant two contents would have to stand here.
    func canShare(_ other: SecretSlot) -> Bool {
        other.pieces.allSatisfy { piece in pieces.allSatisfy { $0.variants.isDisjoint(with: piece.variants) } }
    }

    mutating func share(_ other: SecretSlot) {
        let both = pieces + other.pieces
        let seen = both.filter { !$0.variants.isEmpty }
        pieces = seen.isEmpty ? [both[0]] : seen.sorted { $0.variants.first < $1.variants.first }
    }
}

extension WidgetWriter {
    /// A choice; its nodes follow.
    mutating func choice(_ indices: [UInt8], count: Int) {
        uint8(NodeTag.choice.rawValue)
        bytes += indices
        uint16(UInt16(count))
    }
}

extension [UInt8] {
    /// Whether they are one index for each variant, to so many nodes, numbered as they come up.
    func isChoice(of count: Int) -> Bool {
        var next = 0
        for index in self {
            if Int(index) > next { return false }
            if Int(index) == next { next += 1 }
        }
        return self.count == ViewEnvironment.variantCount && next == count
    }
}
