/// Makes a picture of a frame that is small, scales, and can stand in a page: no script, no reference to anything
/// outside, no id and no style sheet.
///
///     let svg = SVGRenderer.render(frame, theme: .dark)
public enum SVGRenderer {
    /// The most bytes of UTF-8 that are said of a widget to those who do not see it.
    static let descriptionLimit = 1000

    /// - Parameters:
    ///   - frame: what to draw.
    ///   - theme: its colours.
    /// - Returns: one `svg` element, well-formed XML.
    public static func render(_ frame: Frame, theme: WidgetTheme = .light) -> String {
        var writer = SVGWriter(Palette(theme, isLuminanceReduced: frame.isLuminanceReduced))
        let size = frame.family.size
        let (width, height) = (String(size.width), String(size.height))
        writer.text += "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" + width + "\" height=\""
        writer.text += height + "\" viewBox=\"0 0 " + width + " " + height + "\" font-family=\""
        writer.text += SVGWriter.families(.other, isFixed: false) + "\">"
        writer.text += "<title>" + Markup.escaped(frame.drawingTitle) + "</title>"
        let description = DrawnWords.line(frame.drawingDescription, limit: descriptionLimit)
        if !description.isEmpty { writer.text += "<desc>" + Markup.escaped(description) + "</desc>" }
        for item in Layout.place(frame, measure: EstimatedText()) { writer.add(item) }
        return writer.text + "</svg>\n"
    }
}

extension Frame {
    /// What a picture of it is called: its name, and where not all is seen, that this is so.
    public var drawingTitle: String { DrawnWords.line(displayName, limit: 200) + wording.suffix(state) }

    /// The words that are seen in it, as far as there are any.
    public var drawingDescription: String {
        guard state == .shown || state == .redacted else { return "" }
        var words: [String] = []
        root.collectWords(into: &words, wording)
        return words.joined(separator: ", ")
    }
}

extension FrameNode {
    fileprivate func collectWords(into words: inout [String], _ wording: Wording) {
        switch self {
        case .text(let run, _): if !run.content.isEmpty { words.append(run.content) }
        case .image(let picture, _): if !picture.label.isEmpty { words.append(picture.label) }
        case .gauge(_, let value, let label, _):
            label.collectWords(into: &words, wording)
            words.append(String(Int(value.thousandths) / 10) + " %")
        case .toggle(let isOn, let label, _):
            label.collectWords(into: &words, wording)
            words.append(isOn ? wording.on : wording.off)
        case .stack(_, _, _, let nodes): for node in nodes { node.collectWords(into: &words, wording) }
        case .labelled(let label, _): words.append(label)
        case .link(_, let node): node.collectWords(into: &words, wording)
        case .symbol, .divider, .spacer, .mask: break
        }
    }
}
