/// Where a widget is shown.
public enum WidgetPlacement: UInt8, CaseIterable, Sendable, Hashable {
    /// On the desktop of an unlocked session, where the locker hides it: chosen by whoever knows that, never a default.
    case desktop = 0
    /// Where anybody sees it while the device is locked.
    case lockScreen = 1
    /// On another device.
    case remote = 2

    /// As the command line takes it.
    public var name: String {
        switch self {
        case .desktop: "desktop"
        case .lockScreen: "lockScreen"
        case .remote: "remote"
        }
    }

    /// - Parameter name: as ``name`` gives it; nil for any other text.
    public init?(name: String) {
        guard let placement = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = placement
    }
}

/// What a view may know of how it is drawn.
public struct ViewEnvironment: Equatable, Sendable {
    /// The size that is drawn.
    public var family: WidgetFamily
    /// Where it is shown.
    public var placement: WidgetPlacement
    /// Whether the display is an always-on one, dimmed now: few bright areas, no fast changes.
    public var isLuminanceReduced: Bool
    /// Why content is hidden here, ancestors' ``View/redacted(reason:)`` among it.
    public var redactionReasons: RedactionReasons

    /// - Parameters:
    ///   - family: the size.
    ///   - placement: where; who does not know says nothing, and the strictest holds.
    ///   - isLuminanceReduced: whether the display is dimmed.
    ///   - redactionReasons: why content is hidden.
    public init(
        family: WidgetFamily, placement: WidgetPlacement = .lockScreen, isLuminanceReduced: Bool = false,
        redactionReasons: RedactionReasons = []
    ) {
        self.family = family
        self.placement = placement
        self.isLuminanceReduced = isLuminanceReduced
        self.redactionReasons = redactionReasons
    }

    /// How many environments a family has: a view is archived for each of them.
    static let variantCount = 48

    /// 0 to 47.
    var variant: Int {
        Int(redactionReasons.rawValue) + (isLuminanceReduced ? 8 : 0) + 16 * Int(placement.rawValue)
    }

    /// The same family in another variant.
    func at(variant: Int) -> ViewEnvironment {
        ViewEnvironment(
            family: family, placement: WidgetPlacement(rawValue: UInt8(variant / 16)) ?? placement,
            isLuminanceReduced: variant & 8 != 0, redactionReasons: RedactionReasons(rawValue: UInt8(variant & 7)))
    }
}
