/// What is left of a view when it is known who may look: no secret that is hidden, no condition, no reason.
///
/// Renderers take nothing else, so that none of them can show too much.
public indirect enum FrameNode: Equatable, Sendable {
    /// Words; dimmed while they are renewed.
    case text(TextRun, isDimmed: Bool)
    /// A picture.
    case image(Picture, isDimmed: Bool)
    /// One of the pictures that every renderer has.
    case symbol(SymbolName, Tint, isDimmed: Bool)
    /// A part of a whole.
    case gauge(GaugeStyle, GaugeValue, label: FrameNode, isDimmed: Bool)
    /// On or off.
    case toggle(isOn: Bool, label: FrameNode, isDimmed: Bool)
    /// Children along an axis.
    case stack(Axis, Alignment, spacing: UInt8, [FrameNode])
    /// A line.
    case divider
    /// Room.
    case spacer
    /// In place of what is hidden.
    case mask(Mask)
    /// What a screen reader says in its place.
    case labelled(String, FrameNode)
    /// Where a click leads.
    case link(String, FrameNode)

    /// Nothing.
    public static var empty: FrameNode { .stack(.vertical, .leading, spacing: 0, []) }
}

/// In place of what is hidden; says nothing of what that is but its sort.
public enum Mask: Equatable, Sendable {
    /// A bar as wide as so many characters.
    case text(Font, columns: UInt8)
    /// A grey square.
    case image
    /// An empty gauge.
    case gauge(GaugeStyle)
    /// A switch in the middle.
    case toggle
    /// A bar in place of a container.
    case block

    /// Columns of every mask over something private, whatever is under it.
    public static let privateColumns: UInt8 = 6
    /// The most columns of a mask over a placeholder's own words.
    public static let mostColumns: UInt8 = 40
}

/// A widget, ready to be drawn.
public struct Frame: Equatable, Sendable {
    /// What of it is there to be seen.
    public enum State: UInt8, CaseIterable, Sendable {
        /// All of it.
        case shown = 0
        /// All but what is private.
        case redacted = 1
        /// Nothing: what it shows is locked.
        case placeholder = 2
        /// It is not to be had here.
        case unavailable = 3
        /// Nothing yet: nobody has been asked, or nobody had anything.
        case waiting = 4

        /// Whether something stands for what cannot be shown, all of it masked.
        public var isPlaceholder: Bool { self == .placeholder || self == .waiting }

        /// As JSON and HTML classes say it.
        public var name: String {
            switch self {
            case .shown: "shown"
            case .redacted: "redacted"
            case .placeholder: "placeholder"
            case .unavailable: "unavailable"
            case .waiting: "waiting"
            }
        }
    }

    /// The widget's kind.
    public var kind: String
    /// Its name for people.
    public var displayName: String
    /// Stands for it in small places.
    public var symbol: SymbolName
    /// The size that it was made for.
    public var family: WidgetFamily
    /// What of it is there.
    public var state: State
    /// Whether it was made for a dimmed display.
    public var isLuminanceReduced: Bool
    /// What is drawn.
    public var root: FrameNode
    /// What renderers add; no part of the frame's form as bytes.
    public var wording = Wording()

    /// - Parameters:
    ///   - configuration: of the widget.
    ///   - family: the size.
    ///   - state: what of it is there.
    ///   - isLuminanceReduced: whether the display is dimmed.
    ///   - root: what is drawn.
    public init(
        _ configuration: WidgetConfiguration, family: WidgetFamily, state: State, isLuminanceReduced: Bool = false,
        root: FrameNode
    ) {
        kind = configuration.kind
        displayName = configuration.displayName
        symbol = configuration.symbol
        self.family = family
        self.state = state
        self.isLuminanceReduced = isLuminanceReduced
        self.root = root
    }
}

/// The same, where another `Frame` is about.
public typealias WidgetFrame = Frame
