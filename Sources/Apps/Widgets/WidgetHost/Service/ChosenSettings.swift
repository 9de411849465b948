import Localization
import Protection
import Tresor
import WidgetClient
import Widgets

/// What the owner chose that widgets show, as it was read last.
final class ChosenSettings {
    private let item: SettingsItem
    /// The owner's; nil where they cannot be read yet, and the strictest hold.
    private(set) var chosen: WidgetSettings?

    init(daemon: DaemonLink) {
        item = SettingsItem(daemon: daemon)
        chosen = (try? item.read()) ?? nil
    }

    /// What holds.
    var current: WidgetSettings { chosen ?? WidgetSettings() }

    func reread() {
        do { chosen = try item.read() } catch { Log.error("the settings do not open", error) }
    }

    /// Settings say what strangers see: they change while the owner is there, and not behind a lock screen.
    ///
    /// - Parameters:
    ///   - deviceState: of the device now.
    ///   - isKind: whether there is such a widget.
    func apply(_ change: WidgetSettingsChange, in deviceState: LockState, isKind: (String) -> Bool) throws {
        guard deviceState == .unlocked else {
            throw WidgetError(.deviceLocked, marked("the device is locked; unlock it to change what widgets show"))
        }
        var changed: WidgetSettings
        // Where they could not be read before, the others stay as they are all the same.
        do { changed = try chosen ?? item.read() ?? current } catch {
            throw WidgetError(storing: .settings, error)
        }
        if let allow = change.allowWhenLocked { changed.allowsAccessWhenLocked = allow }
        if let hidden = change.hideAlwaysOn {
            if case .kinds(let kinds) = hidden, let unknown = kinds.first(where: { !isKind($0) }) {
                throw WidgetError(unknownKind: unknown)
            }
            for placement in try placements(change.placement) { changed[placement] = HiddenKinds(hidden) }
        }
        do { try item.store(changed) } catch {
            Log.error("the settings were not stored", error)
            throw WidgetError(storing: .settings, error)
        }
        chosen = changed
    }

    private func placements(_ name: String?) throws -> [WidgetPlacement] {
        guard let name else { return WidgetPlacement.allCases }
        guard let placement = WidgetPlacement(name: name) else { throw WidgetError(unknownPlacement: name) }
        return [placement]
    }
}
