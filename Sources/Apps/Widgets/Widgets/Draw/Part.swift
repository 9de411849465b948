/// A node of a frame with what it takes to find its place: the least room, and whether it takes more.
final class Part {
    enum Content {
        case text(TextRun)
        case picture(Picture)
        case symbol(SymbolName, Tint)
        case ring(UInt16, label: Part?)
        case bar(UInt16)
        /// Nil in place of one that is hidden.
        case toggle(Bool?)
        case textMask(Font)
        case imageMask
        case blockMask
        case stack(Axis, Alignment, spacing: Double, [Part])
        case divider
        case spacer
    }

    /// What holds for a whole widget.
    struct Surroundings {
        let family: WidgetFamily
        /// Of what can be drawn on.
        let width: Double
        let height: Double

        var symbolSide: Double { family == .accessoryCircular ? 26 : 20 }
        var ringSide: Double { family == .accessoryCircular ? 64 : 52 }

        /// More letters than there could be room for, so that endless ones cost nothing.
        func mostLetters(_ font: Font) -> Int {
            let columns = Int(width / Double(font.size) * 4) + 4
            return columns * (Int(height / font.lineHeight) + 1)
        }
    }

    let content: Content
    let isDimmed: Bool
    /// With less than this it is left out.
    let leastWidth: Double
    let leastHeight: Double
    /// Whether it takes all the room it is given.
    let growsWide: Bool
    let growsHigh: Bool
    /// Found once.
    private var idealWidth: Double?
    private var wordWidth: Double?
    private(set) var ideal: TextExtent?

    private init(
        _ content: Content, isDimmed: Bool = false, _ width: Double, _ height: Double, growsWide: Bool = false,
        growsHigh: Bool = false, idealWidth: Double? = nil
    ) {
        self.content = content
        self.isDimmed = isDimmed
        leastWidth = width
        leastHeight = height
        self.growsWide = growsWide
        self.growsHigh = growsHigh
        self.idealWidth = idealWidth
    }

    /// How wide it would like to be, where nothing is broken.
    func idealWidth(_ measure: some TextMeasure) -> Double {
        if let idealWidth { return idealWidth }
        let width: Double =
            switch content {
            case .text(let run): idealExtent(of: run, measure).width
            case .stack(.horizontal, _, let spacing, let parts):
                parts.reduce(spacing * Double(parts.count - 1)) { $0 + $1.idealWidth(measure) }
            case .stack(_, _, _, let parts): parts.reduce(0) { max($0, $1.idealWidth(measure)) }
            default: leastWidth
            }
        idealWidth = width
        return width
    }

    /// With less than this a word in it would be broken.
    ///
    /// A single line ends in an ellipsis, and needs no more than the least.
    func wordWidth(_ measure: some TextMeasure) -> Double {
        if let wordWidth { return wordWidth }
        let width: Double =
            switch content {
            case .text(let run) where run.lineLimit != 1: widestWord(of: run, measure)
            case .stack(.horizontal, _, let spacing, let parts):
                parts.reduce(spacing * Double(parts.count - 1)) { $0 + $1.wordWidth(measure) }
            case .stack(_, _, _, let parts): parts.reduce(0) { max($0, $1.wordWidth(measure)) }
            default: leastWidth
            }
        wordWidth = width
        return width
    }

    private func widestWord(of run: TextRun, _ measure: some TextMeasure) -> Double {
        guard run.content.contains(where: { $0 == " " }) else { return idealExtent(of: run, measure).width }
        var words = run
        words.content = run.content.split(separator: " ").joined(separator: "\n")
        return measure.extent(of: words, width: nil).width.rounded(.up)
    }

    /// The extent of its text, broken at line ends alone.
    func idealExtent(of run: TextRun, _ measure: some TextMeasure) -> TextExtent {
        if let ideal { return ideal }
        var extent = measure.extent(of: run, width: nil)
        extent.width = extent.width.rounded(.up)
        ideal = extent
        return extent
    }
}

