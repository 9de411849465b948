import Envelopes
import KeyEnvelopes
import Linux
import Protection
import Secrets
import Tresor
import Widgets

/// The keys of the widgets' classes: items of the keychain, each as available as its class is.
///
/// Class CompleteUnlessOpen has two: a public one from the first unlock on, and a private one for an unlocked device.
///
/// Each is asked for in its class: whoever has the device's files and no passcode can put a row of a class that is
/// always open in the place of any other, and what it holds would be theirs.
struct WidgetKeys {
    static let group = AccessGroup.widgets
    private static let service = "tresor.widgets.key"
    private static let publicAccount = "completeUnlessOpen.sealing"
    private static let publicClass = ProtectionClass.afterFirstUnlockThisDeviceOnly
    /// Where 0.1 kept the public key: in a class that anybody with the device's files can write.
    private static let formerPublicAccount = "completeUnlessOpen.public"

    let daemon: DaemonLink

    /// The key that opens timelines of a class.
    ///
    /// - Throws: `TresorError`: `notFound` where none was made yet, `locked` where the class is shut.
    func openingKey(_ protection: WidgetProtection) throws -> SecretBytes {
        try daemon.readPassword(
            service: Self.service, account: protection.name, group: Self.group,
            protectionClass: Self.itemClass(protection))
    }

    /// Seals a timeline of a class, with a fresh key where it has none yet.
    ///
    /// - Throws: `TresorError` with code `locked` where the class needs its key and is shut.
    func seal(
        _ parts: TimelineArchive.Parts, kind: String, protection: WidgetProtection
    ) throws -> WidgetTimelineEnvelope {
        let open = try Self.secret(parts.open)
        let secrets = try Self.secret(parts.secrets)
        guard protection == .completeUnlessOpen else {
            let key = try makingIfNeeded(protection) { try openingKey(protection) }
            return try WidgetTimelineEnvelope(
                open: open, secrets: secrets, kind: kind, protection: protection.rawValue, under: key)
        }
        let publicKey = try publicKey()
        return try WidgetTimelineEnvelope(
            open: open, secrets: secrets, kind: kind, protection: protection.rawValue,
            to: publicKey.withBytes { $0.copyToArray() })
    }

    /// Makes sure that a class can be sealed to later, when it may be shut.
    func prepare(_ protection: WidgetProtection) throws {
        guard protection == .completeUnlessOpen else { return }
        // A passcode that was given up has destroyed the private half: what is sealed to its public one opens no more.
        do {
            let privateKey = try openingKey(protection)
            try keepPublicKey(of: privateKey)
        } catch let error as TresorError where error.code == .notFound {
            try make(protection)
        } catch let error as TresorError where error.code == .locked {
            _ = try publicKey()
        }
    }

    /// What is sealed to is what the private key says, whatever stands in the public one's place.
    private func keepPublicKey(of privateKey: borrowing SecretBytes) throws {
        let wanted = try Self.secret(AgreementKeyPair.derivePublicKey(of: privateKey))
        let kept: SecretBytes?
        do { kept = try readPublicKey() } catch let error as TresorError where error.code == .notFound { kept = nil }
        let isRight =
            switch kept {
            case .some(let kept): kept.equals(wanted)
            case .none: false
            }
        if !isRight { try storePublicKey(wanted) }
        try removeFormerPublicKey(unless: wanted)
    }

    private func publicKey() throws -> SecretBytes {
        try makingIfNeeded(.completeUnlessOpen) {
            try readPublicKey()
        }
    }

    private func readPublicKey() throws -> SecretBytes {
        try daemon.readPassword(
            service: Self.service, account: Self.publicAccount, group: Self.group, protectionClass: Self.publicClass)
    }

    /// Removes what 0.1 kept, and says so where it was not this device's key: then timelines may have been sealed to
    /// somebody else's.
    private func removeFormerPublicKey(unless wanted: borrowing SecretBytes) throws {
        do {
            let former = try daemon.readPassword(
                service: Self.service, account: Self.formerPublicAccount, group: Self.group)
            if !former.equals(wanted) { Log.note("the widgets' public key was somebody else's; it is removed") }
            try daemon.removePassword(service: Self.service, account: Self.formerPublicAccount, group: Self.group)
        } catch let error as TresorError where error.code == .notFound {}
    }

    /// In the place of whatever is there, of whatever class.
    private func storePublicKey(_ publicKey: borrowing SecretBytes) throws {
        do {
            try daemon.removePassword(service: Self.service, account: Self.publicAccount, group: Self.group)
        } catch let error as TresorError where error.code == .notFound {}
        try daemon.storePassword(
            Self.attributes(Self.publicAccount, Self.publicClass), group: Self.group, secret: publicKey)
    }

    private func makingIfNeeded(
        _ protection: WidgetProtection, _ read: () throws -> SecretBytes
    ) throws -> SecretBytes {
        do { return try read() } catch let error as TresorError where error.code == .notFound {
            try make(protection)
            return try read()
        }
    }

    /// Two workers may do this at once, and one may end in between: who comes second takes what the first one made.
    private func make(_ protection: WidgetProtection) throws {
        guard protection == .completeUnlessOpen else {
            return try add(protection.name, Self.itemClass(protection), try SecretBytes.makeRandom(count: 32))
        }
        try add(protection.name, .whenUnlockedThisDeviceOnly, try AgreementKeyPair.makeRandom().takePrivateKey())
        let publicKey = try Self.secret(AgreementKeyPair.derivePublicKey(of: try openingKey(protection)))
        try storePublicKey(publicKey)
    }

    private func add(_ account: String, _ itemClass: ProtectionClass, _ key: borrowing SecretBytes) throws {
        do {
            try daemon.addPassword(Self.attributes(account, itemClass), secret: key)
        } catch let error as TresorError where error.code == .duplicate {}
    }

    private static func attributes(_ account: String, _ itemClass: ProtectionClass) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = service
        attributes.account = account
        attributes.label = "Widgets: a key of this device"
        attributes.protectionClass = itemClass
        return attributes
    }

    /// Timelines are this device's: what is shown elsewhere is made there.
    private static func itemClass(_ protection: WidgetProtection) -> ProtectionClass {
        switch protection {
        case .none: .alwaysThisDeviceOnly
        case .completeUntilFirstUserAuthentication: .afterFirstUnlockThisDeviceOnly
        case .complete, .completeUnlessOpen: .whenUnlockedThisDeviceOnly
        }
    }

    static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
        var buffer = try SecretBuffer(capacity: max(1, bytes.count))
        try buffer.append(bytes)
        return buffer.finish()
    }
}
