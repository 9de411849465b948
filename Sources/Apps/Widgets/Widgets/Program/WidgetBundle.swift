/// A program that provides widgets.
///
///     import WidgetProgram
///
///     @main struct Mine: WidgetBundle {
///         var body: WidgetList {
///             Weather()
///             Trains()
///         }
///     }
///
/// With the module WidgetProgram it is a whole program: the host starts it, asks it one thing, and it ends.
public protocol WidgetBundle: Sendable {
    /// Made once a request.
    init()

    /// Its widgets, each in a line.
    @WidgetListBuilder var body: WidgetList { get }
}

/// Widgets of any types.
public struct WidgetList: Sendable {
    /// One of them, its type forgotten.
    struct Entry: Sendable {
        let configuration: WidgetConfiguration
        let timeline: @Sendable ([WidgetFamily], Moment) throws(ProviderFailure) -> TimelineArchive
        let placeholder: @Sendable (WidgetFamily) -> Node
    }

    let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    /// One widget.
    init(_ widget: some Widget) {
        entries = [
            Entry(
                configuration: widget.configuration,
                timeline: { (families, now) throws(ProviderFailure) in
                    try Narrowed(widget, to: families).archive(at: now)
                },
                placeholder: { widget.placeholder(in: $0) })
        ]
    }

    /// What each of them is, in their order.
    public var configurations: [WidgetConfiguration] { entries.map { $0.configuration } }
}

/// Makes a list of the lines of a bundle's body: widgets, `if` and `for`.
@resultBuilder
public enum WidgetListBuilder {
    /// One widget.
    public static func buildExpression(_ widget: some Widget) -> WidgetList { WidgetList(widget) }
    /// A list.
    public static func buildExpression(_ list: WidgetList) -> WidgetList { list }
    /// All of them.
    public static func buildBlock(_ lists: WidgetList...) -> WidgetList { buildArray(lists) }
    /// An `if` without `else`.
    public static func buildOptional(_ list: WidgetList?) -> WidgetList { list ?? WidgetList([]) }
    /// The branch of an `if`.
    public static func buildEither(first: WidgetList) -> WidgetList { first }
    /// The branch of an `else`.
    public static func buildEither(second: WidgetList) -> WidgetList { second }
    /// A `for`.
    public static func buildArray(_ lists: [WidgetList]) -> WidgetList { WidgetList(lists.flatMap { $0.entries }) }
}

/// A widget in fewer sizes: a host asks for those that it shows.
private struct Narrowed<Base: Widget>: Widget {
    private let base: Base
    let configuration: WidgetConfiguration

    init(_ base: Base, to families: [WidgetFamily]) {
        self.base = base
        var configuration = base.configuration
        configuration.families = configuration.families.filter { families.contains($0) }
        self.configuration = configuration
    }

    var provider: Base.Provider { base.provider }

    func body(
        _ entry: WidgetEntry<Base.Provider.Content, Base.Provider.Secret>, in family: WidgetFamily
    ) -> Node { base.body(entry, in: family).node }
}
