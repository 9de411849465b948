package import Envelopes
package import Secrets

/// What a zone's membership log says after its last entry; see specs/zone-members.md.
///
/// A value without I/O, the same for whoever keeps a log and for whoever is shown one: there is no way to one but by
/// entries that keep the rules.
///
/// ```swift
/// var log = try MembershipLog(genesis: first.entry, signature: first.signature, zone: zone)
/// for (entry, signature) in others { try log.append(entry, signature: signature) }
/// try log.checkEnd()
/// ```
package struct MembershipLog: Equatable, Sendable {
    /// Somebody who may read the zone, or more.
    package struct Member: Equatable, Sendable {
        /// What it may do.
        package let role: ZoneLogEntry.Role
        /// Those that are in force.
        package let keys: MemberKeys
        /// The number of the last entry that gave it its role, or a key.
        package let since: UInt64
    }

    /// What the log says of one of the zone's keys.
    package struct Generation: Equatable, Sendable {
        /// The number of the entry that brought it.
        package let entry: UInt64
        /// ``ZoneKeyEnvelope/commitment(of:generation:)``, 32 bytes.
        package let commitment: [UInt8]
    }

    /// Its name, the hash of its first entry: 32 bytes.
    package let zone: [UInt8]
    /// In which lock states the zone can be opened.
    package let zoneClass: ZoneLogEntry.ZoneClass
    /// What the zone is for, such as `notes`.
    package let scope: String
    /// Whoever is a member after the last entry.
    package private(set) var members: [Identifier: Member] = [:]
    /// The hash of each entry, 32 bytes, by the entry's number.
    package private(set) var heads: [[UInt8]] = []
    /// Of each zone key, the first of which is generation 1.
    package private(set) var generations: [Generation] = []
    /// Whether somebody still has the zone key who left, or whose keys were revoked: an owner or admin is to rotate.
    package private(set) var owesRotation = false
    /// Who signed the last entry, where that removes a member: a rotation by the same signer has to follow.
    private(set) var remover: Identifier?
    private(set) var commitments: Set<[UInt8]> = []

    /// A log of one entry.
    ///
    /// - Parameters:
    ///   - genesis: the entry's bytes.
    ///   - signature: 64 bytes.
    ///   - zone: the name under which it is known, 32 bytes.
    /// - Throws: `MembershipError.rule` with the first rule that it breaks.
    package init(genesis: [UInt8], signature: [UInt8], zone: [UInt8]) throws(MembershipError) {
        let entry = try Self.decode(genesis)
        try Self.checkGenesis(entry, signature, zone: zone)
        (self.zone, zoneClass, scope) = (zone, entry.zoneClass, entry.scope)
        take(entry)
    }

    /// Of the zone key in force, from 1 on.
    package var generation: UInt32 { UInt32(generations.count) }

    /// Whether a log has this key as that of a generation.
    ///
    /// - Parameter zoneKey: 32 bytes.
    package func names(_ zoneKey: borrowing SecretBytes, as generation: UInt32) -> Bool {
        guard 1...self.generation ~= generation else { return false }
        return ZoneKeyEnvelope.commitment(of: zoneKey, generation: generation)
            == generations[Int(generation) - 1].commitment
    }

    /// Takes one entry more.
    ///
    /// - Parameters:
    ///   - entry: its bytes.
    ///   - signature: 64 bytes.
    /// - Returns: what the entry says.
    /// - Throws: `MembershipError.rule` with the first rule that it breaks; the log is as before then.
    @discardableResult package mutating func append(
        _ entry: [UInt8], signature: [UInt8]
    ) throws(MembershipError) -> ZoneLogEntry {
        let entry = try Self.decode(entry)
        try check(entry, signature)
        take(entry)
        return entry
    }

    /// Whether a log, or a batch of entries, may end here.
    ///
    /// - Throws: `MembershipError.rule(.rotation)` behind a removal: the log was cut, or its key is still the same.
    package func checkEnd() throws(MembershipError) {
        guard remover == nil else { throw .rule(.rotation) }
    }

    /// - Throws: `MembershipError.rule(.order)` for anything but the canonical bytes of an entry.
    private static func decode(_ entry: [UInt8]) throws(MembershipError) -> ZoneLogEntry {
        do { return try ZoneLogEntry(from: entry) } catch { throw .rule(.order) }
    }

    /// What an entry that keeps all rules changes.
    private mutating func take(_ entry: ZoneLogEntry) {
        switch entry.operation {
        case .remove, .leave: members[entry.subject] = nil
        case .create, .add, .role, .rotate: put(entry)
        }
        if entry.operation == .create || entry.operation == .rotate {
            generations.append(Generation(entry: entry.number, commitment: entry.commitment))
            commitments.insert(entry.commitment)
            owesRotation = false
        }
        let step = SignerTable.Step(entry)
        if step == .leave || step == .ownKeys { owesRotation = true }
        remover = step == .remove ? entry.signer : nil
        heads.append(entry.hash)
    }

    private mutating func put(_ entry: ZoneLogEntry) {
        let former = members[entry.subject]
        let keys = MemberKeys(entry)
        guard former?.role != entry.role || former?.keys != keys else { return }
        members[entry.subject] = Member(role: entry.role, keys: keys, since: entry.number)
    }
}

/// The three public keys that a log has of an account, 32 bytes each.
package struct MemberKeys: Equatable, Sendable {
    /// Under which entries and records of it hold.
    package let signing: [UInt8]
    /// To which keys of zones of class afterFirstUnlock are wrapped for it.
    package let backgroundAgreement: [UInt8]
    /// To which keys of zones of class whenUnlocked are wrapped for it.
    package let agreement: [UInt8]

    /// Those of an entry's subject.
    package init(_ entry: ZoneLogEntry) {
        self.init(
            signing: entry.signingKey, backgroundAgreement: entry.backgroundAgreementKey,
            agreement: entry.agreementKey)
    }

    /// 32 bytes each.
    package init(signing: [UInt8], backgroundAgreement: [UInt8], agreement: [UInt8]) {
        (self.signing, self.backgroundAgreement, self.agreement) = (signing, backgroundAgreement, agreement)
    }

    /// Whether none of them is what it was: a device that was revoked had them all.
    func areAllOther(than former: MemberKeys) -> Bool {
        signing != former.signing && backgroundAgreement != former.backgroundAgreement
            && agreement != former.agreement
    }

    /// Whether one key is in both, be it for another class of zones.
    func shareOne(with other: MemberKeys) -> Bool {
        signing == other.signing || agreement == other.agreement || agreement == other.backgroundAgreement
            || backgroundAgreement == other.agreement || backgroundAgreement == other.backgroundAgreement
    }
}
