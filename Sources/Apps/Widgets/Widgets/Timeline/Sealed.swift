/// What only the owner may see of an entry.
///
/// There is no way to its value but ``Reveal``: what a body shows, and the shape of it, cannot depend on a secret by
/// accident. Hosts seal it under the key of the widget's protection class, and hand a locked render none.
public struct Sealed<Secret: Sendable>: Sendable {
    fileprivate let value: Secret?

    /// - Parameter value: the secret.
    public init(_ value: Secret) { self.value = value }

    private init() { value = nil }

    /// None: for placeholders, and where there is nothing.
    public static var shut: Sealed { Sealed() }
}

/// Shows a secret where it may be seen, and something else where not.
///
///     Reveal(entry.sealed) { note in
///         Text(note.title)
///     }
///
/// What it shows counts as ``View/privacySensitive(_:)``. The placeholder is drawn under
/// ``RedactionReasons/placeholder``: as a mask of its own width, but for what is ``View/unredacted()`` in it.
///
///     Reveal(entry.sealed) { note in
///         Text(note.title)
///     } placeholder: {
///         Text("A note").unredacted()
///     }
public struct Reveal: LeafView, Sendable {
    private let content: Node?
    private let placeholder: Node

    /// - Parameters:
    ///   - sealed: the secret.
    ///   - content: the view of it.
    ///   - placeholder: what is masked in its place.
    public init<Secret>(
        _ sealed: Sealed<Secret>, @ViewBuilder content: (Secret) -> some View,
        @ViewBuilder placeholder: () -> some View
    ) {
        self.content = sealed.value.map { content($0).node }
        self.placeholder = placeholder().node
    }

    /// A secret of one line, and in its place the mask that every private text has.
    ///
    /// - Parameters:
    ///   - sealed: the secret.
    ///   - content: the view of it; where it is more than a line, a placeholder of the same form keeps the widget from
    ///     moving when it is unlocked.
    public init<Secret>(_ sealed: Sealed<Secret>, @ViewBuilder content: (Secret) -> some View) {
        self.init(sealed, content: content) {
            // Nobody reads these words: a placeholder's are masked, and count by their width alone.
            Text(String(repeating: "–", count: Int(Mask.privateColumns)))
        }
    }

    /// One node.
    public var node: Node { .sealed(content, placeholder: placeholder) }
}
