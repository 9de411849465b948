/// A rectangle in points, from the widget's upper left corner.
public struct DrawBox: Equatable, Sendable {
    /// Its left side.
    public var x: Double
    /// Its top.
    public var y: Double
    /// From left to right.
    public var width: Double
    /// From top to bottom.
    public var height: Double

    /// - Parameters:
    ///   - x: its left side, in points as all of them.
    ///   - y: its top.
    ///   - width: from left to right.
    ///   - height: from top to bottom.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// What a surface is filled with; a ``Palette`` says which colour that is.
public enum Paint: Equatable, Sendable {
    /// The widget's own ground.
    case background
    /// A colour with a meaning.
    case tint(Tint)
    /// The part of a gauge that is not filled.
    case track
    /// A line between two views.
    case divider
    /// In place of what is hidden.
    case mask
    /// The handle of a switch.
    case knob
}

/// One thing to draw, where it stands; later ones lie on earlier ones.
public enum DrawItem: Equatable, Sendable {
    /// A rectangle with round corners.
    case fill(DrawBox, radius: Double, Paint, isDimmed: Bool)
    /// Words, clean, broken into at most so many lines within the box; more end in an ellipsis.
    case text(TextRun, DrawBox, lineLimit: Int, Alignment, isDimmed: Bool)
    /// A picture that fills the box.
    case picture(Picture, DrawBox, radius: Double, isDimmed: Bool)
    /// A drawing of ``SymbolPath``, scaled to the box.
    case symbol(SymbolName, Tint, DrawBox, isDimmed: Bool)
    /// A ring, filled clockwise from the top by so many thousandths.
    case ring(DrawBox, lineWidth: Double, thousandths: UInt16, isDimmed: Bool)
}

extension Font {
    /// From line to line, in points: the same wherever it is drawn and whatever letters stand in it.
    public var lineHeight: Double {
        switch self {
        case .caption: 16
        case .body, .headline, .monospaced: 20
        case .title: 26
        case .largeTitle: 38
        }
    }

    /// From a line's top to the feet of its letters: capitals stand in the line's middle.
    public var baseline: Double { (lineHeight + 0.72 * Double(size)) / 2 }
}

extension WidgetFamily {
    /// From the edge to what is drawn, in points.
    public var padding: (x: Double, y: Double) {
        switch self {
        case .systemSmall, .systemMedium: (x: 16, y: 16)
        case .systemLarge, .systemExtraLarge: (x: 20, y: 20)
        case .accessoryInline: (x: 10, y: 3)
        case .accessoryCircular: (x: 8, y: 8)
        case .accessoryRectangular: (x: 12, y: 8)
        }
    }

    /// Of the widget's corners, in points.
    public var cornerRadius: Double {
        switch self {
        case .systemSmall, .systemMedium, .systemLarge, .systemExtraLarge: 22
        case .accessoryInline: 13
        case .accessoryCircular: 38
        case .accessoryRectangular: 16
        }
    }
}
