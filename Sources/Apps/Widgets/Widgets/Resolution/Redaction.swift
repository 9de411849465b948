/// Takes out of a view what must not be seen: the only way from a ``Node`` to a ``FrameNode``.
///
/// A view is masked where ``RedactionReasons/placeholder`` holds, and where ``RedactionReasons/privacy`` holds and it
/// is private. Masks over what is private are all of one width. A private container is one mask, behind those views in
/// it that say they are not private, so that nobody can count the others.
public struct Redaction {
    /// Something in a view that shows more than its author may think.
    public enum Finding: Equatable, Sendable {
        /// ``View/unredacted()`` around something private.
        case unredactedPrivateView
    }

    private var hasFinding = false
    /// How often something was hidden so far: a label or a link around it would speak of it.
    private var hidden = 0

    private init() {}

    /// What of a view is drawn in an environment.
    ///
    /// - Parameters:
    ///   - view: the view.
    ///   - environment: with the reasons that hold for the whole widget.
    public static func resolve(_ view: some View, in environment: ViewEnvironment) -> FrameNode {
        var redaction = Redaction()
        return redaction.resolve(view.node, Surroundings(environment)).only
    }

    /// What a view shows that its author has to think about; hosts refuse a view with any.
    ///
    /// - Parameters:
    ///   - view: with its secrets, or with others of the same form.
    ///   - family: the size that it was made for.
    public static func findings(in view: some View, family: WidgetFamily) -> [Finding] {
        let node = view.node
        var redaction = Redaction()
        // All of them: a reader may lift a reason in one environment alone.
        for variant in 0..<ViewEnvironment.variantCount {
            _ = redaction.resolve(node, Surroundings(ViewEnvironment(family: family).at(variant: variant)))
        }
        return redaction.hasFinding ? [.unredactedPrivateView] : []
    }

    private mutating func resolve(_ node: Node, _ surroundings: Surroundings) -> [FrameNode] {
        switch node {
        case .modified(let modifier, let inner): return resolve(modifier, inner, surroundings)
        case .sealed(let content, let placeholder): return resolveSealed(content, placeholder, surroundings)
        default: break
        }
        if surroundings.isPrivate && surroundings.hasLifted { hasFinding = true }
        if surroundings.isPrivate && surroundings.hides { return conceal(node, surroundings) }
        switch node {
        case .group(let nodes): return nodes.flatMap { resolve($0, surroundings) }
        case .reader, .choice:
            // Its branch may stand in place of what is private in another.
            if !surroundings.reasons.isDisjoint(with: .hiding) { hidden += 1 }
            return node.branch(in: surroundings.environment).map { resolve($0, surroundings) } ?? []
        case .stack(let axis, let alignment, let spacing, let nodes):
            return [.stack(axis, alignment, spacing: spacing, nodes.flatMap { resolve($0, surroundings) })]
        case .divider: return [.divider]
        case .spacer: return [.spacer]
        default: return [resolveLeaf(node, surroundings)]
        }
    }

    private mutating func resolve(
        _ modifier: Modifier, _ inner: Node, _ surroundings: Surroundings
    ) -> [FrameNode] {
        let hiddenBefore = hidden
        let content = resolve(inner, surroundings.inside(modifier))
        let isSeen = !surroundings.hides && hidden == hiddenBefore
        switch modifier {
        case .accessibilityLabel(let label): return isSeen ? [.labelled(label, content.only)] : content
        case .link(let url): return isSeen ? [.link(url, content.only)] : content
        case .privacySensitive, .redacted, .unredacted, .invalidatableContent: return content
        }
    }

    private mutating func resolveSealed(
        _ content: Node?, _ placeholder: Node, _ surroundings: Surroundings
    ) -> [FrameNode] {
        if surroundings.hasLifted { hasFinding = true }
        let inside = surroundings.inside(.privacySensitive(true))
        // Without its content there is nothing to show, whatever the reasons are.
        guard let content, !inside.hides else {
            hidden += 1
            return resolve(placeholder, surroundings.inside(.redacted(.placeholder)))
        }
        return resolve(content, inside)
    }

    private mutating func resolveLeaf(_ node: Node, _ surroundings: Surroundings) -> FrameNode {
        if surroundings.hides {
            hidden += 1
            return .mask(node.mask(isPrivate: false))
        }
        let isDimmed = surroundings.isDimmed
        switch node {
        case .text(let run): return .text(run, isDimmed: isDimmed)
        case .image(let picture): return .image(picture, isDimmed: isDimmed)
        case .symbol(let name, let tint): return .symbol(name, tint, isDimmed: isDimmed)
        case .gauge(let style, let value, let label):
            return .gauge(style, value, label: resolve(label, surroundings).only, isDimmed: isDimmed)
        case .toggle(let isOn, let label):
            return .toggle(isOn: isOn, label: resolve(label, surroundings).only, isDimmed: isDimmed)
        default: return .empty
        }
    }

    /// One mask in place of something private, behind what in it says that it is to be seen.
    private mutating func conceal(_ node: Node, _ surroundings: Surroundings) -> [FrameNode] {
        hidden += 1
        let mask = FrameNode.mask(node.mask(isPrivate: true))
        let exceptions = exceptions(in: node, surroundings)
        if case .stack(let axis, let alignment, let spacing, _) = node, !exceptions.isEmpty {
            return [.stack(axis, alignment, spacing: spacing, exceptions + [mask])]
        }
        return exceptions + [mask]
    }

    /// What in something private says that it is to be seen, in its order, without what stands around it.
    private mutating func exceptions(in node: Node, _ surroundings: Surroundings) -> [FrameNode] {
        switch node {
        case .modified(let modifier, let inner):
            let inside = surroundings.inside(modifier)
            if inside.isPrivate && inside.hasLifted { hasFinding = true }
            return inside.isPrivate && inside.hides ? exceptions(in: inner, inside) : resolve(inner, inside)
        case .stack(_, _, _, let nodes), .group(let nodes): return nodes.flatMap { exceptions(in: $0, surroundings) }
        case .reader, .choice:
            return node.branch(in: surroundings.environment).map { exceptions(in: $0, surroundings) } ?? []
        case .sealed(_, let placeholder):
            return exceptions(in: placeholder, surroundings.inside(.redacted(.placeholder)))
        case .text, .image, .symbol, .gauge, .toggle, .divider, .spacer: return []
        }
    }
}

extension [FrameNode] {
    /// One node; several stand below each other.
    fileprivate var only: FrameNode { count == 1 ? self[0] : .stack(.vertical, .leading, spacing: 4, self) }
}

extension FrameNode {
    /// Whether something in it is masked.
    public var hasMask: Bool {
        switch self {
        case .mask: true
        case .text, .image, .symbol, .divider, .spacer: false
        case .gauge(_, _, let label, _), .toggle(_, let label, _): label.hasMask
        case .stack(_, _, _, let nodes): nodes.contains { $0.hasMask }
        case .labelled(_, let node), .link(_, let node): node.hasMask
        }
    }
}
