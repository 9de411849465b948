/// A point of time: microseconds since 1970, UTC.
public struct Moment: Comparable, Hashable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public var microseconds: Int64

    /// - Parameter microseconds: since 1970, UTC.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// - Parameter seconds: since 1970, UTC; what is beyond the range of ``microseconds`` becomes its end.
    public init(seconds: Int64) {
        let (product, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000)
        self.init(microseconds: isBeyond ? (seconds < 0 ? .min : .max) : product)
    }

    /// So many seconds later; at the end of time where that is beyond.
    public func advanced(bySeconds seconds: Int64) -> Moment {
        let (sum, isBeyond) = microseconds.addingReportingOverflow(Moment(seconds: seconds).microseconds)
        return Moment(microseconds: isBeyond ? (seconds < 0 ? .min : .max) : sum)
    }

    /// By time.
    public static func < (first: Moment, second: Moment) -> Bool { first.microseconds < second.microseconds }
}

/// What a widget shows from one moment on.
public struct WidgetEntry<Content: Sendable, Secret: Sendable>: Sendable {
    /// From when on.
    public var date: Moment
    /// What everybody may see who sees the widget.
    public var content: Content
    /// What only the owner may see.
    public var sealed: Sealed<Secret>

    /// - Parameters:
    ///   - date: from when on it is shown.
    ///   - content: what everybody may see.
    ///   - sealed: what only the owner may see.
    public init(date: Moment, content: Content, sealed: Sealed<Secret>) {
        self.date = date
        self.content = content
        self.sealed = sealed
    }
}

extension WidgetEntry where Secret == Never {
    /// An entry without secrets.
    ///
    /// - Parameters:
    ///   - date: from when on it is shown.
    ///   - content: what everybody may see.
    public init(date: Moment, content: Content) { self.init(date: date, content: content, sealed: .shut) }
}

/// When a provider is asked again.
public enum ReloadPolicy: Equatable, Sendable {
    /// When the last entry's time has come.
    case atEnd
    /// Not before this moment.
    case after(Moment)
    /// When its app says that something changed, and never by the clock.
    case never
}

/// What a widget will show.
public struct Timeline<Entry: Sendable>: Sendable {
    /// By date, the earliest first; at least one.
    public var entries: [Entry]
    /// When to ask again.
    public var policy: ReloadPolicy

    /// - Parameters:
    ///   - entries: by date.
    ///   - policy: when to ask again.
    public init(_ entries: [Entry], policy: ReloadPolicy) {
        self.entries = entries
        self.policy = policy
    }
}

/// Why a provider has nothing to show.
public enum ProviderFailure: Error, Equatable, Sendable {
    /// What it shows is locked, by a door of its own.
    case locked
    /// There is nothing yet: no note, no diary.
    case empty
    /// Its source does not answer.
    case unavailable
}

/// Gives a widget what it shows.
///
///     import Widgets
///
///     struct Bus: Sendable {
///         var leaves: Moment
///         var line: String
///     }
///
///     /// Where the owner waits, for everybody; for which bus, for the owner alone.
///     struct NextBus: TimelineProvider {
///         let stop: String
///         /// The earliest first.
///         let buses: [Bus]
///
///         func placeholder(in family: WidgetFamily) -> WidgetEntry<String, Bus> {
///             WidgetEntry(date: Moment(seconds: 0), content: "A stop", sealed: .shut)
///         }
///
///         func timeline(
///             in family: WidgetFamily, at now: Moment
///         ) throws(ProviderFailure) -> Timeline<WidgetEntry<String, Bus>> {
///             let coming = buses.filter { $0.leaves > now }
///             guard let last = coming.last else { throw .empty }
///             // Each is the next bus from when the one before it has left.
///             let dates = [now] + coming.dropLast().map { $0.leaves }
///             let entries = zip(dates, coming).map { date, bus in
///                 WidgetEntry(date: date, content: stop, sealed: Sealed(bus))
///             }
///             return Timeline(entries, policy: .after(last.leaves))
///         }
///     }
///
/// The time comes as a parameter, so that a test can ask for any.
public protocol TimelineProvider: Sendable {
    /// What everybody may see who sees the widget.
    associatedtype Content: Sendable
    /// What only the owner may see.
    associatedtype Secret: Sendable

    /// What it looks like in general, made of no one's data.
    ///
    /// - Parameter family: the size.
    /// - Returns: an entry whose secret is ``Sealed/shut``; its date does not count.
    func placeholder(in family: WidgetFamily) -> WidgetEntry<Content, Secret>

    /// What it looks like, for a gallery: the owner's data where it is quickly had, examples where not.
    ///
    /// - Parameters:
    ///   - family: the size.
    ///   - now: the time.
    /// - Returns: one entry; unless you write it, the first of the timeline.
    /// - Throws: ``ProviderFailure`` where there is nothing to show.
    func snapshot(in family: WidgetFamily, at now: Moment) throws(ProviderFailure) -> WidgetEntry<Content, Secret>

    /// What it shows from now on.
    ///
    /// - Parameters:
    ///   - family: the size.
    ///   - now: the time.
    /// - Returns: an entry for each moment at which something else is to be seen, the earliest first, at least one.
    /// - Throws: ``ProviderFailure`` where there is nothing to show.
    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Timeline<WidgetEntry<Content, Secret>>
}

extension TimelineProvider {
    /// The first entry of the timeline.
    public func snapshot(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> WidgetEntry<Content, Secret> {
        guard let entry = try timeline(in: family, at: now).entries.first else { throw .empty }
        return entry
    }
}
