/// Lays a frame out as lines of pieces, for every host of text.
struct TextLayout {
    /// The widest that a line is where its host has no limit.
    static let mostColumns = 240

    /// Whether a gauge is drawn as a bar, besides its figure.
    var drawsBars = false
    /// Whether labels for screen readers stand in place of what they describe.
    var speaks = false
    /// Whether there is a word where something is hidden.
    private var namesMasks = true
    private var wording: Wording

    /// - Parameter wording: of a node; a frame brings its own.
    init(drawsBars: Bool = false, speaks: Bool = false, wording: Wording = Wording()) {
        self.drawsBars = drawsBars
        self.speaks = speaks
        self.wording = wording
    }

    private func speaking(_ wording: Wording) -> TextLayout {
        var layout = self
        layout.wording = wording
        return layout
    }

    /// A frame on one line.
    func line(_ frame: Frame, columns: Int? = nil) -> TextLine {
        let columns = Self.limit(columns)
        guard frame.state == .shown || frame.state == .redacted else { return title(frame, columns) }
        let line = speaking(frame.wording).line(frame.root, PieceStyle())
        // A glyph, or a figure that is hidden, says nothing of what it belongs to.
        let isClear = frame.state == .shown ? !line.isEmpty && !line.isMask : line.hasWords
        return isClear ? line.truncated(to: columns) : title(frame, columns)
    }

    /// A frame as its size asks for it: one line, or several.
    func lines(_ frame: Frame, columns: Int? = nil) -> [TextLine] {
        if frame.family.isOneLine { return [line(frame, columns: columns)] }
        let room = columns ?? 0
        let columns = Self.limit(columns)
        switch frame.state {
        case .unavailable: return [title(frame, columns)]
        case .placeholder, .waiting:
            var layout = speaking(frame.wording)
            layout.namesMasks = false
            let name = DisplayText.clean(frame.displayName)
            let shown = layout.block(frame.root, columns, PieceStyle()).filter { $0.hasWords && $0.plain != name }
            return [title(frame, columns)] + shown.map { $0.filled(to: room).trimmed().truncated(to: columns) }
        case .shown, .redacted:
            var lines: [TextLine] = []
            for line in speaking(frame.wording).block(frame.root, columns, PieceStyle()) {
                // One word says that something is hidden; how many lines of it there are is nobody's matter.
                if line.isMask && lines.last?.isMask == true { continue }
                lines.append(line.filled(to: room).trimmed().truncated(to: columns))
            }
            return lines.isEmpty || lines.allSatisfy({ $0.isMask }) ? [title(frame, columns)] : lines
        }
    }

    /// The widget's symbol, and its name with the reason why there is no more of it.
    func title(_ frame: Frame, _ columns: Int) -> TextLine {
        let style = PieceStyle(tint: .secondary)
        let suffix = TextPiece(.words, frame.wording.suffix(frame.state), style)
        let symbol = TextPiece(.symbol, frame.symbol.glyph, style)
        let name = TextLine([TextPiece(.words, DisplayText.clean(frame.displayName), style)])
        var line = TextLine([symbol, .gap(1)])
        line.append(name.truncated(to: max(1, columns - line.width - suffix.width)))
        line.append(suffix)
        return line.truncated(to: columns)
    }

    static func limit(_ columns: Int?) -> Int { max(1, min(columns ?? mostColumns, mostColumns)) }

    // MARK: Nodes

    /// A node on one line.
    func line(_ node: FrameNode, _ style: PieceStyle, within axis: Axis = .horizontal) -> TextLine {
        switch node {
        case .stack(let axis, _, let spacing, let nodes): return line(nodes, style, axis, spacing)
        case .divider: return axis == .horizontal ? TextLine([TextPiece(.symbol, "|", style)]) : TextLine()
        case .spacer: return TextLine()
        case .text(let run, let isDimmed):
            return TextLine([TextPiece(.words, DisplayText.clean(run.content), style.with(run, isDimmed))])
        case .labelled(let label, let inner):
            let line = line(inner, style)
            guard speaks || line.isEmpty else { return line }
            return TextLine([TextPiece(.words, DisplayText.clean(label), style)])
        case .link(let url, let inner): return line(inner, style.with(link: url))
        case .image, .symbol, .gauge, .toggle, .mask: return leaf(node, style)
        }
    }

