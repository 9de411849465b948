import FoundationEssentials
import Secrets
import Tresor
import WidgetClient
import Widgets

/// The owner's settings for widgets, as an item of the keychain: a program that can write the user's files must not be
/// able to open the lock screen's widgets by one of them.
struct SettingsItem {
    private static let (service, account) = ("tresor.widgets.settings", "settings")

    private struct Stored: Codable {
        var allowWhenLocked: Bool
        /// By the placements' numbers.
        var hideAlwaysOn: [HiddenList]
    }

    let daemon: DaemonLink

    /// - Returns: the strictest settings where none were made; nil where they cannot be read yet.
    func read() throws -> WidgetSettings? {
        do {
            let secret = try daemon.readPassword(
                service: Self.service, account: Self.account, group: WidgetKeys.group,
                protectionClass: .afterFirstUnlockThisDeviceOnly)
            let bytes = secret.withBytes { $0.copyToArray() }
            guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)) else {
                return WidgetSettings()
            }
            var settings = WidgetSettings(allowsAccessWhenLocked: stored.allowWhenLocked)
            for (placement, list) in zip(WidgetPlacement.allCases, stored.hideAlwaysOn) {
                settings[placement] = HiddenKinds(list)
            }
            return settings
        } catch let error as TresorError where error.code == .notFound {
            return WidgetSettings()
        } catch let error as TresorError where error.code == .locked {
            return nil
        }
    }

    func store(_ settings: WidgetSettings) throws {
        let stored = Stored(
            allowWhenLocked: settings.allowsAccessWhenLocked,
            hideAlwaysOn: settings.hiddenOnAlwaysOn.map { HiddenList($0) })
        var attributes = ItemAttributes()
        attributes.service = Self.service
        attributes.account = Self.account
        attributes.label = "Widgets: what is shown while the device is locked"
        attributes.protectionClass = .afterFirstUnlockThisDeviceOnly
        let secret = try WidgetKeys.secret(Array(try JSONEncoder().encode(stored)))
        try daemon.storePassword(attributes, group: WidgetKeys.group, secret: secret)
    }
}

extension HiddenKinds {
    init(_ list: HiddenList) {
        switch list {
        case .all: self = .all
        case .none: self = .none
        case .kinds(let kinds): self = .some(kinds)
        }
    }
}

extension HiddenList {
    init(_ kinds: HiddenKinds) {
        switch kinds {
        case .all: self = .all
        case .none: self = .none
        case .some(let kinds): self = .kinds(kinds)
        }
    }
}
