import Envelopes
import KeyEnvelopes
import Membership
import Secrets
import Testing

/// What a log says after its entries, and which bytes are none.
@Suite struct MembershipLogTests {
    @Test func `a byte too many, too few or changed is refused in each place, whoever signs it`() throws {
        let (owner, guest) = (try TestAccount(), try TestAccount())
        let log = try TestLog(of: owner)
        let entry = ZoneLogEntry(.add, by: owner.id, of: guest.id, guest.keys[0].shown, .writer, after: log.log)
        let whole = try entry.signed(with: owner.keys[0].signing)
        func rule(_ bytes: [UInt8], signedAnew: Bool) throws -> (log: Int?, model: Int?) {
            let signature =
                signedAnew ? try Signing.sign(bytes, privateKey: owner.keys[0].signing) : whole.signature
            var copy = log
            return copy.add(SignedEntry(entry: bytes, signature: signature))
        }
        for count in whole.entry.indices {
            #expect(try rule(Array(whole.entry.prefix(count)), signedAnew: true).log == 1)
        }
        #expect(try rule(whole.entry + [0], signedAnew: true).log == 1)
        for place in whole.entry.indices {
            var changed = whole.entry
            changed[place] ^= 0x80
            #expect(try rule(changed, signedAnew: false).log != nil, "\(place)")
            let anew = try rule(changed, signedAnew: true)
            #expect(anew.log == anew.model, "\(place)")
        }
        #expect(try rule(whole.entry, signedAnew: false).log == nil)
    }

    @Test func `a genesis entry under another name, or with a byte more, begins no log`() throws {
        let genesis = try ZoneLogEntry.genesis(of: TestAccount())
        let zone = try ZoneLogEntry(from: genesis.entry).hash
        #expect(throws: MembershipError.rule(.order)) {
            try MembershipLog(genesis: genesis.entry, signature: genesis.signature, zone: Random.bytes(count: 32))
        }
        #expect(throws: MembershipError.rule(.order)) {
            try MembershipLog(genesis: genesis.entry, signature: genesis.signature, zone: Array(zone.dropLast()))
        }
        #expect(throws: MembershipError.rule(.order)) {
            try MembershipLog(genesis: genesis.entry + [0], signature: genesis.signature, zone: zone)
        }
        #expect(throws: MembershipError.rule(.signature)) {
            try MembershipLog(genesis: genesis.entry, signature: genesis.signature + [0], zone: zone)
        }
    }

    @Test func `a log of notes has one member, one of shared notes 256, and each 65,536 entries`() {
        #expect(MembershipLimits.allow(entries: 65_536, members: 256, inScope: "shared notes"))
        #expect(!MembershipLimits.allow(entries: 65_537, members: 2, inScope: "shared notes"))
        #expect(!MembershipLimits.allow(entries: 300, members: 257, inScope: "shared notes"))
        #expect(MembershipLimits.allow(entries: 65_536, members: 1, inScope: "notes"))
        for scope in ["notes", "diary", "keychain", "account", "", "Shared Notes"] {
            #expect(!MembershipLimits.allow(entries: 2, members: 2, inScope: scope))
        }
    }

    @Test func `a log knows each zone key by its generation, and no other`() throws {
        let owner = try TestAccount()
        let keys = try (0..<2).map { _ in try TestKey() }
        var log = try TestLog(of: owner)
        let commitment = ZoneKeyEnvelope.commitment(of: keys[0].bytes, generation: 2)
        try log.require(.rotate, by: owner, of: owner, owner.keys[0].shown, .owner, commitment: commitment)
        let named = [0, 1, 2, 3, .max].filter { log.log.names(keys[0].bytes, as: $0) }
        let other = [1, 2].filter { log.log.names(keys[1].bytes, as: $0) }
        #expect(named == [2] && other == [])
        #expect(log.log.generations.map(\.entry) == [0, 1])
    }

    @Test func `whoever leaves, or changes its keys, leaves a rotation to be done, until it is done`() throws {
        let (owner, reader, writer) = (try TestAccount(), try TestAccount(), try TestAccount())
        var log = try TestLog(of: owner, [(account: reader, role: .reader), (account: writer, role: .writer)])
        #expect(!log.log.owesRotation)
        try log.require(.role, by: owner, of: reader, reader.keys[0].shown, .writer)
        #expect(!log.log.owesRotation)
        for (operation, keys) in [(ZoneLogEntry.Operation.role, reader.keys[1]), (.leave, writer.keys[0])] {
            let member = operation == .role ? reader : writer
            try log.require(operation, by: member, of: member, keys.shown, .writer)
            #expect(log.log.owesRotation)
            try log.require(
                .rotate, by: owner, of: owner, owner.keys[0].shown, .owner, commitment: Random.bytes(count: 32))
            #expect(!log.log.owesRotation)
        }
        #expect(log.log.members[reader.id]?.since == 4 && log.log.members[writer.id] == nil)
    }
}

/// A zone key; a class, since an array cannot hold what cannot be copied.
private final class TestKey {
    let bytes: SecretBytes

    init() throws { bytes = try KeyEnvelope.makeKey() }
}
