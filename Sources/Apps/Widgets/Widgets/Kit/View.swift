/// A part of a widget.
///
///     struct Balance: View {
///         let entry: WidgetEntry<String, Account>
///         var body: some View {
///             VStack {
///                 Text(entry.content).font(.headline)
///                 Reveal(entry.sealed) { account in
///                     Text(account.amount)
///                 }
///             }
///         }
///     }
public protocol View {
    /// What ``body`` is made of.
    associatedtype Body: View

    /// What this view shows.
    @ViewBuilder var body: Body { get }

    /// This view as a value; views of yours leave it to its default.
    var node: Node { get }
}

extension View {
    /// The body's.
    public var node: Node { body.node }
}

/// A view that is a node itself: it has ``View/node`` in place of a body.
public protocol LeafView: View {}

extension LeafView {
    /// The node.
    public var body: Node { node }
}

extension Node: LeafView {
    /// Itself.
    public var node: Node { self }
}

/// Makes one view of the lines of a body: views, `if`, `switch` and `for`.
@resultBuilder
public enum ViewBuilder {
    /// One view.
    public static func buildExpression(_ view: some View) -> Node { view.node }
    /// All of them.
    public static func buildBlock(_ nodes: Node...) -> Node { nodes.count == 1 ? nodes[0] : .group(nodes) }
    /// An `if` without `else`.
    public static func buildOptional(_ node: Node?) -> Node { .group(node.map { [$0] } ?? []) }
    /// The branch of an `if`.
    public static func buildEither(first: Node) -> Node { .group([first]) }
    /// The branch of an `else`.
    public static func buildEither(second: Node) -> Node { .group([second]) }
    /// A `for`.
    public static func buildArray(_ nodes: [Node]) -> Node { .group(nodes) }
}
