/// Views as if they stood in their parent: to say something of all of them at once.
///
///     VStack {
///         Text("Today").font(.headline)
///         Group {
///             Text(weather)
///             Text(appointment).privacySensitive()
///         }
///         .font(.caption)
///     }
///
/// Marked as private it is a container like a stack: one mask for all of it.
public struct Group: LeafView, Sendable {
    private let nodes: [Node]

    /// - Parameter content: the views.
    public init(@ViewBuilder content: () -> some View) {
        // Also of one view: a mask that takes after the view in it could tell what sort it is.
        if case .group(let nodes) = content().node { self.nodes = nodes } else { nodes = [content().node] }
    }

    /// Its views, without a stack around them.
    public var node: Node { .group(nodes) }
}

/// A view for each element of a sequence: what a `for` in the body gives.
///
///     VStack {
///         ForEach(tasks.prefix(3)) { task in
///             Text(task.title).lineLimit(1)
///         }
///     }
///
/// Elements need no identity: a timeline holds each entry's view as a whole, and nothing is moved from one to the next.
public struct ForEach: LeafView, Sendable {
    private let nodes: [Node]

    /// - Parameters:
    ///   - elements: in the order of their views.
    ///   - content: the view of one.
    public init<Elements: Sequence>(
        _ elements: Elements, @ViewBuilder content: (Elements.Element) -> some View
    ) {
        nodes = elements.map { content($0).node }
    }

    /// Its views, without a stack around them.
    public var node: Node { .group(nodes) }
}
