import Envelopes
import Membership
import Secrets
import Testing

/// Whole membership logs, and what travels beside them, against files that other code wrote.
@Suite struct MemberVectors {
    /// The numbers of rules and checks are those of specs/zone-members.md.
    private func refusal(_ body: () throws -> Void) throws -> String? {
        do {
            try body()
            return nil
        } catch MembershipError.rule(let rule) {
            return "rule \(rule.rawValue)"
        } catch MembershipError.record(let check) {
            return "check \(check.rawValue)"
        }
    }

    @Test(arguments: Vector.all("zone-members")) func zoneMembers(_ vector: Vector) throws {
        if vector.fields["tag"] != nil {
            try checkTag(vector)
        } else if vector.fields["batch_from"] != nil {
            try checkBatch(vector)
        } else if vector.fields["sealed"] != nil {
            let log = try replay(entries(vector), of: vector)
            #expect(try refusal { try checkRecord(vector, log) } == vector.refusal)
        } else if vector.refusal == nil {
            try checkState(replay(entries(vector), of: vector), vector)
        } else {
            try checkRefusal(vector)
        }
    }

    private func entries(_ vector: Vector) throws -> [(entry: [UInt8], signature: [UInt8])] {
        try (0..<vector.number("entries")).map {
            (entry: try vector.bytes("entry_\($0)"), signature: try vector.bytes("signature_\($0)"))
        }
    }

    private func replay(
        _ entries: some Sequence<(entry: [UInt8], signature: [UInt8])>, of vector: Vector
    ) throws -> MembershipLog {
        var log: MembershipLog?
        for (entry, signature) in entries {
            if log == nil {
                log = try MembershipLog(genesis: entry, signature: signature, zone: vector.bytes("zone"))
            } else {
                try log?.append(entry, signature: signature)
            }
        }
        return try #require(log)
    }

    private func checkState(_ log: MembershipLog, _ vector: Vector) throws {
        try log.checkEnd()
        let members = log.members.sorted { $0.key.description < $1.key.description }.map { id, member in
            let keys = [member.keys.signing, member.keys.backgroundAgreement, member.keys.agreement]
            let shown = keys.map { Hexadecimal.encode($0) }.joined(separator: " ")
            return "\(id) \(member.role.rawValue) \(member.since) \(shown)"
        }
        let count = try vector.number("members")
        #expect(count > 0 && members == (1...count).map { vector["member_\($0)"] })
        #expect(try Int(log.generation) == vector.number("generation"))
        #expect(try log.generations.last?.commitment == vector.bytes("commitment"))
        #expect(try log.heads.last == vector.bytes("head") && log.heads.count == vector.number("entries"))
        #expect(log.owesRotation == (vector["owes_rotation"] == "1"))
    }

    /// All but the last entry are taken; then the rule says why, and nothing has changed.
    private func checkRefusal(_ vector: Vector) throws {
        let all = try entries(vector)
        let last = try #require(all.last)
        guard all.count > 1 else {
            #expect(try refusal { _ = try replay(all, of: vector) } == vector.refusal)
            return
        }
        var log = try replay(all.dropLast(), of: vector)
        let before = log
        let outcome = try refusal { try log.append(last.entry, signature: last.signature) }
        #expect(try (outcome ?? refusal { try log.checkEnd() }) == vector.refusal)
        #expect((log == before) == (outcome != nil))
    }

    private func checkBatch(_ vector: Vector) throws {
        let all = try entries(vector)
        let start = try vector.number("batch_from")
        var log = try replay(all[..<start], of: vector)
        let wraps = try parts("wrap", vector).map { parts in
            try ZoneKeyWrap(
                generation: #require(UInt32(parts[0])), member: #require(Identifier(parts[1])),
                head: #require(Hexadecimal.decode(parts[2])), wrap: #require(Hexadecimal.decode(parts[3])))
        }
        let links = try parts("link", vector).map { parts in
            try ZoneKeyLink(generation: #require(UInt32(parts[0])), link: #require(Hexadecimal.decode(parts[1])))
        }
        let member = try vector.identifier("member")
        let outcome = try refusal {
            let before = log
            do { try log.append(Array(all[start...]), wraps: wraps, links: links) } catch {
                #expect(log == before)
                throw error
            }
            let wrap = try #require(wraps.first { $0.member == member })
            var key = try log.open(wrap, privateKey: vector.secret("private_key"))
            if vector.refusal == nil { #expect(try key.copied == vector.bytes("zone_key_\(wrap.generation)")) }
            for link in links.sorted(by: { $0.generation > $1.generation }) {
                key = try log.open(link, under: key)
                if vector.refusal == nil { #expect(try key.copied == vector.bytes("zone_key_\(link.generation - 1)")) }
            }
        }
        #expect(outcome == vector.refusal)
    }

    private func parts(_ word: String, _ vector: Vector) throws -> [[String]] {
        try (0..<vector.number(word + "s")).map { number in
            vector["\(word)_\(number + 1)"].split(separator: " ").map(String.init)
        }
    }

    private func checkRecord(_ vector: Vector, _ log: MembershipLog) throws {
        let context = RecordContext(
            zone: log.zone, name: try vector.identifier("name"), type: UInt16(try vector.number("type")),
            generation: UInt32(try vector.number("generation")), revision: UInt64(try vector.number("revision")),
            writer: try vector.identifier("writer"), head: try vector.bytes("head"))
        let record = SealedRecord(wrappedKey: try vector.bytes("wrapped_key"), sealed: try vector.bytes("sealed"))
        let cardKey = try vector.bytes("card_key")
        let signer = vector["background"] == "1" ? RecordSigner.backgroundKey(cardKey) : .signingKey
        let signature = try vector.bytes("signature")
        // Where no record of this name is known its revision says nothing.
        let first = try refusal { try log.check(record, context, signature: signature, by: signer, after: nil) }
        #expect(first == (vector.refusal == "check 5" ? nil : vector.refusal))
        let known = UInt64(try vector.number("known_revision"))
        try log.check(record, context, signature: signature, by: signer, after: known)
    }

    private func checkTag(_ vector: Vector) throws {
        let names = ["signing_key", "background_agreement_key", "agreement_key", "background_signing_key"]
        let tag = try InvitationTag.make(
            under: vector.secret("secret"), of: vector.identifier("invitation"), zone: vector.bytes("zone"),
            account: vector.identifier("account"), publicKeys: names.map { try vector.bytes($0) })
        #expect(try (tag.bytes == vector.bytes("tag")) == (vector.refusal == nil))
    }

    @Test func `each rule and each check has vectors that it refuses`() {
        let refusals = Vector.all("zone-members").compactMap(\.refusal)
        for rule in MembershipRule.allCases { #expect(refusals.count { $0 == "rule \(rule.rawValue)" } >= 2) }
        for check in RecordCheck.allCases { #expect(refusals.count { $0 == "check \(check.rawValue)" } >= 2) }
        #expect(MembershipRule.allCases.count == 12 && RecordCheck.allCases.count == 6)
        #expect(Vector.all("zone-members").count >= 120)
    }
}
