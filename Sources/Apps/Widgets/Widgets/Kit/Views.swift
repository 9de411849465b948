/// Words.
///
/// Each style can be said of any other view too, and then holds for the words in it; what is said of the words
/// themselves counts more.
///
///     Text(title).font(.headline).privacySensitive().lineLimit(1)
public struct Text: LeafView, Sendable {
    private var run: TextRun

    /// - Parameter content: what it says.
    public init(_ content: String) { run = TextRun(content) }

    /// Of this size.
    ///
    /// - Parameter font: unless the text has been given one already.
    public func font(_ font: Font) -> Text { styled(.font(font)) }

    /// Of this colour.
    ///
    /// - Parameter tint: unless the text has been given one already.
    public func foreground(_ tint: Tint) -> Text { styled(.tint(tint)) }

    /// In bold.
    ///
    /// - Parameter isActive: false for words that stay as they are in the middle of bold ones.
    public func bold(_ isActive: Bool = true) -> Text { styled(.bold(isActive)) }

    /// Over at most so many lines.
    ///
    /// - Parameter lines: nil and what is below 1 are no limit; what is above 255 counts as 255.
    public func lineLimit(_ lines: Int?) -> Text { styled(.lines(lines)) }

    /// One node.
    public var node: Node { .text(run) }

    private func styled(_ style: TextStyle) -> Text {
        var copy = self
        copy.run = run.styled(style)
        return copy
    }
}

/// A picture.
public struct Image: LeafView, Sendable {
    private let picture: Picture

    /// - Parameters:
    ///   - file: a PNG or JPEG.
    ///   - width: points, from 1 to 1000; a timeline with any other is refused.
    ///   - height: points, from 1 to 1000.
    ///   - label: what it shows, in words; empty for decoration.
    public init(_ file: [UInt8], width: Int, height: Int, label: String = "") {
        picture = Picture(file, width: UInt16(clamping: width), height: UInt16(clamping: height), label: label)
    }

    /// One node.
    public var node: Node { .image(picture) }
}

/// One of the pictures that every renderer has.
public struct Symbol: LeafView, Sendable {
    private let name: SymbolName
    private let tint: Tint

    /// - Parameters:
    ///   - name: which.
    ///   - tint: its colour.
    public init(_ name: SymbolName, tint: Tint = .primary) {
        self.name = name
        self.tint = tint
    }

    /// One node.
    public var node: Node { .symbol(name, tint) }
}

/// How far something has come.
public struct Gauge: LeafView, Sendable {
    private let style: GaugeStyle
    private let value: GaugeValue
    private let label: Node

    /// - Parameters:
    ///   - value: how much there is.
    ///   - total: how much there could be.
    ///   - style: a bar or a ring.
    ///   - label: what stands beside a bar or in a ring.
    public init(
        _ value: Int, of total: Int, style: GaugeStyle = .linear, @ViewBuilder label: () -> some View = { EmptyView() }
    ) {
        self.style = style
        self.value = GaugeValue(value, of: total)
        self.label = label().node
    }

    /// One node.
    public var node: Node { .gauge(style, value, label: label) }
}

/// Something that is on or off.
///
/// To mark its label alone as private leaves its state to be seen; mark the toggle.
public struct Toggle: LeafView, Sendable {
    private let isOn: Bool
    private let label: Node

    /// - Parameters:
    ///   - isOn: its state.
    ///   - label: what it is.
    public init(isOn: Bool, @ViewBuilder label: () -> some View) {
        self.isOn = isOn
        self.label = label().node
    }

    /// One node.
    public var node: Node { .toggle(isOn: isOn, label: label) }
}

/// Nothing.
public struct EmptyView: LeafView, Sendable {
    /// Nothing.
    public init() {}
    /// An empty group.
    public var node: Node { .group([]) }
}

/// A line across its stack.
public struct Divider: LeafView, Sendable {
    /// A line.
    public init() {}
    /// One node.
    public var node: Node { .divider }
}

/// Takes what room is left along its stack.
public struct Spacer: LeafView, Sendable {
    /// Room.
    public init() {}
    /// One node.
    public var node: Node { .spacer }
}

/// A view that depends on how it is drawn, as on ``ViewEnvironment/redactionReasons``.
///
///     EnvironmentReader { environment in
///         if environment.redactionReasons.contains(.privacy) {
///             Text("3 notes")
///         } else {
///             Text(title).privacySensitive()
///         }
///     }
///
/// Its closure runs when the widget is archived, once for each variant of the environment, and has to give the same for
/// the same.
public struct EnvironmentReader: LeafView, Sendable {
    private let content: @Sendable (ViewEnvironment) -> Node

    /// - Parameter content: the view in an environment.
    public init(@ViewBuilder _ content: @escaping @Sendable (ViewEnvironment) -> Node) {
        self.content = content
    }

    /// One node.
    public var node: Node { .reader(content) }
}
