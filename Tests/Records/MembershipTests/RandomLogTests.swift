import Envelopes
import Membership
import Secrets
import Testing
import Thoroughness

/// Logs by chance, beside a second model of the same rules.
@Suite struct RandomLogTests {
    @Test func `random logs, cut and mutated, mean the same to both models, or are refused by the same rule`() throws {
        let count = Thoroughness.count(150, soak: 20_000, orBy: "TRESOR_LOGS")
        let accounts = try (0..<6).map { _ in try TestAccount() }
        var rules: [Int: Int] = [:]
        for seed in 0..<count {
            var maker = LogMaker(accounts, seed: UInt64(seed))
            let log = try maker.make { rules[$0, default: 0] += 1 }
            for _ in 0..<2 {
                let changed = try maker.mutate(log.entries)
                let rule = replay(changed, "seed \(seed)")
                if let rule { rules[rule, default: 0] += 1 }
            }
            // A log that was cut is a log, but behind a removal.
            let cut = maker.cut(log.entries)
            #expect(replay(cut, "seed \(seed)") == nil)
        }
        // Each rule was met that one entry can break: large zones have tests of their own.
        #expect(Set(rules.keys).isSuperset(of: Array(1...11)), "\(rules)")
    }

    /// Both read the same bytes, up to the first that is refused.
    private func replay(_ entries: [SignedEntry], _ place: String) -> Int? {
        guard let first = entries.first, var log = try? TestLog(first) else {
            return entries.isEmpty ? nil : MembershipRule.order.rawValue
        }
        for entry in entries.dropFirst() {
            let before = log.log
            let rule = log.add(entry)
            #expect(rule.log == rule.model, "\(place)")
            #expect(log.model.agrees(with: log.log), "\(place)")
            if let rule = rule.log {
                #expect(log.log == before, "a refused entry changes nothing, \(place)")
                return rule
            }
        }
        return nil
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed.
struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Makes logs of which most entries are as they should be, and spoils entries of others.
struct LogMaker {
    private let accounts: [TestAccount]
    private var numbers: Numbers

    init(_ accounts: [TestAccount], seed: UInt64) { (self.accounts, numbers) = (accounts, Numbers(state: seed)) }

    private mutating func oneOf(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &numbers) == 0 }
    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &numbers)]
    }

    /// - Parameter refused: gets the number of the rule by which an entry was refused.
    mutating func make(_ refused: (Int) -> Void) throws -> TestLog {
        let scope = oneOf(5) ? "notes" : MembershipLimits.sharedScope
        var log = try TestLog(of: accounts[0], scope: scope)
        for _ in 0..<10 {
            let rules = log.add(try step(after: log.log))
            #expect(rules.log == rules.model)
            #expect(log.model.agrees(with: log.log))
            if let rule = rules.log { refused(rule) }
        }
        return log
    }

    private mutating func step(after log: MembershipLog) throws -> SignedEntry {
        let members = accounts.filter { log.members[$0.id] != nil }
        let managers = members.filter { (log.members[$0.id]?.role.rawValue ?? 4) < 3 }
        var operation = pick([ZoneLogEntry.Operation.add, .add, .remove, .role, .role, .rotate, .leave])
        var signer = oneOf(4) ? pick(members) : pick(managers)
        // What has to follow a removal, most of the time.
        if (try? log.checkEnd()) == nil, !oneOf(4) { (operation, signer) = (.rotate, pick(managers)) }
        let isOwn = [.rotate, .leave].contains(operation) || (operation == .role && oneOf(2))
        let stranger = accounts.first { log.members[$0.id] == nil }
        let subject = isOwn ? signer : operation == .add ? stranger ?? signer : pick(members)
        let known = log.members[subject.id]
        let isNew = operation == .add || (isOwn && operation == .role) || (operation == .rotate && oneOf(3))
        let keys = isNew ? pick(subject.keys).shown : known?.keys ?? subject.keys[0].shown
        let gives = operation == .add || (operation == .role && !isOwn)
        let role = gives ? pick([.admin, .writer, .reader]) : known?.role ?? .reader
        var entry = ZoneLogEntry(
            operation, by: signer.id, of: subject.id, keys, role, after: log,
            commitment: operation == .rotate ? randomBytes() : nil)
        if oneOf(5) { spoil(&entry, log) }
        let isRight = { (keys: TestKeys) in keys.shown.signing == log.members[signer.id]?.keys.signing }
        let key = oneOf(20) ? pick(subject.keys) : signer.keys.first(where: isRight) ?? signer.keys[0]
        return try entry.signed(with: key.signing)
    }

    private mutating func randomBytes() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: 0...255, using: &numbers) } }

    /// Something else in one field.
    private mutating func spoil(_ entry: inout ZoneLogEntry, _ log: MembershipLog) {
        let other = pick(accounts)
        switch Int.random(in: 0..<14, using: &numbers) {
        case 0: entry.zone = randomBytes()
        case 1: entry.number = oneOf(2) ? entry.number + 1 : entry.number - 1
        case 2: entry.previous = pick(log.heads)
        case 3: entry.operation = pick([.add, .remove, .role, .rotate, .leave])
        case 4: entry.subject = other.id
        case 5: entry.signer = other.id
        case 6: entry.signingKey = pick(other.keys).shown.signing
        case 7: entry.agreementKey = pick(other.keys).shown.backgroundAgreement
        case 8: entry.backgroundAgreementKey = pick(other.keys).shown.agreement
        case 9: entry.role = pick(ZoneLogEntry.Role.allCases)
        case 10: entry.zoneClass = .afterFirstUnlock
        case 11: entry.scope = "other"
        case 12: entry.generation = oneOf(2) ? entry.generation + 1 : entry.generation - 1
        default: entry.commitment = pick(log.generations).commitment
        }
    }

    /// A beginning of a log, of one entry at least.
    mutating func cut(_ entries: [SignedEntry]) -> [SignedEntry] {
        Array(entries.prefix(Int.random(in: 1...entries.count, using: &numbers)))
    }

    /// One thing of the whole is another.
    mutating func mutate(_ entries: [SignedEntry]) throws -> [SignedEntry] {
        var changed = entries
        let place = Int.random(in: changed.indices, using: &numbers)
        switch Int.random(in: 0..<7, using: &numbers) {
        case 0: changed.remove(at: place)
        case 1: changed.insert(changed[place], at: place)
        case 2: changed.swapAt(place, Int.random(in: changed.indices, using: &numbers))
        case 3: changed[place].signature = pick(entries).signature
        case 4: changed[place].signature[Int.random(in: 0..<64, using: &numbers)] ^= 1
        case 5: flip(&changed[place].entry)
        default:
            // Whoever has a member's key can sign what it likes.
            if oneOf(2) { flip(&changed[place].entry) } else { changed[place].entry.append(0) }
            let key = pick(pick(accounts).keys)
            changed[place].signature = try Signing.sign(changed[place].entry, privateKey: key.signing)
        }
        return changed
    }

    private mutating func flip(_ bytes: inout [UInt8]) {
        bytes[Int.random(in: bytes.indices, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
    }
}
