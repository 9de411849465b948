/// A frame as a neutral tree, for programs that draw it themselves; specs/widget-json.md.
///
/// One frame has one form: the same keys in the same order, no spaces, one line. Its text has been cleaned of control
/// characters and of what turns the direction around, and its links lead to http, https and tresor.
public enum JSONRenderer {
    /// - Parameter frame: what to render.
    /// - Returns: one object, without a line break.
    public static func render(_ frame: Frame) -> String {
        var json = "{\"version\":1,\"kind\":" + Markup.quoted(DisplayText.clean(frame.kind))
        json += ",\"name\":" + Markup.quoted(DisplayText.clean(frame.displayName))
        json += ",\"symbol\":\"\(frame.symbol.name)\",\"family\":\"\(frame.family.name)\""
        json += ",\"state\":\"\(frame.state.name)\",\"luminanceReduced\":" + bool(frame.isLuminanceReduced)
        json += ",\"title\":" + Markup.quoted(frame.spokenTitle)
        json += ",\"text\":" + Markup.quoted(TextLayout().line(frame).plain)
        json += ",\"content\":"
        write(frame.root, to: &json)
        return json + "}"
    }

    private static func write(_ node: FrameNode, to json: inout String) {
        switch node {
        case .text(let run, let isDimmed):
            json += "{\"type\":\"text\",\"text\":" + Markup.quoted(DisplayText.clean(run.content, keepsLines: true))
            json += ",\"font\":\"\(run.font.outputName)\",\"tint\":\"\(run.tint.name)\",\"bold\":" + bool(run.isBold)
            json += ",\"lineLimit\":\(Int(run.lineLimit)),\"dimmed\":" + bool(isDimmed)
        case .image(let picture, let isDimmed): write(picture, isDimmed, to: &json)
        case .symbol(let name, let tint, let isDimmed):
            json += "{\"type\":\"symbol\",\"symbol\":\"\(name.name)\",\"tint\":\"\(tint.name)\",\"dimmed\":"
            json += bool(isDimmed)
        case .gauge(let style, let value, let label, let isDimmed):
            json += "{\"type\":\"gauge\",\"style\":\"\(style.outputName)\",\"thousandths\":\(Int(value.thousandths))"
            json += ",\"dimmed\":" + bool(isDimmed) + ",\"label\":"
            write(label, to: &json)
        case .toggle(let isOn, let label, let isDimmed):
            json += "{\"type\":\"toggle\",\"on\":" + bool(isOn) + ",\"dimmed\":" + bool(isDimmed) + ",\"label\":"
            write(label, to: &json)
        case .stack(let axis, let alignment, let spacing, let nodes):
            json += "{\"type\":\"stack\",\"axis\":\"\(axis.outputName)\",\"alignment\":\"\(alignment.outputName)\""
            json += ",\"spacing\":\(Int(spacing)),\"children\":["
            for (index, node) in nodes.enumerated() {
                if index > 0 { json += "," }
                write(node, to: &json)
            }
            json += "]"
        case .divider: json += "{\"type\":\"divider\""
        case .spacer: json += "{\"type\":\"spacer\""
        case .mask(let mask): write(mask, to: &json)
        case .labelled(let label, let inner):
            json += "{\"type\":\"labelled\",\"label\":" + Markup.quoted(DisplayText.clean(label)) + ",\"content\":"
            write(inner, to: &json)
        case .link(let url, let inner):
            // One that may not be followed is none.
            guard let url = SafeLink.url(url) else { return write(inner, to: &json) }
            json += "{\"type\":\"link\",\"url\":" + Markup.quoted(url) + ",\"content\":"
            write(inner, to: &json)
        }
        json += "}"
    }

    private static func write(_ picture: Picture, _ isDimmed: Bool, to json: inout String) {
        json += "{\"type\":\"image\",\"format\":"
        json += picture.fileKind.map { Markup.quoted($0.outputName) } ?? "null"
        // Whoever draws it should not be handed what only says that it is a picture.
        let file = picture.fileKind == nil ? [] : Base64.encode(picture.file)
        json += ",\"file\":\"" + String(decoding: file, as: UTF8.self)
        json += "\",\"width\":\(Int(picture.width)),\"height\":\(Int(picture.height)),\"label\":"
        json += Markup.quoted(DisplayText.clean(picture.label)) + ",\"dimmed\":" + bool(isDimmed)
    }

    private static func write(_ mask: Mask, to json: inout String) {
        json += "{\"type\":\"mask\",\"of\":\"\(mask.outputName)\""
        switch mask {
        case .text(let font, let columns): json += ",\"font\":\"\(font.outputName)\",\"columns\":\(Int(columns))"
        case .gauge(let style): json += ",\"style\":\"\(style.outputName)\""
        case .image, .toggle, .block: break
        }
    }

    private static func bool(_ value: Bool) -> String { value ? "true" : "false" }
}
