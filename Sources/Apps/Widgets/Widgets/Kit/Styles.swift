/// Sizes of text.
public enum Font: UInt8, CaseIterable, Sendable {
    /// 12 points.
    case caption = 0
    /// 15 points.
    case body = 1
    /// 15 points, bold.
    case headline = 2
    /// 20 points.
    case title = 3
    /// 30 points.
    case largeTitle = 4
    /// 15 points, every character of the same width: codes and figures.
    case monospaced = 5

    /// Points.
    public var size: Int {
        switch self {
        case .caption: 12
        case .body, .headline, .monospaced: 15
        case .title: 20
        case .largeTitle: 30
        }
    }
}

/// Colours by their meaning: each host has its own for them.
public enum Tint: UInt8, CaseIterable, Sendable {
    /// What is read first.
    case primary = 0
    /// What stands behind.
    case secondary = 1
    /// The product's own.
    case accent = 2
    /// Well.
    case positive = 3
    /// Worth a look.
    case warning = 4
    /// Wrong.
    case critical = 5

    /// As HTML classes and JSON say it.
    public var name: String {
        switch self {
        case .primary: "primary"
        case .secondary: "secondary"
        case .accent: "accent"
        case .positive: "positive"
        case .warning: "warning"
        case .critical: "critical"
        }
    }
}

/// Which way a stack goes.
public enum Axis: UInt8, CaseIterable, Sendable {
    /// Side by side.
    case horizontal = 0
    /// One below the other.
    case vertical = 1
    /// One above the other, towards the viewer.
    case depth = 2
}

/// Where the children of a stack stand across its axis.
public enum Alignment: UInt8, CaseIterable, Sendable {
    /// Left, or top.
    case leading = 0
    /// In the middle.
    case center = 1
    /// Right, or bottom.
    case trailing = 2
}

/// Where the children of an ``HStack`` stand across it: ``Alignment`` by the names of this axis.
public enum VerticalAlignment: CaseIterable, Sendable {
    /// At the top.
    case top
    /// In the middle.
    case center
    /// At the bottom.
    case bottom

    /// As nodes have it.
    var alignment: Alignment {
        switch self {
        case .top: .leading
        case .center: .center
        case .bottom: .trailing
        }
    }
}

/// How a gauge is drawn.
public enum GaugeStyle: UInt8, CaseIterable, Sendable {
    /// A bar.
    case linear = 0
    /// A ring.
    case circular = 1
}
