import Envelopes
import Membership
import Secrets

/// The rules of specs/zone-members.md once more, without a table: by the rank of roles, of which the owner's is the first.
struct SecondModel {
    struct Member: Equatable {
        let rank: UInt8
        let keys: [[UInt8]]
        let since: UInt64
    }

    let genesis: ZoneLogEntry
    var members: [Identifier: Member] = [:]
    var heads: [[UInt8]] = []
    var commitments: [[UInt8]] = []
    var removedBy: Identifier?
    var owes = false

    init(_ first: SignedEntry) throws {
        genesis = try ZoneLogEntry(from: first.entry)
        count(genesis)
    }

    /// The number of the rule that refuses an entry; nil where it was taken.
    mutating func rule(refusing signed: SignedEntry) -> Int? {
        guard let entry = try? ZoneLogEntry(from: signed.entry) else { return 1 }
        if let rule = firstBroken(entry, signed) { return rule }
        count(entry)
        return nil
    }

    private func firstBroken(_ entry: ZoneLogEntry, _ signed: SignedEntry) -> Int? {
        let isNext = entry.number == UInt64(heads.count) && entry.previous == heads.last
        if entry.zone != genesis.hash || !isNext { return 1 }
        if entry.zoneClass != genesis.zoneClass || entry.scope != genesis.scope { return 2 }
        guard let signer = members[entry.signer] else { return 3 }
        if !Signing.verify(signed.signature, of: signed.entry, publicKey: signer.keys[0]) { return 4 }
        let (does, isOwn, rank) = (entry.operation, entry.signer == entry.subject, entry.role.rawValue)
        let isOwnRole = does == .role && isOwn
        if does == .leave ? signer.rank == 1 : signer.rank > 2 && !isOwnRole { return 5 }

        let subject = members[entry.subject]
        let isBelow = (subject?.rank ?? 0) > signer.rank
        let isOfOthers = does == .remove || does == .role
        if does == .add ? subject != nil : isOfOthers ? !isBelow && !isOwnRole : !isOwn { return 6 }

        let keys = Self.keys(entry)
        let changed = subject.map { zip($0.keys, keys).count { $0 != $1 } } ?? 0
        if isOwnRole ? changed != 3 : does == .rotate ? changed % 3 != 0 : changed != 0 { return 7 }
        let others = members.filter { $0.key != entry.subject }.values
        let theirs = Set(others.flatMap { $0.keys[1...] })
        if others.contains(where: { $0.keys[0] == keys[0] }) || !theirs.isDisjoint(with: keys[1...]) { return 7 }

        let gives = does == .add || (does == .role && !isOwn)
        if gives ? rank <= signer.rank || rank == subject?.rank : rank != subject?.rank { return 8 }
        let next = commitments.count + (does == .rotate ? 1 : 0)
        if Int(entry.generation) != next { return 9 }
        if does == .rotate ? commitments.contains(entry.commitment) : entry.commitment != commitments.last { return 9 }
        if let removedBy { if does != .rotate || entry.signer != removedBy { return 10 } }
        let most = genesis.scope == "shared notes" ? 256 : 1
        return heads.count >= 65_536 || (does == .add && members.count >= most) ? 11 : nil
    }

    private mutating func count(_ entry: ZoneLogEntry) {
        let (does, isOwn) = (entry.operation, entry.signer == entry.subject)
        if does == .remove || does == .leave {
            members[entry.subject] = nil
        } else {
            let member = members[entry.subject]
            if member?.rank != entry.role.rawValue || member?.keys != Self.keys(entry) {
                members[entry.subject] = Member(
                    rank: entry.role.rawValue, keys: Self.keys(entry), since: UInt64(heads.count))
            }
        }
        if does == .create || does == .rotate { commitments.append(entry.commitment) }
        owes = does != .rotate && (owes || does == .leave || (does == .role && isOwn))
        removedBy = does == .remove ? entry.signer : nil
        heads.append(entry.hash)
    }

    private static func keys(_ entry: ZoneLogEntry) -> [[UInt8]] {
        [entry.signingKey, entry.backgroundAgreementKey, entry.agreementKey]
    }

    /// Whether it says the same as a log.
    func agrees(with log: MembershipLog) -> Bool {
        let theirs = log.members.mapValues { member in
            Member(
                rank: member.role.rawValue,
                keys: [member.keys.signing, member.keys.backgroundAgreement, member.keys.agreement],
                since: member.since)
        }
        let mayEnd = (try? log.checkEnd()) != nil
        return theirs == members && log.heads == heads && log.generations.map(\.commitment) == commitments
            && log.owesRotation == owes && mayEnd == (removedBy == nil)
    }
}
