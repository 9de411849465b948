extension View {
    /// Marks what is private: it is masked under ``RedactionReasons/privacy``.
    ///
    /// A mask hides the words, their colour and number, the picture and its size, how full a gauge is, whether a toggle
    /// is on, and the labels and links around it. What is still seen of a single view that is marked is:
    ///
    /// - that it is there, and where among its neighbours: several views marked one by one can be counted;
    /// - its sort: text, picture (a symbol looks the same), toggle, or gauge, and of a gauge if it is a bar or a ring;
    /// - of text its font, and so its height; the width is six columns whatever it says.
    ///
    /// If any of these depends on the secret, mark the container: it becomes one mask of a sort of its own, that of
    /// lines and spacers too, and neither the number of its children nor their shape is seen. Views in it that are
    /// marked with `false` are shown before that mask, in their order; then it is also seen what sort of stack they
    /// stand in, its alignment and its spacing. The innermost word counts.
    ///
    ///     HStack {
    ///         Text("Balance").privacySensitive(false)
    ///         Text(balance)
    ///     }
    ///     .privacySensitive()
    ///
    /// It hides when a widget is drawn, and no sooner: on the disk what is marked stands in the open part of the
    /// timeline. What has to be sealed there too belongs into ``Reveal``.
    ///
    /// - Parameter sensitive: false for what can be shown in the middle of what is private.
    public func privacySensitive(_ sensitive: Bool = true) -> Node { .modified(.privacySensitive(sensitive), node) }

    /// Adds reasons to those that hold here.
    public func redacted(reason: RedactionReasons) -> Node { .modified(.redacted(reason), node) }

    /// Takes every reason away that comes from above, ``RedactionReasons/privacy`` too.
    ///
    /// For names and decoration. Around anything private it is refused by ``Redaction/findings(in:)``, and by the host.
    public func unredacted() -> Node { .modified(.unredacted, node) }

    /// Marks what is dimmed while it is being renewed.
    public func invalidatableContent(_ invalidatable: Bool = true) -> Node {
        .modified(.invalidatableContent(invalidatable), node)
    }

    /// What a screen reader says in place of this view; it is gone where the view is masked.
    public func accessibilityLabel(_ label: String) -> Node { .modified(.accessibilityLabel(label), node) }

    /// Where a click leads.
    ///
    /// - Parameter url: absolute; gone where the view is masked.
    public func widgetURL(_ url: String) -> Node { .modified(.link(url), node) }
}

/// Styles of text, said of any view: they hold for all words in it, and may stand before and behind other modifiers.
///
/// The innermost word counts, as with ``View/privacySensitive(_:)``.
///
///     VStack {
///         Text("Next").bold()
///         Text(title).privacySensitive()
///     }
///     .font(.caption)
extension View {
    /// Words in it have this size.
    ///
    /// - Parameter font: for what was given no other one further in.
    public func font(_ font: Font) -> Node { node.styled(.font(font)) }

    /// Words and symbols in it have this colour.
    ///
    /// - Parameter tint: for what was given no other one further in; a symbol that is ``Tint/primary`` counts as such.
    public func foreground(_ tint: Tint) -> Node { node.styled(.tint(tint)) }

    /// Words in it are bold.
    ///
    /// - Parameter isActive: false for words that stay as they are in the middle of bold ones.
    public func bold(_ isActive: Bool = true) -> Node { node.styled(.bold(isActive)) }

    /// Each text in it goes over at most so many lines.
    ///
    /// - Parameter lines: nil and what is below 1 are no limit; what is above 255 counts as 255.
    public func lineLimit(_ lines: Int?) -> Node { node.styled(.lines(lines)) }
}
