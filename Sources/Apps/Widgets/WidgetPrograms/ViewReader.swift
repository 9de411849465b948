import Codecs
import Localization
import Widgets

/// Reads a view; specs/widget-program.md.
struct ViewReader {
    /// Whether what is sealed may have content: a placeholder is made of no one's data.
    private let allowsSecrets: Bool
    private var nodes = 0
    private var depth = 0

    private init(allowsSecrets: Bool) { self.allowsSecrets = allowsSecrets }

    static func view(_ place: JSONPlace, allowsSecrets: Bool) throws(ProgramRefusal) -> Node {
        var reader = ViewReader(allowsSecrets: allowsSecrets)
        return try reader.view(place)
    }

    private mutating func enter(_ path: String) throws(ProgramRefusal) {
        nodes += 1
        depth += 1
        guard nodes <= WidgetLimit.nodes else {
            throw ProgramRefusal(path, localized("more than \(WidgetLimit.nodes) views and modifiers in one view"))
        }
        guard depth <= WidgetLimit.depth else {
            throw ProgramRefusal(path, localized("lies deeper than \(WidgetLimit.depth)"))
        }
    }

    private mutating func view(_ place: JSONPlace) throws(ProgramRefusal) -> Node {
        try enter(place.path)
        defer { depth -= 1 }
        switch place.value {
        case .string("divider"): return .divider
        case .string("spacer"): return .spacer
        default: break
        }
        var object = try JSONMembers(place, what: localized("an object, “divider” or “spacer”"))
        let modifiers = try modifiers(&object)
        let depthBefore = depth
        for _ in modifiers { try enter(place.path) }
        defer { depth = depthBefore }
        let inner = try content(&object)
        try object.end()
        return modifiers.reduce(inner) { .modified($1, $0) }
    }

    private static let kinds = [
        "text", "symbol", "hstack", "vstack", "zstack", "group", "gauge", "toggle", "image", "sealed", "when", "choice",
        "view",
    ]

    private mutating func content(_ object: inout JSONMembers) throws(ProgramRefusal) -> Node {
        let kinds = Self.kinds.filter { object.has($0) }
        guard kinds.count == 1, let kind = kinds.first, let place = object.take(kind) else {
            throw ProgramRefusal(object.path, localized("needs exactly one of \(Self.kinds.joined(separator: ", "))"))
        }
        switch kind {
        case "text": return .text(try textRun(place, &object))
        case "symbol":
            guard let name = SymbolName(name: try place.text()) else {
                throw place.refusal(
                    localized("has to be one of \(SymbolName.allCases.map(\.name).joined(separator: ", "))"))
            }
            return .symbol(name, try tint(&object))
        case "hstack": return try stack(.horizontal, place, &object)
        case "vstack": return try stack(.vertical, place, &object)
        case "zstack": return try stack(.depth, place, &object)
        case "group": return .group(try views(place))
        case "gauge": return try gauge(place)
        case "toggle": return try toggle(place)
        case "image": return .image(try picture(place))
        case "sealed": return try sealed(place, &object)
        case "when": return try conditional(place, &object)
        case "choice": return try choice(place)
        default:
            // The object around it is no view of its own.
            nodes -= 1
            depth -= 1
            defer { depth += 1 }
            return try view(place)
        }
    }

    private mutating func views(_ place: JSONPlace) throws(ProgramRefusal) -> [Node] {
        var nodes: [Node] = []
        for element in try place.list(0...WidgetLimit.nodes) { nodes.append(try view(element)) }
        return nodes
    }

    /// The view in an object's member; none where it is left out.
    private mutating func label(_ object: inout JSONMembers) throws(ProgramRefusal) -> Node {
        guard let place = object.take("label") else { return .group([]) }
        return try view(place)
    }

    private mutating func stack(
        _ axis: Axis, _ place: JSONPlace, _ object: inout JSONMembers
    ) throws(ProgramRefusal) -> Node {
        var alignment = axis.usualAlignment
        if let word = object.take("alignment") {
            alignment = Alignment.allCases[try word.word(ViewWords.alignments)]
        }
        let spacing = try object.take("spacing")?.number(0...255)
        return .stack(axis, alignment, spacing: spacing.map { UInt8($0) } ?? axis.usualSpacing, try views(place))
    }

    private mutating func gauge(_ place: JSONPlace) throws(ProgramRefusal) -> Node {
        var object = try JSONMembers(place)
        let total = try object.need("total").number(1...1_000_000_000_000)
        let value = try object.need("value").number(0...total)
        let style = try object.take("style")?.word(ViewWords.gaugeStyles) ?? 0
        let label = try label(&object)
        try object.end()
        return .gauge(
            GaugeStyle.allCases[style], GaugeValue(thousandths: UInt16(value * 1000 / total)), label: label)
    }

    private mutating func toggle(_ place: JSONPlace) throws(ProgramRefusal) -> Node {
        var object = try JSONMembers(place)
        let isOn = try object.need("on").bool()
        let label = try label(&object)
        try object.end()
        return .toggle(isOn: isOn, label: label)
    }

    private mutating func sealed(_ place: JSONPlace, _ object: inout JSONMembers) throws(ProgramRefusal) -> Node {
        let placeholder = try object.need("placeholder")
        var content: Node?
        if place.value != .null {
            guard allowsSecrets else {
                throw place.refusal(
                    localized("has to be null: a placeholder is shown to everybody, and made of no one's data"))
            }
            content = try view(place)
        }
        return .sealed(content, placeholder: try view(placeholder))
    }
}

