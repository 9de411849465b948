/// A view as a value: what archives hold and renderers resolve.
///
/// Views are written with ``Text``, ``VStack`` and the like; a program in another language sends the same tree as JSON.
public indirect enum Node: Sendable {
    /// A run of text.
    case text(TextRun)
    /// A picture.
    case image(Picture)
    /// One of the pictures that every renderer has.
    case symbol(SymbolName, Tint)
    /// A part of a whole, and what stands beside it.
    case gauge(GaugeStyle, GaugeValue, label: Node)
    /// Something that is on or off, and what it is.
    case toggle(isOn: Bool, label: Node)
    /// Children along an axis, `spacing` points apart.
    case stack(Axis, Alignment, spacing: UInt8, [Node])
    /// Children as if they stood in their parent.
    case group([Node])
    /// A line across the stack.
    case divider
    /// Takes what room is left along the stack.
    case spacer
    /// A node and what is said of it.
    case modified(Modifier, Node)
    /// What only the owner may see, and what stands in its place; nil where it is shut.
    case sealed(Node?, placeholder: Node)
    /// A view that asks for its environment.
    case reader(@Sendable (ViewEnvironment) -> Node)
    /// The same, archived: for each variant of the environment the index of its node.
    case choice([UInt8], [Node])
}

/// What is said of a view and everything in it.
public enum Modifier: Equatable, Sendable {
    /// Whether it is private; the innermost word counts.
    case privacySensitive(Bool)
    /// Adds reasons to those of the ancestors.
    case redacted(RedactionReasons)
    /// Takes every reason away that comes from above.
    case unredacted
    /// Whether it is dimmed while its content is renewed.
    case invalidatableContent(Bool)
    /// What a screen reader says in its place.
    case accessibilityLabel(String)
    /// Where a click leads, an absolute URL.
    case link(String)
}

/// A run of text in one style.
public struct TextRun: Equatable, Sendable {
    /// The words.
    public var content: String
    /// Its size.
    public var font: Font
    /// Its colour.
    public var tint: Tint
    /// Whether it is bold besides what its font is.
    public var isBold: Bool
    /// At most so many lines; 0 for as many as there is room for.
    public var lineLimit: UInt8
    /// The styles that were said of it: one that is said of a view around it does not replace them.
    ///
    /// Only while a view is put together; no archive and no frame holds it.
    var styles: TextStyle.Sorts = []

    /// - Parameters:
    ///   - content: the words.
    ///   - font: their size.
    ///   - tint: their colour.
    ///   - isBold: whether they are bold.
    ///   - lineLimit: the most lines, 0 for no limit.
    public init(
        _ content: String, font: Font = .body, tint: Tint = .primary, isBold: Bool = false, lineLimit: UInt8 = 0
    ) {
        self.content = content
        self.font = font
        self.tint = tint
        self.isBold = isBold
        self.lineLimit = lineLimit
    }

    /// Whether two look alike and say the same, however they came by their style.
    public static func == (first: TextRun, second: TextRun) -> Bool {
        first.content == second.content && first.font == second.font && first.tint == second.tint
            && first.isBold == second.isBold && first.lineLimit == second.lineLimit
    }
}

/// A picture as its file: PNG or JPEG.
public struct Picture: Equatable, Sendable {
    /// The file.
    public var file: [UInt8]
    /// Points, from 1 to 1000.
    public var width: UInt16
    /// Points, from 1 to 1000.
    public var height: UInt16
    /// What it shows, in words; empty for decoration.
    public var label: String

    /// - Parameters:
    ///   - file: a PNG or JPEG.
    ///   - width: points.
    ///   - height: points.
    ///   - label: what it shows, in words.
    public init(_ file: [UInt8], width: UInt16, height: UInt16, label: String = "") {
        self.file = file
        self.width = width
        self.height = height
        self.label = label
    }
}

/// How far something has come.
public struct GaugeValue: Equatable, Sendable {
    /// Thousandths of the whole, 0 to 1000.
    public let thousandths: UInt16

    /// - Parameter thousandths: what is above 1000 counts as 1000.
    public init(thousandths: UInt16) { self.thousandths = min(thousandths, 1000) }

    /// - Parameter thousandths: what is below 0 counts as 0, and what is above 1000 as 1000.
    public init(thousandths: Int) { self.init(thousandths: UInt16(clamping: thousandths)) }

    /// - Parameters:
    ///   - value: how much there is.
    ///   - total: how much there could be; 0 gives an empty gauge.
    public init(_ value: Int, of total: Int) {
        let part = total > 0 ? Double(max(0, value)) / Double(total) : 0
        self.init(thousandths: UInt16(min(part, 1) * 1000))
    }
}
