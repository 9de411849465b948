/// A frame as a fragment of HTML that is XML too, for pages with a strict content security policy.
///
///     page += HTMLRenderer.render(frame)   // in a page that links a file with HTMLRenderer.stylesheet
///
/// There is no style, script or handler in it: classes only, pictures as `data:` URLs (`img-src data:`), links to http,
/// https and tresor. What is hidden says "hidden" to screen readers, and is a bar of one width to the eye. Each text
/// has the direction of its own first letter.
public enum HTMLRenderer {
    /// - Parameter frame: what to render.
    /// - Returns: one `article` element.
    public static func render(_ frame: Frame) -> String {
        var writer = HTMLWriter(frame)
        var classes = "tresor-widget \(frame.family.className) \(frame.state.name)"
        if frame.isLuminanceReduced { classes += " dim" }
        writer.html = "<article class=\"\(classes)\" data-kind=\"" + Markup.escaped(DisplayText.clean(frame.kind))
        writer.html += "\" aria-label=\"" + Markup.escaped(frame.spokenTitle) + "\">"
        if frame.state == .unavailable {
            writer.writeTitle(frame)
        } else if frame.state.isPlaceholder && frame.family.isOneLine {
            writer.writeTitle(frame)
        } else {
            if frame.state.isPlaceholder { writer.writeSpoken(frame.spokenTitle) }
            writer.write(frame.root)
        }
        return writer.html + "</article>"
    }
}

/// Writes nodes as HTML.
struct HTMLWriter {
    var html = ""
    /// Whether all of the widget is masked, which its title says already: once is enough.
    private let isLocked: Bool
    /// Of the widget, for what has no name of its own.
    private let name: String
    private let wording: Wording
    /// Links stand in no other link.
    private var isInLink = false

    init(_ frame: Frame) {
        isLocked = frame.state.isPlaceholder
        name = Markup.escaped(DisplayText.clean(frame.displayName))
        wording = frame.wording
    }

    /// The symbol and the title in sight.
    mutating func writeTitle(_ frame: Frame) {
        html += "<div class=\"stack horizontal center gap-6\">"
        html += "<span class=\"symbol secondary\" aria-hidden=\"true\">\(frame.symbol.glyph)</span>"
        // A circle has room for a symbol.
        let classes = frame.family == .accessoryCircular ? "spoken" : "text body secondary"
        html += "<span class=\"\(classes)\" dir=\"auto\">" + Markup.escaped(frame.spokenTitle)
        html += "</span></div>"
    }

    /// Words for screen readers alone.
    mutating func writeSpoken(_ words: String) {
        html += "<span class=\"spoken\">" + Markup.escaped(words) + "</span>"
    }

    mutating func write(_ node: FrameNode) {
        switch node {
        case .text(let run, let isDimmed): write(run, isDimmed)
        case .image(let picture, let isDimmed): write(picture, isDimmed)
        case .symbol(let name, let tint, let isDimmed):
            html += "<span class=\"symbol \(name.className) \(tint.name)\(dimmed(isDimmed))\" aria-hidden=\"true\">"
            html += name.glyph + "</span>"
        case .gauge(let style, let value, let label, let isDimmed): write(style, value, label, isDimmed)
        case .toggle(let isOn, let label, let isDimmed): write(isOn, label, isDimmed)
        case .stack(let axis, let alignment, let spacing, let nodes):
            html += "<div class=\"stack \(axis.outputName) \(alignment.outputName) gap-\(Self.gap(spacing))\">"
            for node in nodes { write(node) }
            html += "</div>"
        case .divider: html += "<hr class=\"divider\" />"
        case .spacer: html += "<span class=\"spacer\"></span>"
        case .mask(let mask): write(mask)
        case .labelled(let label, let inner): writeLabelled(label, inner)
        case .link(let url, let inner): writeLink(url, inner)
        }
    }

    // MARK: Leaves

    private mutating func write(_ run: TextRun, _ isDimmed: Bool) {
        let element = run.isBold || run.font == .headline ? "strong" : "span"
        var classes = "text \(run.font.className) \(run.tint.name)\(dimmed(isDimmed))"
        if run.lineLimit > 0 { classes += " lines-\(min(Int(run.lineLimit), 8))" }
        html += "<\(element) class=\"\(classes)\" dir=\"auto\">"
        html += Markup.escaped(DisplayText.clean(run.content, keepsLines: true)) + "</\(element)>"
    }

    private mutating func write(_ picture: Picture, _ isDimmed: Bool) {
        guard let kind = picture.fileKind else {
            // Not a picture that a page may show: its words are left.
            let run = TextRun(picture.label, tint: .secondary)
            if !picture.label.isEmpty { write(run, isDimmed) }
            return
        }
        html += "<img class=\"image\(dimmed(isDimmed))\" src=\"data:image/\(kind.outputName);base64,"
        html += String(decoding: Base64.encode(picture.file), as: UTF8.self)
        html += "\" width=\"\(Int(picture.width))\" height=\"\(Int(picture.height))\" alt=\""
        html += Markup.escaped(DisplayText.clean(picture.label)) + "\" />"
    }

