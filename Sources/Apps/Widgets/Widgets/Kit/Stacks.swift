/// Views side by side.
public struct HStack: LeafView, Sendable {
    private let content: Node

    /// - Parameters:
    ///   - alignment: where they stand between top and bottom.
    ///   - spacing: points between them, 0 to 255; what is beyond counts as the nearest of these.
    ///   - content: the views.
    public init(
        alignment: VerticalAlignment = .center, spacing: Int = 6, @ViewBuilder _ content: () -> some View
    ) {
        self.content = .stack(
            .horizontal, alignment.alignment, spacing: UInt8(clamping: spacing), content().node.children)
    }

    /// One node.
    public var node: Node { content }
}

/// Views one below the other.
public struct VStack: LeafView, Sendable {
    private let content: Node

    /// - Parameters:
    ///   - alignment: where they stand between left and right.
    ///   - spacing: points between them, 0 to 255; what is beyond counts as the nearest of these.
    ///   - content: the views.
    public init(alignment: Alignment = .leading, spacing: Int = 4, @ViewBuilder _ content: () -> some View) {
        self.content = .stack(.vertical, alignment, spacing: UInt8(clamping: spacing), content().node.children)
    }

    /// One node.
    public var node: Node { content }
}

/// Views one above the other, the last on top.
public struct ZStack: LeafView, Sendable {
    private let content: Node

    /// - Parameters:
    ///   - alignment: where they stand between left and right; between top and bottom they stand in the middle.
    ///   - content: the views.
    public init(alignment: Alignment = .center, @ViewBuilder _ content: () -> some View) {
        self.content = .stack(.depth, alignment, spacing: 0, content().node.children)
    }

    /// One node.
    public var node: Node { content }
}

extension Node {
    /// A group's nodes, else the node alone.
    var children: [Node] {
        guard case .group(let nodes) = self else { return [self] }
        return nodes.flatMap { $0.children }
    }
}
