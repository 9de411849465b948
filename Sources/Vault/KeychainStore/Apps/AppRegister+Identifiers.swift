import Protection
package import Secrets
package import Wire

// Identifiers that apps are given: random, kept here, and never one of the hardware.
extension AppRegister {
    /// The identifier of an app's vendor on this device: the same for all apps whose bundle identifiers begin with the
    /// same two parts, whoever signed them.
    ///
    /// - Parameter identifier: an application identifier.
    /// - Returns: nil for a program that is not registered.
    package func vendorIdentifier(of identifier: String) throws -> Identifier? {
        guard registry.apps[identifier] != nil, let vendor = Self.vendor(of: identifier) else { return nil }
        if let known = try items.content(Service.vendor, vendor, class: .always).flatMap(Identifier.init) {
            return known
        }
        let new = Self.makeIdentifier()
        try items.keep(Service.vendor, account: vendor, class: .always, new.bytes)
        return new
    }

    /// The identifier for advertising, the same for all apps until the owner resets it, and whether the owner lets
    /// apps follow them by it.
    package func advertising() throws -> AdvertisingIdentity {
        try renewAfterReset()
        if let known = try items.content(Service.advertising, "", class: .always).flatMap(
            AdvertisingIdentity.init(bytes:))
        {
            return known
        }
        let new = AdvertisingIdentity(identifier: Self.makeIdentifier(), isTrackingAllowed: false)
        try items.keep(Service.advertising, account: "", class: .always, new.bytes)
        return new
    }

    /// With a reset of the device, and with its erasure, the identifier is another one, and nobody may follow the owner
    /// by it any more.
    ///
    /// Safe to repeat after a crash.
    package func renewAfterReset() throws {
        guard try store.wasReset() else { return }
        let new = AdvertisingIdentity(identifier: Self.makeIdentifier(), isTrackingAllowed: false)
        try items.keep(Service.advertising, account: "", class: .always, new.bytes)
        try store.itemPurge.forgetReset()
    }

    /// - Parameters:
    ///   - resets: whether there shall be a new identifier.
    ///   - allowsTracking: nil leaves it.
    package func changeAdvertising(resets: Bool, allowsTracking: Bool?) throws {
        try refuseIncomplete()
        var identity = try advertising()
        if resets { identity.identifier = Self.makeIdentifier() }
        identity.isTrackingAllowed = allowsTracking ?? identity.isTrackingAllowed
        try items.replace(Service.advertising, "", identity.bytes)
    }

    /// A vendor whose last app goes is forgotten; its next app has another identifier.
    func forgetVendor(of identifier: String) throws {
        guard let vendor = Self.vendor(of: identifier),
            !registry.apps.keys.contains(where: { Self.vendor(of: $0) == vendor }),
            try items.content(Service.vendor, vendor, class: .always) != nil
        else { return }
        try items.remove(Service.vendor, vendor)
    }

    /// The first two parts of the bundle identifier, which stands behind the developer's prefix.
    private static func vendor(of identifier: String) -> String? {
        let parts = identifier.split(separator: ".")
        return parts.count >= 3 ? parts[1...2].joined(separator: ".").lowercased() : nil
    }

    /// A random UUID, version 4 (RFC 9562, section 5.4).
    private static func makeIdentifier() -> Identifier {
        var bytes = Identifier.makeRandom().bytes
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return Identifier(bytes) ?? .makeRandom()
    }
}

extension AdvertisingIdentity {
    fileprivate var bytes: [UInt8] { identifier.bytes + [isTrackingAllowed ? 1 : 0] }

    fileprivate init?(bytes: [UInt8]) {
        guard bytes.count == 17, bytes[16] <= 1, let identifier = Identifier(Array(bytes[..<16])) else { return nil }
        self.init(identifier: identifier, isTrackingAllowed: bytes[16] == 1)
    }
}
