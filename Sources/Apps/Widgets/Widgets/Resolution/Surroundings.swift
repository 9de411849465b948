/// What ancestors have said of a view.
struct Surroundings {
    var environment: ViewEnvironment
    private(set) var isPrivate = false
    private var isInvalidatable = false
    /// Whether an ``View/unredacted()`` has taken a reason away that hides.
    private(set) var hasLifted = false

    init(_ environment: ViewEnvironment) { self.environment = environment }

    var reasons: RedactionReasons { environment.redactionReasons }
    /// Whether what stands here is masked.
    var hides: Bool { reasons.contains(.placeholder) || (reasons.contains(.privacy) && isPrivate) }
    var isDimmed: Bool { reasons.contains(.invalidated) && isInvalidatable }

    /// What holds for the view that a modifier is said of.
    func inside(_ modifier: Modifier) -> Surroundings {
        var inside = self
        switch modifier {
        case .privacySensitive(let isPrivate): inside.isPrivate = isPrivate
        case .redacted(let reasons):
            inside.environment.redactionReasons.formUnion(reasons)
            // What was lifted is down again: nothing private can be seen below.
            if !reasons.isDisjoint(with: .hiding) { inside.hasLifted = false }
        case .unredacted:
            inside.hasLifted = hasLifted || !reasons.isDisjoint(with: .hiding)
            inside.environment.redactionReasons = []
        case .invalidatableContent(let isInvalidatable): inside.isInvalidatable = isInvalidatable
        case .accessibilityLabel, .link: break
        }
        return inside
    }
}

extension RedactionReasons {
    /// Those that can hide something.
    static let hiding: RedactionReasons = [.placeholder, .privacy]
}