    private func line(_ nodes: [FrameNode], _ style: PieceStyle, _ axis: Axis, _ spacing: UInt8) -> TextLine {
        let separator =
            switch axis {
            case .vertical: " · "
            case .horizontal: spacing > 0 ? " " : ""
            case .depth: " "
            }
        var all = TextLine()
        // What is behind the end of the widest line is not laid out.
        for node in nodes where all.width <= Self.mostColumns {
            let line = line(node, style, within: axis)
            if line.isEmpty || line.isMask && all.pieces.last?.sort == .mask { continue }
            if !all.isEmpty { all.append(TextPiece(.gap, separator, style)) }
            all.append(line)
        }
        return all
    }

    /// What takes one line of its own wherever it stands.
    func leaf(_ node: FrameNode, _ style: PieceStyle) -> TextLine {
        switch node {
        case .symbol(let name, let tint, let isDimmed):
            return TextLine([TextPiece(.symbol, name.glyph, style.with(tint, isDimmed))])
        case .image(let picture, let isDimmed):
            let label = DisplayText.clean(picture.label)
            let style = style.with(.secondary, isDimmed)
            let glyph = TextPiece(.symbol, SymbolName.photo.glyph, style)
            return label.isEmpty ? TextLine() : TextLine([glyph, .gap(1), TextPiece(.words, label, style)])
        case .gauge(let gauge, let value, let label, let isDimmed):
            return self.gauge(gauge, value, line(label, style), style.dimmed(isDimmed))
        case .toggle(let isOn, let label, let isDimmed):
            let style = style.dimmed(isDimmed)
            var line = TextLine([TextPiece(.symbol, isOn ? "☑" : "☐", style), .gap(1)])
            line.append(self.line(label, style))
            return line
        case .mask:
            let word = TextPiece(.mask, wording.hidden, style.with(.secondary, false))
            return namesMasks ? TextLine([word]) : TextLine()
        default: return TextLine()
        }
    }

    private func gauge(_ gauge: GaugeStyle, _ value: GaugeValue, _ label: TextLine, _ style: PieceStyle) -> TextLine {
        var line = label
        if !line.isEmpty { line.append(.gap(1)) }
        if gauge == .circular {
            let quarters = ["○", "◔", "◑", "◕", "●"]
            line.append(TextPiece(.symbol, quarters[Int(value.thousandths) / 250], style))
            line.append(.gap(1))
        } else if drawsBars {
            let full = Int(value.thousandths) / 100
            let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 10 - full)
            line.append(TextPiece(.symbol, bar, style))
            line.append(.gap(1))
        }
        line.append(TextPiece(.words, "\(value.percent)%", style))
        return line
    }
}

extension PieceStyle {
    func with(_ run: TextRun, _ isDimmed: Bool) -> PieceStyle {
        var style = with(run.tint, isDimmed)
        style.isBold = run.isBold || run.font == .headline || run.font == .title || run.font == .largeTitle
        return style
    }

    func with(_ tint: Tint, _ isDimmed: Bool) -> PieceStyle {
        var style = dimmed(isDimmed)
        style.tint = tint
        return style
    }

    func dimmed(_ isDimmed: Bool) -> PieceStyle {
        var style = self
        style.isDimmed = self.isDimmed || isDimmed
        return style
    }

    /// The outermost link counts.
    func with(link url: String) -> PieceStyle {
        var style = self
        style.link = link ?? SafeLink.url(url)
        return style
    }
}
