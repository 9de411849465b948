import Secrets
import Testing

@testable import Envelopes

/// Accounts, zones, their records and assets against files that other code wrote.
@Suite struct ZoneVectors {
    /// What a refusal is called where the function gives no error of its own.
    private enum Refusal: Error { case `nil`, `false`, differs }

    @Test(arguments: Vector.all("account")) func account(_ vector: Vector) throws {
        let role = try #require(AccountEnvelope.Role(rawValue: UInt8(try vector.number("role"))))
        let account = try vector.identifier("account")
        let accountKey = try vector.secret("account_key")
        let publicKey = try vector.bytes("public_key")
        let outcome = vector.outcome {
            let opened = try AccountEnvelope.open(
                vector.bytes("sealed"), publicKey: publicKey, of: account, as: role, under: accountKey)
            #expect(try opened.copied == vector.bytes("private_key"))
            let again = try AccountEnvelope.seal(opened, publicKey: publicKey, of: account, as: role, under: accountKey)
            let reopened = try AccountEnvelope.open(
                again, publicKey: publicKey, of: account, as: role, under: accountKey)
            #expect(reopened.copied == opened.copied)
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("zone")) func zone(_ vector: Vector) throws {
        let outcome = vector.outcome {
            if vector.fields["entry"] != nil {
                try checkEntry(vector)
            } else if vector.fields["wrapped"] != nil {
                try openZoneKey(vector)
            } else if vector.fields["public_key"] != nil {
                _ = try ZoneKeyEnvelope.wrap(
                    vector.secret("zone_key"), to: vector.bytes("public_key"), of: zoneKeyContext(vector))
            } else {
                let commitment = try ZoneKeyEnvelope.commitment(
                    of: vector.secret("zone_key"), generation: UInt32(vector.number("generation")))
                guard try commitment == vector.bytes("commitment") else { throw Refusal.differs }
            }
        }
        #expect(outcome == vector.refusal)
    }

    private func checkEntry(_ vector: Vector) throws {
        let encoded = try vector.bytes("entry")
        let entry = try ZoneLogEntry(from: encoded)
        #expect(entry.encoded == encoded)
        if vector.fields["signature"] != nil {
            guard entry.verify(try vector.bytes("signature")) else { throw Refusal.false }
        }
        #expect(try entry.hash == vector.bytes("hash"))
        #expect(try entry.zone == vector.bytes("zone") && Int(entry.number) == vector.number("number"))
        #expect(try entry.previous == vector.bytes("previous"))
        #expect(try Int(entry.operation.rawValue) == vector.number("operation"))
        #expect(try entry.subject == vector.identifier("subject") && entry.signer == vector.identifier("signer"))
        #expect(try entry.signingKey == vector.bytes("signing_key"))
        #expect(try entry.backgroundAgreementKey == vector.bytes("background_agreement_key"))
        #expect(try entry.agreementKey == vector.bytes("agreement_key"))
        #expect(try Int(entry.role.rawValue) == vector.number("role"))
        #expect(try Int(entry.zoneClass.rawValue) == vector.number("zone_class"))
        #expect(try entry.scope == vector["scope"] && Int(entry.generation) == vector.number("generation"))
        #expect(try entry.commitment == vector.bytes("commitment") && Int(entry.time) == vector.number("time"))
    }

    private func openZoneKey(_ vector: Vector) throws {
        let privateKey = try vector.secret("private_key")
        let context = try zoneKeyContext(vector)
        let opened = try ZoneKeyEnvelope.open(vector.bytes("wrapped"), privateKey: privateKey, of: context)
        #expect(try opened.copied == vector.bytes("zone_key"))
        let again = try ZoneKeyEnvelope.wrap(opened, to: vector.bytes("public_key"), of: context)
        let reopened = try ZoneKeyEnvelope.open(again, privateKey: privateKey, of: context)
        #expect(reopened.copied == opened.copied)
    }

    private func zoneKeyContext(_ vector: Vector) throws -> ZoneKeyEnvelope.Context {
        ZoneKeyEnvelope.Context(
            zone: try vector.bytes("zone"), generation: UInt32(try vector.number("generation")),
            member: try vector.identifier("member"), head: try vector.bytes("head"))
    }

    @Test(arguments: Vector.all("zone-record")) func zoneRecord(_ vector: Vector) throws {
        guard vector.fields["content_count"] == nil else {
            #expect(
                try RecordEnvelope.paddedCount(vector.number("content_count")) == vector.number("padded_count"))
            return
        }
        let context = RecordContext(
            zone: try vector.bytes("zone"), name: try vector.identifier("name"),
            type: UInt16(try vector.number("type")), generation: UInt32(try vector.number("generation")),
            revision: UInt64(try vector.number("revision")), writer: try vector.identifier("writer"),
            head: try vector.bytes("head"))
        let record = SealedRecord(
            wrappedKey: try vector.bytes("wrapped_key"), sealed: try vector.bytes("sealed"))
        let zoneKey = try vector.secret("zone_key")
        let outcome = vector.outcome {
            let content = try RecordEnvelope.open(record, under: zoneKey, of: context)
            #expect(try content == vector.bytes("content"))
            let again = try content.withSpan { try RecordEnvelope.seal($0, under: zoneKey, of: context) }
            #expect(again.sealed.count == record.sealed.count && again.sealed != record.sealed)
            #expect(try RecordEnvelope.open(again, under: zoneKey, of: context) == content)
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("asset")) func asset(_ vector: Vector) throws {
        let made = AssetKey.make(
            key: try vector.secret("key"), prefix: try vector.bytes("prefix"), asset: try vector.identifier("asset"))
        guard let key = made else {
            #expect(vector.refusal == "nil")
            return
        }
        let index = UInt32(try vector.number("index"))
        let isLast = vector["last"] == "1"
        let outcome = vector.outcome {
            if vector.fields["plaintext"] != nil {
                let plaintext = try vector.bytes("plaintext")
                let sealed = try plaintext.withSpan {
                    try AssetEnvelope.seal($0, at: index, isLast: isLast, under: key)
                }
                #expect(try sealed == vector.bytes("sealed"))
            }
            let sealed = try sealedChunk(vector, under: key)
            let opened = try sealed.withSpan { try AssetEnvelope.open($0, at: index, isLast: isLast, under: key) }
            #expect(try opened == (vector.fields["fill"] == nil ? vector.bytes("plaintext") : filled(vector)))
        }
        #expect(outcome == vector.refusal)
    }

    /// A chunk as the file gives it; one of a whole MiB is made of what it is filled with, and has the file's tag.
    private func sealedChunk(_ vector: Vector, under key: borrowing AssetKey) throws -> [UInt8] {
        if vector.fields["zeros"] != nil { return [UInt8](repeating: 0, count: try vector.number("zeros")) }
        guard vector.fields["fill"] != nil else { return try vector.bytes("sealed") }
        let index = UInt32(try vector.number("sealed_index"))
        let isLast = vector["sealed_last"] == "1"
        let sealed = try filled(vector).withSpan { (span) throws in
            try AssetEnvelope.seal(span, at: index, isLast: isLast, under: key)
        }
        #expect(try Array(sealed.suffix(16)) == vector.bytes("tag"))
        return sealed
    }

    private func filled(_ vector: Vector) throws -> [UInt8] {
        [UInt8](repeating: UInt8(try vector.number("fill")), count: try vector.number("count"))
    }

    @Test func `accounts, zones, records and assets have their vectors`() {
        let counts = ["account", "zone", "zone-record", "asset"].map { Vector.all($0).count }
        #expect(counts.allSatisfy { $0 >= 10 } && counts.reduce(0, +) >= 130)
    }
}
