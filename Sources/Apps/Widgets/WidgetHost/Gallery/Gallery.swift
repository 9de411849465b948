import Widgets
import Wire

/// Every widget that there is: ours, and those of programs of others.
struct Gallery {
    private let widgets: [HostedWidget]

    /// - Parameters:
    ///   - catalog: of programs of others; ours come first, and no other takes a kind of theirs.
    ///   - settings: what the owner chose; nil where that cannot be read yet.
    init(home: Home, catalog: Catalog?, settings: WidgetSettings?) {
        let ours = Self.ours(home, isShownWhenLocked: settings?.allowsAccessWhenLocked == true)
        let kinds = ours.map(\.kind)
        let others = catalog?.widgets(builtInKinds: kinds) ?? []
        widgets = ours + others.filter { !kinds.contains($0.kind) }
    }

    static func builtInKinds(_ home: Home) -> [String] {
        ours(home, isShownWhenLocked: false).map(\.kind)
    }

    private static func ours(_ home: Home, isShownWhenLocked: Bool) -> [HostedWidget] {
        func notes(_ widget: some Widget) -> HostedWidget {
            HostedWidget(widget, source: .notes, isShownWhenLocked: isShownWhenLocked)
        }
        return [
            HostedWidget(LockStateWidget(), source: .device),
            notes(RecentNotes(home: home, selection: .recent, isShownWhenLocked: isShownWhenLocked)),
            notes(RecentNotes(home: home, selection: .pinned, isShownWhenLocked: isShownWhenLocked)),
            notes(Checklists(home: home, isShownWhenLocked: isShownWhenLocked)),
            HostedWidget(HealthWidget(home: home), source: .keychain, isShownWhenLocked: isShownWhenLocked),
            // Whoever reads a code can use it, and the diary has a door of its own, which a lock shuts: never.
            HostedWidget(CodesWidget(home: home), source: .keychain, isMomentary: true),
            HostedWidget(OnThisDayWidget(home: home), source: .diary),
            HostedWidget(WritingDays(home: home), source: .diary),
        ]
    }

    /// By kind.
    var all: [HostedWidget] { widgets.sorted { $0.kind < $1.kind } }

    func widget(_ kind: String) -> HostedWidget? { widgets.first { $0.kind == kind } }
}
