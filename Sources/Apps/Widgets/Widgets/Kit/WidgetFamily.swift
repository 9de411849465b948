/// The sizes that a widget comes in.
public enum WidgetFamily: UInt8, CaseIterable, Sendable, Hashable {
    /// A square tile.
    case systemSmall = 0
    /// Two tiles side by side.
    case systemMedium = 1
    /// Four tiles.
    case systemLarge = 2
    /// Eight tiles.
    case systemExtraLarge = 3
    /// One line of text with a symbol, as on a bar.
    case accessoryInline = 4
    /// A small circle.
    case accessoryCircular = 5
    /// A few short lines.
    case accessoryRectangular = 6

    /// As the command line takes it: `systemSmall`, `accessoryInline` and so on.
    public var name: String {
        switch self {
        case .systemSmall: "systemSmall"
        case .systemMedium: "systemMedium"
        case .systemLarge: "systemLarge"
        case .systemExtraLarge: "systemExtraLarge"
        case .accessoryInline: "accessoryInline"
        case .accessoryCircular: "accessoryCircular"
        case .accessoryRectangular: "accessoryRectangular"
        }
    }

    /// - Parameter name: as ``name`` gives it; nil for any other text.
    public init?(name: String) {
        guard let family = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = family
    }

    /// Points a side, at scale 1.
    public var size: (width: Int, height: Int) {
        switch self {
        case .systemSmall: (width: 158, height: 158)
        case .systemMedium: (width: 338, height: 158)
        case .systemLarge: (width: 338, height: 354)
        case .systemExtraLarge: (width: 715, height: 354)
        case .accessoryInline: (width: 234, height: 26)
        case .accessoryCircular: (width: 76, height: 76)
        case .accessoryRectangular: (width: 172, height: 76)
        }
    }

    /// Whether it is one of those for bars and lock screens.
    public var isAccessory: Bool { rawValue >= Self.accessoryInline.rawValue }
}
