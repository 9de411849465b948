import Envelopes
import KeyEnvelopes
package import Secrets

/// A zone key for one member, as it travels; see specs/cloud.md, "Modify".
package struct ZoneKeyWrap: Equatable, Sendable {
    /// Of the zone key.
    package var generation: UInt32
    /// Who can open it.
    package var member: Identifier
    /// Of the log, when it was wrapped: 32 bytes.
    package var head: [UInt8]
    /// ``ZoneKeyEnvelope/byteCount`` bytes.
    package var wrap: [UInt8]

    /// - Parameters:
    ///   - generation: of the zone key.
    ///   - head: 32 bytes.
    ///   - wrap: ``ZoneKeyEnvelope/byteCount`` bytes.
    package init(generation: UInt32, member: Identifier, head: [UInt8], wrap: [UInt8]) {
        (self.generation, self.member, self.head, self.wrap) = (generation, member, head, wrap)
    }
}

/// The zone key of before a generation, under that of the generation, as it travels.
package struct ZoneKeyLink: Equatable, Sendable {
    /// Above 1: the one under whose key the other lies.
    package var generation: UInt32
    /// ``ZoneKeyLinkEnvelope/byteCount`` bytes.
    package var link: [UInt8]

    /// - Parameter link: ``ZoneKeyLinkEnvelope/byteCount`` bytes.
    package init(generation: UInt32, link: [UInt8]) { (self.generation, self.link) = (generation, link) }
}

extension MembershipLog {
    /// Takes the entries of a batch, all or none, if the batch also brings the keys that they make necessary.
    ///
    /// That they are there is all that whoever has no key can see: a server checks nothing more. A member opens its own
    /// by ``open(_:privateKey:)`` and ``open(_:under:)``.
    ///
    /// - Throws: `MembershipError.rule` with the first rule that one of them breaks; the log is as before then.
    package mutating func append(
        _ entries: [(entry: [UInt8], signature: [UInt8])], wraps: [ZoneKeyWrap], links: [ZoneKeyLink]
    ) throws(MembershipError) {
        var after = self
        var added: [ZoneLogEntry] = []
        for (entry, signature) in entries {
            let taken = try after.append(entry, signature: signature)
            if taken.operation == .add { added.append(taken) }
        }
        try after.checkEnd()
        try after.checkBatch(from: self, added, wraps, links)
        self = after
    }

    /// - Parameter before: the log that the batch's writer saw.
    private func checkBatch(
        from before: MembershipLog, _ added: [ZoneLogEntry], _ wraps: [ZoneKeyWrap], _ links: [ZoneKeyLink]
    ) throws(MembershipError) {
        func has(_ generation: UInt32, for member: Identifier, at log: MembershipLog) -> Bool {
            wraps.contains { $0.generation == generation && $0.member == member && $0.head == log.heads.last }
        }
        for generation in (before.generation + 1)..<(generation + 1) {
            guard members.keys.allSatisfy({ has(generation, for: $0, at: self) }),
                links.contains(where: { $0.generation == generation })
            else { throw .rule(.batch) }
        }
        // Where the generation is new as well, its wraps are those of above.
        for entry in added where entry.generation <= before.generation {
            guard has(entry.generation, for: entry.subject, at: before) else { throw .rule(.batch) }
        }
    }

    /// Opens a member's wrap, and compares the key with what the log says of it.
    ///
    /// - Parameter privateKey: the member's agreement key for the zone's class, 32 bytes.
    /// - Returns: the zone key of the wrap's generation, 32 bytes.
    /// - Throws: `MembershipError.rule(.batch)` for a wrap to another key, of another key, or under a head that the log
    ///   does not have; `memory`.
    package func open(
        _ wrap: ZoneKeyWrap, privateKey: borrowing SecretBytes
    ) throws(MembershipError) -> SecretBytes {
        guard heads.contains(wrap.head) else { throw .rule(.batch) }
        let context = ZoneKeyEnvelope.Context(
            zone: zone, generation: wrap.generation, member: wrap.member, head: wrap.head)
        let key: SecretBytes
        do { key = try ZoneKeyEnvelope.open(wrap.wrap, privateKey: privateKey, of: context) } catch {
            throw error == .memory ? .memory : .rule(.batch)
        }
        guard names(key, as: wrap.generation) else { throw .rule(.batch) }
        return key
    }

    /// Opens a link, and compares the key with what the log says of it.
    ///
    /// - Parameter zoneKey: of the link's generation, 32 bytes.
    /// - Returns: the zone key of the generation before, 32 bytes.
    /// - Throws: `MembershipError.rule(.batch)` for a link under or of another key; `memory`.
    package func open(
        _ link: ZoneKeyLink, under zoneKey: borrowing SecretBytes
    ) throws(MembershipError) -> SecretBytes {
        guard link.generation > 1 else { throw .rule(.batch) }
        let key: SecretBytes
        do { key = try ZoneKeyLinkEnvelope.open(link.link, under: zoneKey) } catch {
            throw error == .memory ? .memory : .rule(.batch)
        }
        guard names(key, as: link.generation - 1) else { throw .rule(.batch) }
        return key
    }
}
