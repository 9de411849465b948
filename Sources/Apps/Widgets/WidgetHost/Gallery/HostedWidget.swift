import Widgets
import Wire

/// Where what a widget shows comes from, and so what may change it.
enum WidgetSource: Equatable, Sendable {
    case notes
    /// Behind a door of its own: what came from it goes when the diary locks.
    case diary
    case keychain
    /// The device's lock state, which this program knows by itself.
    case device
    /// A program of somebody else's, by its file.
    case program(String)
}

/// One widget, whatever it is written with.
struct HostedWidget: Sendable {
    let configuration: WidgetConfiguration
    let source: WidgetSource
    /// Whether its class follows the owner's choice of what a locked device shows.
    var followsChoice = false
    /// Whether each of its entries is good at its time alone: nothing from before a start is shown.
    var isMomentary = false
    /// What stands where nothing may be shown.
    let placeholder: @Sendable (WidgetFamily) -> Node
    /// What it shows from now on; asks other programs, and may take its time.
    let archive: @Sendable (Moment) throws(ProviderFailure) -> TimelineArchive

    init<W: Widget>(_ widget: W, source: WidgetSource, isMomentary: Bool = false) {
        self.init(widget, source, widget.configuration)
        self.isMomentary = isMomentary
    }

    /// A widget whose class the owner chose: complete, or, where a locked device may show it,
    /// completeUntilFirstUserAuthentication.
    ///
    /// What is sealed for a locked device is sealed to a key that such a device has; so it is not where nothing of it
    /// is shown.
    init<W: Widget>(_ widget: W, source: WidgetSource, isShownWhenLocked: Bool) {
        var configuration = widget.configuration
        configuration.protection = isShownWhenLocked ? .completeUntilFirstUserAuthentication : .complete
        self.init(widget, source, configuration)
        followsChoice = true
    }

    private init<W: Widget>(_ widget: W, _ source: WidgetSource, _ configuration: WidgetConfiguration) {
        self.configuration = configuration
        self.source = source
        placeholder = { widget.placeholder(in: $0) }
        archive = { (now) throws(ProviderFailure) in try widget.archive(at: now) }
    }

    init(
        _ configuration: WidgetConfiguration, source: WidgetSource,
        placeholder: @escaping @Sendable (WidgetFamily) -> Node,
        archive: @escaping @Sendable (Moment) throws(ProviderFailure) -> TimelineArchive
    ) {
        self.configuration = configuration
        self.source = source
        self.placeholder = placeholder
        self.archive = archive
    }

    var kind: String { configuration.kind }
}
