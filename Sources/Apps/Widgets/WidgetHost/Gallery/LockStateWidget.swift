import Localization
import Protection
import Widgets

/// Whether the device is locked.
///
/// The service makes its entries itself, since nobody else knows as soon.
struct LockStateWidget: Widget {
    let configuration = WidgetConfiguration(
        kind: "device.lock", displayName: localized("Lock"), summary: marked("Whether the device is locked."),
        symbol: .lock,
        families: [.systemSmall, .accessoryInline, .accessoryCircular, .accessoryRectangular], protection: .none)
    let provider: LockStateProvider

    init(_ state: LockState = .locked) { provider = LockStateProvider(state: state) }

    func body(_ entry: WidgetEntry<LockState, Never>, in family: WidgetFamily) -> some View {
        let isOpen = entry.content == .unlocked
        switch family {
        case .accessoryCircular:
            Symbol(isOpen ? .lockOpen : .lock, tint: isOpen ? .positive : .primary).accessibilityLabel(name(entry))
        case .accessoryInline:
            HStack {
                Symbol(isOpen ? .lockOpen : .lock, tint: isOpen ? .positive : .primary)
                Text(name(entry))
            }
        default:
            VStack {
                Symbol(isOpen ? .lockOpen : .lock, tint: isOpen ? .positive : .primary)
                Spacer()
                Text(name(entry)).font(.headline)
                Text("Tresor").font(.caption).foreground(.secondary)
            }
        }
    }

    private func name(_ entry: WidgetEntry<LockState, Never>) -> String {
        switch entry.content {
        case .unlocked: localized("Unlocked")
        case .locked: localized("Locked")
        case .beforeFirstUnlock: localized("Not unlocked yet")
        }
    }
}

struct LockStateProvider: TimelineProvider {
    let state: LockState

    func placeholder(in family: WidgetFamily) -> WidgetEntry<LockState, Never> {
        WidgetEntry(date: Moment(seconds: 0), content: .locked)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Timeline<WidgetEntry<LockState, Never>> {
        Timeline([WidgetEntry(date: now, content: state)], policy: .never)
    }
}
