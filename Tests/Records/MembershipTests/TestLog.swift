import Envelopes
import Membership
import Secrets
import Testing

/// The keys of an account at one time.
final class TestKeys: Sendable {
    let signing: SecretBytes
    let shown: MemberKeys

    init() throws {
        let pair = try Signing.makeKeyPair()
        // A log compares agreement keys and does nothing with them.
        shown = MemberKeys(
            signing: pair.publicKey, backgroundAgreement: Random.bytes(count: 32), agreement: Random.bytes(count: 32))
        signing = pair.takePrivateKey()
    }
}

/// An account, and the keys that it comes to have.
struct TestAccount: Sendable {
    let id = Identifier.makeRandom()
    let keys: [TestKeys]

    init() throws { keys = try (0..<3).map { _ in try TestKeys() } }
}

/// Bytes as they stand in a log.
struct SignedEntry: Equatable {
    var entry: [UInt8]
    var signature: [UInt8]
}

extension ZoneLogEntry {
    /// An entry that follows the last of a log, and says what is in force there.
    ///
    /// - Parameter commitment: of a new zone key, whose generation is one more.
    init(
        _ operation: Operation, by signer: Identifier, of subject: Identifier, _ keys: MemberKeys, _ role: Role,
        after log: MembershipLog, commitment: [UInt8]? = nil
    ) {
        self.init(
            zone: log.zone, number: UInt64(log.heads.count), previous: log.heads.last ?? [], operation: operation,
            subject: subject, signingKey: keys.signing, backgroundAgreementKey: keys.backgroundAgreement,
            agreementKey: keys.agreement, role: role, zoneClass: log.zoneClass, scope: log.scope,
            generation: log.generation + (commitment == nil ? 0 : 1),
            commitment: commitment ?? log.generations.last?.commitment ?? [], time: 1, signer: signer)
    }

    func signed(with key: borrowing SecretBytes) throws -> SignedEntry {
        SignedEntry(entry: encoded, signature: try Signing.sign(encoded, privateKey: key))
    }

    /// The first entry of a zone.
    static func genesis(of owner: TestAccount, scope: String = MembershipLimits.sharedScope) throws -> SignedEntry {
        let zeros = [UInt8](repeating: 0, count: 32)
        let keys = owner.keys[0].shown
        let entry = ZoneLogEntry(
            zone: zeros, number: 0, previous: zeros, operation: .create, subject: owner.id, signingKey: keys.signing,
            backgroundAgreementKey: keys.backgroundAgreement, agreementKey: keys.agreement, role: .owner,
            zoneClass: .whenUnlocked, scope: scope, generation: 1, commitment: Random.bytes(count: 32), time: 1,
            signer: owner.id)
        return try entry.signed(with: owner.keys[0].signing)
    }
}

extension MembershipLog {
    init(_ genesis: SignedEntry) throws {
        try self.init(
            genesis: genesis.entry, signature: genesis.signature, zone: ZoneLogEntry(from: genesis.entry).hash)
    }

    /// The number of the rule that refuses an entry; nil where it was taken.
    mutating func rule(refusing entry: SignedEntry) -> Int? {
        do throws(MembershipError) {
            try append(entry.entry, signature: entry.signature)
            return nil
        } catch { return error.number }
    }
}

/// A log, what the other model makes of it, and the bytes of both.
struct TestLog {
    private(set) var log: MembershipLog
    private(set) var model: SecondModel
    private(set) var entries: [SignedEntry]

    init(of owner: TestAccount, scope: String = MembershipLimits.sharedScope) throws {
        try self.init(ZoneLogEntry.genesis(of: owner, scope: scope))
    }

    init(_ genesis: SignedEntry) throws {
        (log, model, entries) = (try MembershipLog(genesis), try SecondModel(genesis), [genesis])
    }

    /// A log with members, all under their first keys.
    init(of owner: TestAccount, _ members: [(account: TestAccount, role: ZoneLogEntry.Role)]) throws {
        try self.init(of: owner)
        for (account, role) in members {
            try require(.add, by: owner, of: account, account.keys[0].shown, role)
        }
    }

    /// The numbers of the rules by which either refuses an entry; nil where it was taken.
    mutating func add(_ entry: SignedEntry) -> (log: Int?, model: Int?) {
        let rules = (log: log.rule(refusing: entry), model: model.rule(refusing: entry))
        if rules.log == nil { entries.append(entry) }
        return rules
    }

    /// Signs an entry under the signer's first key, and takes it.
    mutating func require(
        _ operation: ZoneLogEntry.Operation, by signer: TestAccount, of subject: TestAccount, _ keys: MemberKeys,
        _ role: ZoneLogEntry.Role, commitment: [UInt8]? = nil
    ) throws {
        let entry = ZoneLogEntry(
            operation, by: signer.id, of: subject.id, keys, role, after: log, commitment: commitment)
        let rules = add(try entry.signed(with: signer.keys[0].signing))
        try #require(rules.log == nil && rules.model == nil)
    }
}

extension MembershipError {
    /// That of the rule; 0 for another error.
    var number: Int {
        switch self {
        case .rule(let rule): rule.rawValue
        case .record, .memory: 0
        }
    }
}
