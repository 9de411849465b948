public import FoundationEssentials
import Linux
import Localization
import Secrets
import Wire

/// Identifiers by which an app may know its user, its vendor's other apps and itself again; never one of the hardware.
///
///     let identity = Identity(try Keychain())
///     let vendor = try await identity.vendor()
///     let advertising = try await identity.advertising()
///     if advertising.isTrackingAllowed { report(advertising.identifier) }
public struct Identity: Sendable {
    /// The identifier for advertising, and the owner's wish.
    public struct Advertising: Equatable, Sendable {
        /// The same for all apps, until the owner resets it with `tresor app advertising --reset`, or the device with
        /// `tresor passcode reset`, or ten wrong passcodes erase it; a running program goes on with the one that it was
        /// told first.
        public let identifier: UUID
        /// Whether apps may follow the owner by it.
        ///
        /// The app has to respect this by itself: nobody hides the identifier from one that does not. False until the
        /// owner says otherwise.
        public let isTrackingAllowed: Bool
    }

    private let keychain: Keychain

    /// - Parameter keychain: the connection to the device that gives identifiers.
    public init(_ keychain: Keychain) { self.keychain = keychain }

    /// The identifier of this app's vendor on this device.
    ///
    /// The vendor is the first two parts of the bundle identifier, whoever signed the app. All apps of the vendor have
    /// the same; when the last of them was removed, the next one has another.
    ///
    /// - Throws: ``TresorError`` with code `notPermitted` for a program that is no registered app.
    public func vendor() async throws -> UUID {
        guard let vendor = try await keychain.identifiers().vendor else {
            throw TresorError(.notPermitted, localized("only a registered app has a vendor"))
        }
        return UUID(vendor)
    }

    /// The identifier for advertising.
    ///
    /// - Throws: ``TresorError`` with code `notPermitted` for a program that the daemon cannot tell.
    public func advertising() async throws -> Advertising {
        let advertising = try await keychain.identifiers().advertising
        return Advertising(
            identifier: UUID(advertising.identifier), isTrackingAllowed: advertising.isTrackingAllowed)
    }

    /// A random UUID, version 4 (RFC 9562), new at each call, from the system's generator (getrandom(2)).
    public static func makeRandom() -> UUID {
        var bytes = Identifier.makeRandom().bytes
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return UUID(bytes)
    }
}

extension UUID {
    fileprivate init(_ identifier: Identifier) { self.init(identifier.bytes) }

    fileprivate init(_ b: [UInt8]) {
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }
}

extension Keychain {
    func identifiers() throws -> IdentifiersReport {
        try conversation.reply(to: .identifiers, .identifiers) { try IdentifiersReport(from: &$0) }
    }

    /// Gives all apps another identifier for advertising, or says whether they may follow the owner by it.
    package func changeAdvertising(resets: Bool, allowsTracking: Bool?) throws {
        try conversation.perform(.changeAdvertising(AdvertisingChange(resets: resets, allowsTracking: allowsTracking)))
    }
}
