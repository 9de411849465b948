/// When what a widget shows can be read, as a file of this class can.
///
/// See Apple's *Platform Security*, "Data Protection classes", and `NSFileProtection` for widget extensions.
public enum WidgetProtection: UInt8, CaseIterable, Sendable {
    /// Always.
    case none = 0
    /// From the first unlock after a start on.
    case completeUntilFirstUserAuthentication = 1
    /// While the device is unlocked; a provider that began then may finish later.
    case completeUnlessOpen = 2
    /// While the device is unlocked.
    case complete = 3

    /// As JSON and the command line say it.
    public var name: String {
        switch self {
        case .none: "none"
        case .completeUntilFirstUserAuthentication: "completeUntilFirstUserAuthentication"
        case .completeUnlessOpen: "completeUnlessOpen"
        case .complete: "complete"
        }
    }

    /// - Parameter name: as ``name`` gives it; nil for any other text.
    public init?(name: String) {
        guard let protection = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = protection
    }
}

/// What a widget is.
public struct WidgetConfiguration: Equatable, Sendable {
    /// Its name for programs: letters, digits, `-` and `.`, at most 64.
    public var kind: String
    /// Its name for people, which also stands where nothing else may.
    public var displayName: String
    /// What it shows, in a sentence.
    public var summary: String
    /// Stands for it in small places.
    public var symbol: SymbolName
    /// The sizes that it comes in.
    public var families: [WidgetFamily]
    /// When what it shows can be read.
    public var protection: WidgetProtection

    /// - Parameters:
    ///   - kind: its name for programs.
    ///   - displayName: its name for people.
    ///   - summary: what it shows.
    ///   - symbol: stands for it.
    ///   - families: its sizes.
    ///   - protection: when it can be read.
    public init(
        kind: String, displayName: String, summary: String, symbol: SymbolName, families: [WidgetFamily],
        protection: WidgetProtection
    ) {
        self.kind = kind
        self.displayName = displayName
        self.summary = summary
        self.symbol = symbol
        self.families = families
        self.protection = protection
    }

    /// Whether a text can be the kind of a widget.
    public static func isKind(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || byte == 0x2d || byte == 0x2e
            } && text.utf8.first != 0x2e
    }
}

/// A widget: what it is, where its entries come from, what they look like.
///
///     import Widgets
///
///     /// How many parcels come today, for everybody; who sent them, for the owner alone.
///     struct Parcels: Widget {
///         let configuration = WidgetConfiguration(
///             kind: "parcels", displayName: "Parcels", summary: "What is delivered today.", symbol: .square,
///             families: [.systemSmall, .accessoryInline], protection: .completeUntilFirstUserAuthentication)
///         let provider = ParcelProvider()
///
///         func body(_ entry: WidgetEntry<Int, [String]>, in family: WidgetFamily) -> some View {
///             VStack {
///                 Text("\(entry.content) today").font(.headline)
///                 if family == .systemSmall {
///                     Reveal(entry.sealed) { senders in
///                         ForEach(senders) { Text($0).lineLimit(1) }
///                     }
///                 }
///             }
///         }
///     }
///
///     struct ParcelProvider: TimelineProvider {
///         func placeholder(in family: WidgetFamily) -> WidgetEntry<Int, [String]> {
///             WidgetEntry(date: Moment(seconds: 0), content: 0, sealed: .shut)
///         }
///
///         func timeline(
///             in family: WidgetFamily, at now: Moment
///         ) throws(ProviderFailure) -> Timeline<WidgetEntry<Int, [String]>> {
///             let senders = ["The bookshop", "Aunt Ada"]
///             let entry = WidgetEntry(date: now, content: senders.count, sealed: Sealed(senders))
///             return Timeline([entry], policy: .after(now.advanced(bySeconds: 3600)))
///         }
///     }
///
/// A ``WidgetBundle`` makes a program of it.
public protocol Widget: Sendable {
    /// Gives its entries.
    associatedtype Provider: TimelineProvider
    /// What an entry looks like.
    associatedtype Body: View

    /// What it is.
    var configuration: WidgetConfiguration { get }
    /// Gives its entries.
    var provider: Provider { get }

    /// What an entry looks like.
    ///
    /// - Parameters:
    ///   - entry: the entry.
    ///   - family: the size, one of the configuration's.
    /// - Returns: the same for the same: it is called when the provider was asked, not when the widget is drawn.
    @ViewBuilder func body(
        _ entry: WidgetEntry<Provider.Content, Provider.Secret>, in family: WidgetFamily
    ) -> Body
}
