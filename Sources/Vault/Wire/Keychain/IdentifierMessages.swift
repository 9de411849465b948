package import Secrets

/// What all apps are given to tell advertisers who they are, and whether the owner allows it.
package struct AdvertisingIdentity: Equatable, Sendable {
    /// A random UUID, the same for all apps until it is made anew.
    package var identifier: Identifier
    /// Whether apps may follow the owner by it; each app has to respect this by itself.
    package var isTrackingAllowed: Bool

    /// - Parameter identifier: a random UUID.
    package init(identifier: Identifier, isTrackingAllowed: Bool) {
        self.identifier = identifier
        self.isTrackingAllowed = isTrackingAllowed
    }
}

/// The identifiers that a program is given.
package struct IdentifiersReport: Equatable, Sendable {
    /// Nil for a program that is no registered app.
    package var vendor: Identifier?
    /// The same for all apps, and whether they may follow the owner by it.
    package var advertising: AdvertisingIdentity

    /// - Parameter vendor: nil for a program that is no registered app.
    package init(vendor: Identifier?, advertising: AdvertisingIdentity) {
        self.vendor = vendor
        self.advertising = advertising
    }

    /// Writes whether there is a vendor, its 16 bytes, the 16 for advertising, and whether apps may follow the owner.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.bool(vendor != nil)
        if let vendor { try buffer.identifier(vendor) }
        try buffer.identifier(advertising.identifier)
        try buffer.bool(advertising.isTrackingAllowed)
    }

    /// - Throws: `DecodingError` where the bytes end early.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        vendor = try reader.bool() ? try reader.identifier() : nil
        let identifier = try reader.identifier()
        advertising = AdvertisingIdentity(identifier: identifier, isTrackingAllowed: try reader.bool())
    }
}

/// What the owner wants changed about advertising.
package struct AdvertisingChange: Equatable, Sendable {
    /// Whether there shall be a new identifier.
    package var resets: Bool
    /// Nil leaves it.
    package var allowsTracking: Bool?

    /// - Parameter allowsTracking: nil leaves it.
    package init(resets: Bool, allowsTracking: Bool?) {
        self.resets = resets
        self.allowsTracking = allowsTracking
    }

    /// Writes two bytes; the second is 0 to leave the choice, 1 for no, 2 for yes.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.bool(resets)
        try buffer.uint8(allowsTracking.map { $0 ? 2 : 1 } ?? 0)
    }

    /// - Throws: `DecodingError` for any other choice.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        resets = try reader.bool()
        switch try reader.uint8() {
        case 0: allowsTracking = nil
        case 1: allowsTracking = false
        case 2: allowsTracking = true
        default: throw .invalid
        }
    }
}
