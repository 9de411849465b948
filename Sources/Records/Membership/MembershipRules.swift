import Envelopes
import Secrets

/// How large a zone may grow; see specs/cloud.md, "Limits, quotas and rates".
package enum MembershipLimits {
    /// Of a log, the first among them.
    package static let entries = 65_536
    /// Of a zone that can be shared, its owner among them.
    package static let members = 256
    /// The one scope whose zones may have a second member.
    package static let sharedScope = "shared notes"

    /// How many members a zone may have.
    package static func members(inScope scope: String) -> Int { scope == sharedScope ? members : 1 }

    /// Whether a log of so many entries and members is not too large; of its last entry, that is.
    package static func allow(entries: Int, members: Int, inScope scope: String) -> Bool {
        entries <= Self.entries && members <= Self.members(inScope: scope)
    }
}

/// The rules of a log, one function for each, in their order; `self` is the log before the entry.
extension MembershipLog {
    /// What rules 1, 3 and 4 say of a genesis entry; its decoder has refused what the others would.
    static func checkGenesis(
        _ entry: ZoneLogEntry, _ signature: [UInt8], zone: [UInt8]
    ) throws(MembershipError) {
        guard entry.operation == .create, entry.hash == zone else { throw .rule(.order) }
        guard entry.signer == entry.subject else { throw .rule(.signer) }
        guard entry.verify(signature) else { throw .rule(.signature) }
    }

    /// - Throws: the first rule that a later entry breaks.
    func check(_ entry: ZoneLogEntry, _ signature: [UInt8]) throws(MembershipError) {
        try checkOrder(entry)
        try checkKind(entry)
        let signer = try checkSigner(entry)
        try checkSignature(signature, of: entry, by: signer)
        let row = try checkTable(entry, signer)
        let subject = members[entry.subject]
        try checkSubject(entry, row, subject)
        try checkKeys(entry, row, subject)
        try checkRole(entry, row, subject)
        try checkZoneKey(entry, row)
        try checkRotation(entry)
        try checkRoom(entry)
    }

    private func checkOrder(_ entry: ZoneLogEntry) throws(MembershipError) {
        guard entry.zone == zone, entry.number == heads.count, entry.previous == heads.last else {
            throw .rule(.order)
        }
    }

    private func checkKind(_ entry: ZoneLogEntry) throws(MembershipError) {
        guard entry.zoneClass == zoneClass, entry.scope == scope else { throw .rule(.kind) }
    }

    private func checkSigner(_ entry: ZoneLogEntry) throws(MembershipError) -> Member {
        guard let signer = members[entry.signer] else { throw .rule(.signer) }
        return signer
    }

    /// Under the key of before: an entry that brings new keys of its signer does not vouch for itself.
    private func checkSignature(
        _ signature: [UInt8], of entry: ZoneLogEntry, by signer: Member
    ) throws(MembershipError) {
        guard entry.verify(signature, under: signer.keys.signing) else { throw .rule(.signature) }
    }

    private func checkTable(_ entry: ZoneLogEntry, _ signer: Member) throws(MembershipError) -> SignerTable.Row {
        guard let row = SignerTable.row(SignerTable.Step(entry), by: signer.role) else { throw .rule(.table) }
        return row
    }

    private func checkSubject(
        _ entry: ZoneLogEntry, _ row: SignerTable.Row, _ subject: Member?
    ) throws(MembershipError) {
        let isRight =
            switch row.subject {
            case .stranger: subject == nil
            case .member(let roles): subject.map { roles.contains($0.role) } ?? false
            case .signer: entry.subject == entry.signer
            }
        guard isRight else { throw .rule(.subject) }
    }

    private func checkKeys(
        _ entry: ZoneLogEntry, _ row: SignerTable.Row, _ subject: Member?
    ) throws(MembershipError) {
        let keys = MemberKeys(entry)
        let areInForce = keys == subject?.keys
        let areOthers = subject.map { keys.areAllOther(than: $0.keys) } ?? false
        let areRight =
            switch row.keys {
            case .ofStranger: true
            case .inForce: areInForce
            case .others: areOthers
            case .inForceOrOthers: areInForce || areOthers
            }
        // Keys that stay were looked at when they came.
        guard areRight, areInForce || isNobodyElses(keys, than: entry.subject) else { throw .rule(.keys) }
    }

    private func isNobodyElses(_ keys: MemberKeys, than subject: Identifier) -> Bool {
        members.allSatisfy { $0.key == subject || !$0.value.keys.shareOne(with: keys) }
    }

    private func checkRole(
        _ entry: ZoneLogEntry, _ row: SignerTable.Row, _ subject: Member?
    ) throws(MembershipError) {
        let isRight =
            switch row.role {
            case .inForce: entry.role == subject?.role
            case .another(let roles): roles.contains(entry.role) && entry.role != subject?.role
            }
        guard isRight else { throw .rule(.role) }
    }

    private func checkZoneKey(_ entry: ZoneLogEntry, _ row: SignerTable.Row) throws(MembershipError) {
        let isRight =
            switch row.zoneKey {
            case .inForce: entry.generation == generation && entry.commitment == generations.last?.commitment
            case .next: entry.generation == generation + 1 && !commitments.contains(entry.commitment)
            }
        guard isRight else { throw .rule(.zoneKey) }
    }

    private func checkRotation(_ entry: ZoneLogEntry) throws(MembershipError) {
        guard let remover else { return }
        guard entry.operation == .rotate, entry.signer == remover else { throw .rule(.rotation) }
    }

    private func checkRoom(_ entry: ZoneLogEntry) throws(MembershipError) {
        let members = members.count + (entry.operation == .add ? 1 : 0)
        guard MembershipLimits.allow(entries: heads.count + 1, members: members, inScope: scope) else {
            throw .rule(.room)
        }
    }
}
