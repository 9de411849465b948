import Envelopes
import Membership
import Secrets
import Testing

/// Who may sign what: everybody tries everything.
@Suite struct SignerTests {
    typealias Role = ZoneLogEntry.Role

    /// What one entry tried, and by which rule it was refused.
    private struct Try {
        /// The operation, and whether its signer is its subject.
        let step: String
        let signer: Role
        let rule: Int?
        let secondRule: Int?
    }

    /// Each operation by a signer of each role, of each kind of subject, with each role, with keys in force, new and
    /// partly new, under the zone key in force and a new one.
    private func tries() throws -> [Try] {
        let (owner, stranger) = (try TestAccount(), try TestAccount())
        let roles = [Role.admin, .writer, .reader]
        let signers = try roles.map { (account: try TestAccount(), role: $0) }
        let others = try roles.map { (account: try TestAccount(), role: $0) }
        let family = try TestLog(of: owner, signers + others)
        var tries: [Try] = []
        for signer in [(account: owner, role: Role.owner)] + signers {
            let rest = ([owner] + others.map(\.account)).filter { $0.id != signer.account.id }
            for subject in [stranger, signer.account] + rest {
                for operation in ZoneLogEntry.Operation.allCases {
                    for (role, keys, commitment) in forms(of: subject) {
                        let entry = ZoneLogEntry(
                            operation, by: signer.account.id, of: subject.id, keys, role, after: family.log,
                            commitment: commitment)
                        var log = family
                        let rules = log.add(try entry.signed(with: signer.account.keys[0].signing))
                        #expect(log.model.agrees(with: log.log))
                        let isOwn = operation == .role && subject.id == signer.account.id
                        tries.append(
                            Try(
                                step: isOwn ? "own keys" : "\(operation)", signer: signer.role, rule: rules.log,
                                secondRule: rules.model))
                    }
                }
            }
        }
        return tries
    }

    private func forms(of subject: TestAccount) -> [(role: Role, keys: MemberKeys, commitment: [UInt8]?)] {
        let (former, new) = (subject.keys[0].shown, subject.keys[1].shown)
        let mixed = MemberKeys(
            signing: former.signing, backgroundAgreement: former.backgroundAgreement, agreement: new.agreement)
        return Role.allCases.flatMap { role in
            [former, new, mixed].flatMap { keys in
                [nil, Random.bytes(count: 32)].map { (role: role, keys: keys, commitment: $0) }
            }
        }
    }

    @Test func `every pair of operation and role that the table lacks is refused, and of the others what it lacks`()
        throws
    {
        let tries = try tries()
        // By the owner, who is a subject of its own alone, one kind of subject fewer.
        #expect(tries.count == (5 + 3 * 6) * 6 * 4 * 3 * 2)
        #expect(tries.allSatisfy { $0.rule == $0.secondRule })
        var granted: [String: Set<Role>] = [:]
        for each in tries where each.rule == nil { granted[each.step, default: []].insert(each.signer) }
        #expect(
            granted == [
                "add": [.owner, .admin], "remove": [.owner, .admin], "role": [.owner, .admin],
                "own keys": [.owner, .admin, .writer, .reader], "rotate": [.owner, .admin],
                "leave": [.admin, .writer, .reader],
            ])
        // Of the 24 pairs the table lacks 9: whatever else such an entry says, that is why it is refused.
        let lacking = tries.filter { $0.step != "create" && granted[$0.step]?.contains($0.signer) != true }
        #expect(Set(lacking.map { "\($0.step) \($0.signer)" }).count == 9)
        #expect(lacking.allSatisfy { $0.rule == MembershipRule.table.rawValue })
        // A second beginning is none, whoever signs it.
        #expect(tries.filter { $0.step == "create" }.allSatisfy { $0.rule == MembershipRule.order.rawValue })
        // add 15, remove 5, role 8, own keys 4, rotate 4, leave 3
        #expect(tries.count { $0.rule == nil } == 39)
    }
}
