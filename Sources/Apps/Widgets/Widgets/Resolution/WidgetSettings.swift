/// Which widgets hide what is private on an always-on display.
public enum HiddenKinds: Equatable, Sendable {
    /// None.
    case none
    /// All.
    case all
    /// Those of these kinds.
    case some([String])

    /// Whether a kind hides.
    public func contains(_ kind: String) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .some(let kinds): kinds.contains(kind)
        }
    }
}

/// What the owner chose for all widgets.
public struct WidgetSettings: Equatable, Sendable {
    /// Whether widgets show what is private while the device is locked.
    ///
    /// Apple's documented default is on; ours is off.
    public var allowsAccessWhenLocked: Bool
    /// What hides on an always-on display, by placement.
    public var hiddenOnAlwaysOn: [HiddenKinds]

    /// - Parameters:
    ///   - allowsAccessWhenLocked: whether private content is shown while locked.
    ///   - hiddenOnAlwaysOn: what hides on always-on displays, everywhere.
    public init(allowsAccessWhenLocked: Bool = false, hiddenOnAlwaysOn: HiddenKinds = .all) {
        self.allowsAccessWhenLocked = allowsAccessWhenLocked
        self.hiddenOnAlwaysOn = WidgetPlacement.allCases.map { _ in hiddenOnAlwaysOn }
    }

    /// What hides at a placement.
    public subscript(placement: WidgetPlacement) -> HiddenKinds {
        get { hiddenOnAlwaysOn[Int(placement.rawValue)] }
        set { hiddenOnAlwaysOn[Int(placement.rawValue)] = newValue }
    }
}