// What depends on the environment.
extension ViewReader {
    private mutating func conditional(
        _ place: JSONPlace, _ object: inout JSONMembers
    ) throws(ProgramRefusal) -> Node {
        var members = try JSONMembers(place)
        guard !members.names.isEmpty else { throw place.refusal(localized("names no condition")) }
        var condition = ViewCondition()
        if let reasons = members.take("reasons") {
            for index in try reasons.words(ViewWords.reasons) {
                condition.reasons.insert(RedactionReasons(rawValue: 1 << UInt8(index)))
            }
        }
        condition.isLuminanceReduced = try members.take("luminanceReduced")?.bool()
        if let placements = members.take("placement") {
            let indices = try placements.words(WidgetPlacement.allCases.map(\.name))
            condition.placements = indices.map { WidgetPlacement.allCases[$0] }
        }
        try members.end()
        let first = try view(try object.need("then"))
        guard let other = object.take("else") else { return condition.choice(first, else: .group([])) }
        return condition.choice(first, else: try view(other))
    }

    private mutating func choice(_ place: JSONPlace) throws(ProgramRefusal) -> Node {
        var object = try JSONMembers(place)
        let views = try object.need("views")
        let count = try views.list(1...ViewCondition.variantCount).count
        let variants = try object.need("variants")
        var indices: [UInt8] = []
        for index in try variants.list(ViewCondition.variantCount...ViewCondition.variantCount) {
            indices.append(UInt8(try index.number(0...Int64(count - 1))))
        }
        guard ViewCondition.isChoice(indices, of: count) else {
            throw variants.refusal(localized("have to number the views from 0 as they come up, and leave none out"))
        }
        try object.end()
        return .choice(indices, try self.views(views))
    }
}

// Leaves, and what is said of views.
extension ViewReader {
    private func textRun(_ place: JSONPlace, _ object: inout JSONMembers) throws(ProgramRefusal) -> TextRun {
        var run = TextRun(try text(place, allowsLines: true))
        if let font = object.take("font") { run.font = Font.allCases[try font.word(ViewWords.fonts)] }
        run.tint = try tint(&object)
        run.isBold = try object.take("bold")?.bool() ?? false
        run.lineLimit = UInt8(try object.take("lines")?.number(0...255) ?? 0)
        return run
    }

    private func tint(_ object: inout JSONMembers) throws(ProgramRefusal) -> Tint {
        guard let tint = object.take("tint") else { return .primary }
        return Tint.allCases[try tint.word(Tint.allCases.map(\.name))]
    }

    private func text(_ place: JSONPlace, allowsLines: Bool) throws(ProgramRefusal) -> String {
        let text = try place.text()
        guard text.utf8.count <= WidgetLimit.textBytes else {
            throw place.refusal(localized("is longer than \(WidgetLimit.textBytes) bytes"))
        }
        guard ProgramText.isClean(text, allowsLines: allowsLines) else {
            throw place.refusal(localized("has a control character in it"))
        }
        return text
    }

    private func picture(_ place: JSONPlace) throws(ProgramRefusal) -> Picture {
        var object = try JSONMembers(place)
        let base64 = try object.need("base64")
        let (width, height) = (try object.need("width"), try object.need("height"))
        let sides = 1...Int64(WidgetLimit.pictureSide)
        let label = try object.take("label").map { (label) throws(ProgramRefusal) in
            try text(label, allowsLines: false)
        }
        let characters = Array(try base64.text().utf8)
        guard characters.count <= (WidgetLimit.pictureBytes + 2) / 3 * 4 else {
            throw base64.refusal(localized("is larger than \(WidgetLimit.pictureBytes >> 20) MiB"))
        }
        guard let file = Base64.decode(characters) else { throw base64.refusal(localized("is not Base64")) }
        guard file.count <= WidgetLimit.pictureBytes else {
            throw base64.refusal(localized("is larger than \(WidgetLimit.pictureBytes >> 20) MiB"))
        }
        guard ProgramText.isPicture(file) else { throw base64.refusal(localized("is neither PNG nor JPEG")) }
        let picture = Picture(
            file, width: UInt16(try width.number(sides)), height: UInt16(try height.number(sides)), label: label ?? "")
        try object.end()
        return picture
    }

    /// From the inside out.
    private func modifiers(_ object: inout JSONMembers) throws(ProgramRefusal) -> [Modifier] {
        var modifiers: [Modifier] = []
        if let label = object.take("label") {
            modifiers.append(.accessibilityLabel(try text(label, allowsLines: false)))
        }
        if let url = object.take("url") {
            let address = try text(url, allowsLines: false)
            guard ProgramText.isURL(address) else {
                throw url.refusal(localized("has to be a URL of \(ProgramText.schemes.joined(separator: ", "))"))
            }
            modifiers.append(.link(address))
        }
        if let mark = object.take("invalidatable") { modifiers.append(.invalidatableContent(try mark.bool())) }
        if let mark = object.take("private") { modifiers.append(.privacySensitive(try mark.bool())) }
        if let reasons = object.take("redacted") {
            let bits = try reasons.words(ViewWords.reasons).reduce(UInt8(0)) { $0 | 1 << UInt8($1) }
            modifiers.append(.redacted(RedactionReasons(rawValue: bits)))
        }
        if let mark = object.take("unredacted") {
            guard try mark.bool() else { throw mark.refusal(localized("has to be true, or left out")) }
            if case .redacted = modifiers.last {
                throw mark.refusal(localized("stands beside “redacted”: put one of them around the other with “view”"))
            }
            modifiers.append(.unredacted)
        }
        return modifiers
    }
}
