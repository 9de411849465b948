package import Envelopes
import KeyEnvelopes
import Secrets

/// A zone whose keys are at hand.
///
/// It goes away, and the keys with it, when the lock state shuts the zone's class.
package final class OpenZone {
    let row: Int64
    /// The hash of its first log entry, 32 bytes.
    package let zone: [UInt8]
    /// In which lock states its keys can be had.
    package let zoneClass: ZoneLogEntry.ZoneClass
    /// Who writes here.
    let writer: Identifier
    /// Of the zone key under which new records are sealed.
    let generation: UInt32
    let keys: [UInt32: ZoneKey]
    /// The hash of each log entry.
    let heads: [[UInt8]]

    init(
        row: Int64, zone: [UInt8], zoneClass: ZoneLogEntry.ZoneClass, writer: Identifier, generation: UInt32,
        keys: [UInt32: ZoneKey], heads: [[UInt8]]
    ) {
        self.row = row
        self.zone = zone
        self.zoneClass = zoneClass
        self.writer = writer
        self.generation = generation
        self.keys = keys
        self.heads = heads
    }

    /// The place of the log's head.
    var head: Int { heads.count - 1 }

    /// As what a record is sealed here now.
    func context(_ name: Identifier, type: UInt16, revision: UInt64) -> RecordContext {
        RecordContext(
            zone: zone, name: name, type: type, generation: generation, revision: revision, writer: writer,
            head: heads[head])
    }

    func seal(_ content: RawSpan, _ context: RecordContext) throws(EnvelopeError) -> SealedRecord {
        guard let key = keys[context.generation] else { throw .malformed }
        return try RecordEnvelope.seal(content, under: key.bytes, of: context)
    }

    func open(_ record: SealedRecord, _ context: RecordContext) throws(EnvelopeError) -> [UInt8] {
        guard let key = keys[context.generation] else { throw .notAuthentic }
        return try RecordEnvelope.open(record, under: key.bytes, of: context)
    }
}

/// A zone key in locked memory; a class, because a dictionary can't hold what can't be copied.
final class ZoneKey {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