// Of nodes.
extension Part {
    /// Nil for what takes no room.
    static func make(_ node: FrameNode, _ surroundings: Surroundings) -> Part? {
        switch node {
        case .text(let run, let isDimmed): return text(run, isDimmed, surroundings)
        case .image(let picture, let isDimmed):
            let (width, height) = (Double(picture.width), Double(picture.height))
            return Part(
                .picture(picture), isDimmed: isDimmed, min(width, 20), min(height, 20), idealWidth: width)
        case .symbol(let name, let tint, let isDimmed):
            let side = surroundings.symbolSide
            return Part(.symbol(name, tint), isDimmed: isDimmed, side, min(side, surroundings.height))
        case .gauge(let style, let value, let label, let isDimmed):
            return gauge(style, value.thousandths, make(label, surroundings), isDimmed, surroundings)
        case .toggle(let isOn, let label, let isDimmed):
            let toggle = Part(.toggle(isOn), isDimmed: isDimmed, 34, 20)
            guard let label = make(label, surroundings) else { return toggle }
            return stack(.horizontal, .center, 8, [label, Part(.spacer, 0, 0), toggle])
        case .stack(let axis, let alignment, let spacing, let nodes):
            var parts: [Part] = []
            for node in nodes { if let part = make(node, surroundings) { parts.append(part) } }
            return parts.isEmpty ? nil : stack(axis, alignment, Double(spacing), parts)
        case .divider: return Part(.divider, 1, 1)
        case .spacer: return Part(.spacer, 0, 0)
        case .mask(let mask): return self.mask(mask, surroundings)
        case .labelled(_, let inner), .link(_, let inner): return make(inner, surroundings)
        }
    }

    private static func text(_ run: TextRun, _ isDimmed: Bool, _ surroundings: Surroundings) -> Part? {
        var run = run
        run.content = DrawnWords.clean(run.content, limit: surroundings.mostLetters(run.font))
        guard !run.content.isEmpty else { return nil }
        // A few letters and an ellipsis.
        let letters = Double(min(run.content.unicodeScalars.count, 3))
        return Part(.text(run), isDimmed: isDimmed, letters * Double(run.font.size) * 0.5, run.font.lineHeight)
    }

    private static func gauge(
        _ style: GaugeStyle, _ thousandths: UInt16, _ label: Part?, _ isDimmed: Bool, _ surroundings: Surroundings
    ) -> Part {
        let side = surroundings.ringSide
        if style == .circular {
            return Part(.ring(thousandths, label: label), isDimmed: isDimmed, 20, 20, idealWidth: side)
        }
        let bar = Part(.bar(thousandths), isDimmed: isDimmed, 36, 8, growsWide: true, idealWidth: 60)
        return label.map { stack(.vertical, .leading, 5, [$0, bar]) } ?? bar
    }

    private static func mask(_ mask: Mask, _ surroundings: Surroundings) -> Part {
        switch mask {
        case .text(let font, let columns):
            let width = (Double(columns) * Double(font.size) * 0.56).rounded()
            return Part(.textMask(font), min(width, 12), font.lineHeight, idealWidth: width)
        case .image: return Part(.imageMask, 20, min(20, surroundings.height), idealWidth: 28)
        case .gauge(let style): return gauge(style, 0, nil, false, surroundings)
        case .toggle: return Part(.toggle(nil), 34, 20)
        case .block: return Part(.blockMask, 12, 12, idealWidth: 140)
        }
    }

    private static func stack(_ axis: Axis, _ alignment: Alignment, _ spacing: Double, _ parts: [Part]) -> Part {
        let widest = parts.reduce(0) { max($0, $1.leastWidth) }
        let highest = parts.reduce(0) { max($0, $1.leastHeight) }
        let content = Content.stack(axis, alignment, spacing: spacing, parts)
        var (wide, high) = (false, false)
        for part in parts {
            if case .spacer = part.content {
                if axis == .horizontal { wide = true }
                if axis == .vertical { high = true }
            }
            wide = wide || part.growsWide
            high = high || part.growsHigh
        }
        switch axis {
        case .horizontal:
            let sum = parts.reduce(spacing * Double(parts.count - 1)) { $0 + $1.leastWidth }
            return Part(content, sum, highest, growsWide: wide, growsHigh: high)
        case .vertical:
            // One that has no room for all of its children has some for the first.
            return Part(content, widest, parts[0].leastHeight, growsWide: wide, growsHigh: high)
        case .depth: return Part(content, widest, highest, growsWide: wide, growsHigh: high)
        }
    }
}