    /// - Parameter spacing: points; the nearest of the stylesheet's that is not less.
    private static func gap(_ spacing: UInt8) -> Int {
        for gap in [0, 2, 4, 6, 8, 12, 16] where spacing <= gap { return gap }
        return 24
    }

    private func dimmed(_ isDimmed: Bool) -> String { isDimmed ? " invalidated" : "" }

    /// A node in words, for an attribute.
    private func words(_ node: FrameNode) -> String {
        Markup.escaped(TextLayout(speaks: true, wording: wording).line(node, PieceStyle()).plain)
    }

    // MARK: Nodes with a label

    private mutating func write(_ style: GaugeStyle, _ value: GaugeValue, _ label: FrameNode, _ isDimmed: Bool) {
        let thousandths = Int(value.thousandths)
        let words = words(label)
        html += "<div class=\"gauge \(style.outputName)\(dimmed(isDimmed))\">"
        // Its words are the gauge's name; they are not read twice.
        if !words.isEmpty { writeWithoutLinks(label, class: "gauge-label") }
        if style == .circular {
            html += "<svg class=\"ring\" viewBox=\"0 0 36 36\" aria-hidden=\"true\">"
            html += "<circle class=\"track\" cx=\"18\" cy=\"18\" r=\"15\" fill=\"none\" />"
            html += "<circle class=\"arc\" cx=\"18\" cy=\"18\" r=\"15\" fill=\"none\" pathLength=\"1000\""
            html += " stroke-dasharray=\"\(thousandths) 1000\" transform=\"rotate(-90 18 18)\" /></svg>"
        }
        html += "<meter class=\"\(style == .circular ? "spoken" : "bar")\" min=\"0\" max=\"1000\""
        html += " value=\"\(thousandths)\" aria-label=\"\(words.isEmpty ? name : words)\">"
        html += "\(value.percent)%</meter></div>"
    }

    private mutating func write(_ isOn: Bool, _ label: FrameNode, _ isDimmed: Bool) {
        let words = words(label)
        html += "<div class=\"toggle\(dimmed(isDimmed))\"><input type=\"checkbox\" disabled=\"disabled\""
        if isOn { html += " checked=\"checked\"" }
        html += " aria-label=\"\(words.isEmpty ? name : words)\" />"
        writeWithoutLinks(label, class: "toggle-label")
        html += "</div>"
    }

    /// What is read as the name of something else already.
    private mutating func writeWithoutLinks(_ node: FrameNode, class name: String) {
        let wasInLink = isInLink
        isInLink = true
        html += "<div class=\"\(name)\" aria-hidden=\"true\">"
        write(node)
        html += "</div>"
        isInLink = wasInLink
    }

    private mutating func write(_ mask: Mask) {
        html += "<span class=\"mask mask-\(mask.outputName)"
        switch mask {
        case .text(let font, let columns): html += " \(font.className) columns-\(Self.columns(columns))"
        case .gauge(let style): html += " \(style.outputName)"
        case .image, .toggle, .block: break
        }
        html += isLocked ? "\" aria-hidden=\"true\">" : "\">"
        if !isLocked { writeSpoken(wording.hidden) }
        html += "</span>"
    }

    /// The nearest of the stylesheet's widths that is not less.
    private static func columns(_ columns: UInt8) -> Int {
        for width in [4, 6, 8, 12, 16, 24] where columns <= width { return width }
        return 40
    }

    private mutating func writeLabelled(_ label: String, _ inner: FrameNode) {
        // Nothing of an image is read but its label; a link in it has to stay reachable.
        let role = inner.hasLink ? "group" : "img"
        let words = Markup.escaped(DisplayText.clean(label))
        html += "<div class=\"labelled\" role=\"\(role)\" aria-label=\"\(words)\">"
        write(inner)
        html += "</div>"
    }

    private mutating func writeLink(_ url: String, _ inner: FrameNode) {
        guard !isInLink, let url = SafeLink.url(url) else { return write(inner) }
        html += "<a class=\"link\" href=\"" + Markup.escaped(url) + "\" rel=\"noopener noreferrer\">"
        isInLink = true
        write(inner)
        isInLink = false
        html += "</a>"
    }
}

extension FrameNode {
    /// Whether a click leads somewhere from a part of it.
    fileprivate var hasLink: Bool {
        switch self {
        case .link(let url, let node): SafeLink.url(url) != nil || node.hasLink
        case .stack(_, _, _, let nodes): nodes.contains { $0.hasLink }
        case .labelled(_, let node): node.hasLink
        case .gauge, .toggle, .text, .image, .symbol, .divider, .spacer, .mask: false
        }
    }
}
