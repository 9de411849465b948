extension Node {
    /// Writes this view as specs/widget-program.md has it.
    ///
    /// - Throws: ``WidgetCodingError/invalid`` for a view that asks for its environment: archiving comes first.
    func write(to json: inout JSONWriter) throws(WidgetCodingError) {
        switch self {
        case .divider: json.string("divider")
        case .spacer: json.string("spacer")
        default:
            let node = self
            try json.object { json throws(WidgetCodingError) in _ = try node.writeMembers(to: &json) }
        }
    }

    /// - Returns: how far out the outermost modifier stands that is now a member of this object.
    private func writeMembers(to json: inout JSONWriter) throws(WidgetCodingError) -> Int {
        switch self {
        case .text(let run): run.writeMembers(to: &json)
        case .image(let picture): try picture.writeMember(to: &json)
        case .symbol(let name, let tint):
            json.name("symbol")
            json.string(name.name)
            tint.writeMember(to: &json)
        case .gauge(let style, let value, let label): try Self.writeGauge(style, value, label, to: &json)
        case .toggle(let isOn, let label):
            json.name("toggle")
            try json.object { json throws(WidgetCodingError) in
                json.name("on")
                json.bool(isOn)
                try json.member("label", label)
            }
        case .stack(let axis, let alignment, let spacing, let nodes):
            try json.member(ViewWords.axes[Int(axis.rawValue)], nodes)
            if alignment != axis.usualAlignment {
                json.name("alignment")
                json.string(ViewWords.alignments[Int(alignment.rawValue)])
            }
            if spacing != axis.usualSpacing {
                json.name("spacing")
                json.number(Int64(spacing))
            }
        case .group(let nodes): try json.member("group", nodes)
        case .divider, .spacer: try json.member("view", self)
        case .sealed(let content, let placeholder):
            if let content { try json.member("sealed", content) } else { json.nullMember("sealed") }
            try json.member("placeholder", placeholder)
        case .choice(let indices, let nodes): try Self.writeChoice(indices, nodes, to: &json)
        case .reader: throw .invalid
        case .modified(let modifier, let inner): return try inner.writeMembers(under: modifier, to: &json)
        }
        return -1
    }

    /// Members stand for modifiers in one order; what has another becomes a view of its own.
    private func writeMembers(
        under modifier: Modifier, to json: inout JSONWriter
    ) throws(WidgetCodingError) -> Int {
        if outermostRank < modifier.rank {
            _ = try writeMembers(to: &json)
        } else {
            try json.member("view", self)
        }
        modifier.writeMember(to: &json)
        return modifier.rank
    }

    /// How far out its outermost modifier stands; -1 without one.
    ///
    /// The two about reasons never stand together: which of them is the outer one would not be seen.
    private var outermostRank: Int {
        guard case .modified(let modifier, _) = self else { return -1 }
        return modifier.rank
    }

    private static func writeGauge(
        _ style: GaugeStyle, _ value: GaugeValue, _ label: Node, to json: inout JSONWriter
    ) throws(WidgetCodingError) {
        json.name("gauge")
        try json.object { json throws(WidgetCodingError) in
            json.name("value")
            json.number(Int64(value.thousandths))
            json.name("total")
            json.number(1000)
            json.name("style")
            json.string(ViewWords.gaugeStyles[Int(style.rawValue)])
            try json.member("label", label)
        }
    }

    private static func writeChoice(
        _ indices: [UInt8], _ nodes: [Node], to json: inout JSONWriter
    ) throws(WidgetCodingError) {
        json.name("choice")
        try json.object { json throws(WidgetCodingError) in
            json.name("variants")
            try json.list { json throws(WidgetCodingError) in for index in indices { json.number(Int64(index)) } }
            try json.member("views", nodes)
        }
    }
}

extension Modifier {
    /// Where it stands among the members of one object, from the inside out; specs/widget-program.md.
    var rank: Int {
        switch self {
        case .accessibilityLabel: 0
        case .link: 1
        case .invalidatableContent: 2
        case .privacySensitive: 3
        case .redacted, .unredacted: 4
        }
    }

    fileprivate func writeMember(to json: inout JSONWriter) {
        switch self {
        case .accessibilityLabel(let label): json.textMember("label", label)
        case .link(let url): json.textMember("url", url)
        case .invalidatableContent(let isInvalidatable): json.boolMember("invalidatable", isInvalidatable)
        case .privacySensitive(let isPrivate): json.boolMember("private", isPrivate)
        case .unredacted: json.boolMember("unredacted", true)
        case .redacted(let reasons):
            json.name("redacted")
            let words = (0..<3).filter { reasons.rawValue >> UInt8($0) & 1 == 1 }.map { ViewWords.reasons[$0] }
            json.words(words)
        }
    }
}

extension TextRun {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.textMember("text", content)
        if font != .body { json.textMember("font", ViewWords.fonts[Int(font.rawValue)]) }
        tint.writeMember(to: &json)
        if isBold { json.boolMember("bold", true) }
        if lineLimit != 0 {
            json.name("lines")
            json.number(Int64(lineLimit))
        }
    }
}

extension Tint {
    fileprivate func writeMember(to json: inout JSONWriter) {
        if self != .primary { json.textMember("tint", name) }
    }
}

extension Picture {
    fileprivate func writeMember(to json: inout JSONWriter) throws(WidgetCodingError) {
        let picture = self
        json.name("image")
        try json.object { json throws(WidgetCodingError) in
            json.name("base64")
            json.string(Base64.encode(picture.file))
            json.name("width")
            json.number(Int64(picture.width))
            json.name("height")
            json.number(Int64(picture.height))
            json.textMember("label", picture.label)
        }
    }
}

extension JSONWriter {
    mutating func textMember(_ member: String, _ text: String) {
        name(member)
        string(text)
    }

    mutating func boolMember(_ member: String, _ value: Bool) {
        name(member)
        bool(value)
    }

    mutating func nullMember(_ member: String) {
        name(member)
        null()
    }

    mutating func member(_ member: String, _ view: Node) throws(WidgetCodingError) {
        name(member)
        try view.write(to: &self)
    }

    mutating func member(_ member: String, _ views: [Node]) throws(WidgetCodingError) {
        name(member)
        try list { json throws(WidgetCodingError) in for view in views { try view.write(to: &json) } }
    }

    /// A list of texts.
    mutating func words(_ words: [String]) {
        // Nothing in it can fail.
        try? list { json throws(WidgetCodingError) in for word in words { json.string(word) } }
    }
}
