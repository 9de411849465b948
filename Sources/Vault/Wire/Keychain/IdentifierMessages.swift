package import Secrets

/// What all apps are given to tell advertisers who they are, and whether the owner allows it.
package struct AdvertisingIdentity: Equatable, Sendable {
    package var identifier: Identifier
    package var isTrackingAllowed: Bool

    package init(identifier: Identifier, isTrackingAllowed: Bool) {
        self.identifier = identifier
        self.isTrackingAllowed = isTrackingAllowed
    }
}

/// The identifiers that a program is given.
package struct IdentifiersReport: Equatable, Sendable {
    /// Nil for a program that is no registered app.
    package var vendor: Identifier?
    package var advertising: AdvertisingIdentity

    package init(vendor: Identifier?, advertising: AdvertisingIdentity) {
        self.vendor = vendor
        self.advertising = advertising
    }

    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.bool(vendor != nil)
        if let vendor { try buffer.identifier(vendor) }
        try buffer.identifier(advertising.identifier)
        try buffer.bool(advertising.isTrackingAllowed)
    }

    package init(from reader: inout ByteReader) throws(DecodingError) {
        vendor = try reader.bool() ? try reader.identifier() : nil
        let identifier = try reader.identifier()
        advertising = AdvertisingIdentity(identifier: identifier, isTrackingAllowed: try reader.bool())
    }
}

/// What the owner wants changed about advertising.
package struct AdvertisingChange: Equatable, Sendable {
    package var resets: Bool
    /// Nil leaves it.
    package var allowsTracking: Bool?

    package init(resets: Bool, allowsTracking: Bool?) {
        self.resets = resets
        self.allowsTracking = allowsTracking
    }

    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.bool(resets)
        try buffer.uint8(allowsTracking.map { $0 ? 2 : 1 } ?? 0)
    }

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
