import Widgets
import Wire

/// Every widget that there is: ours, and those of programs of others.
struct Gallery {
    private let widgets: [HostedWidget]

    /// - Parameter catalog: of programs of others; ours come first, and no other takes a kind of theirs.
    init(home: Home, catalog: Catalog?) {
        let ours = Self.ours(home)
        let kinds = ours.map(\.kind)
        let others = catalog?.widgets(builtInKinds: kinds) ?? []
        widgets = ours + others.filter { !kinds.contains($0.kind) }
    }

    static func builtInKinds(_ home: Home) -> [String] { ours(home).map(\.kind) }

    private static func ours(_ home: Home) -> [HostedWidget] {
        [
            HostedWidget(LockStateWidget(), source: .device),
            HostedWidget(RecentNotes(home: home, selection: .recent), source: .notes),
            HostedWidget(RecentNotes(home: home, selection: .pinned), source: .notes),
            HostedWidget(Checklists(home: home), source: .notes),
            HostedWidget(HealthWidget(home: home), source: .keychain),
            HostedWidget(CodesWidget(home: home), source: .keychain),
            HostedWidget(OnThisDayWidget(home: home), source: .diary),
            HostedWidget(WritingDays(home: home), source: .diary),
        ]
    }

    /// By kind.
    var all: [HostedWidget] { widgets.sorted { $0.kind < $1.kind } }

    func widget(_ kind: String) -> HostedWidget? { widgets.first { $0.kind == kind } }
}
