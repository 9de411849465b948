/// In which environments one of two views is shown: what ``EnvironmentReader`` is to programs that send JSON.
package struct ViewCondition: Sendable {
    /// At least one of them has to hold; none where they do not matter.
    package var reasons: RedactionReasons = []
    /// How the display has to be; nil where it does not matter.
    package var isLuminanceReduced: Bool?
    /// One of them it has to be; none where it does not matter.
    package var placements: [WidgetPlacement] = []

    package init() {}

    /// How many environments a ``Node/choice(_:_:)`` tells apart.
    package static let variantCount = ViewEnvironment.variantCount

    /// Whether these are what a ``Node/choice(_:_:)`` of so many views has: archives know no other form.
    package static func isChoice(_ indices: [UInt8], of count: Int) -> Bool { indices.isChoice(of: count) }

    /// The view that is `first` where the condition holds, and `second` elsewhere.
    package func choice(_ first: Node, else second: Node) -> Node {
        let anything = ViewEnvironment(family: .systemSmall)
        let isFirst = (0..<Self.variantCount).map { holds(in: anything.at(variant: $0)) }
        guard isFirst.contains(true) else { return second }
        guard isFirst.contains(false) else { return first }
        // Views are numbered as they come up.
        let indices = isFirst.map { $0 == isFirst[0] ? UInt8(0) : 1 }
        return .choice(indices, isFirst[0] ? [first, second] : [second, first])
    }

    private func holds(in environment: ViewEnvironment) -> Bool {
        (reasons.isEmpty || !environment.redactionReasons.isDisjoint(with: reasons))
            && (isLuminanceReduced ?? environment.isLuminanceReduced) == environment.isLuminanceReduced
            && (placements.isEmpty || placements.contains(environment.placement))
    }
}
