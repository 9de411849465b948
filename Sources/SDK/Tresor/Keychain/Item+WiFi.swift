import Wire

/// Passwords of Wi-Fi networks, as Apple's keychain has them: the description says so, and the account is the network.
package enum WiFiItem {
    /// What says that it is one.
    package static let description = "AirPort network password"
    /// The service of all of them.
    package static let service = "AirPort"

    /// The network that an item's password is of; nil for another item.
    package static func network(_ attributes: Attributes) -> String? {
        guard attributes.string(.descriptionText) == description else { return nil }
        let names = [attributes.string(.account), attributes.string(.label)]
        return names.compactMap(\.self).first { !$0.isEmpty }
    }
}

extension Item {
    /// The network that its password is of; nil for another item.
    package var wifiNetwork: String? { kind == .password ? WiFiItem.network(attributes) : nil }
}
