package import Secrets

/// What a part of a look at all items has found: each row is opened, and what is in it thrown away.
package struct ItemLook: Equatable, Sendable {
    /// Behind which row the next part begins; 0 behind the last.
    package var next: UInt64 = 0
    /// Rows that were looked at in this part.
    package var rows: UInt32 = 0
    /// Those of them that the lock state, or a keychain's, shuts.
    package var shut: UInt32 = 0
    /// Those of which only the attributes were opened: the secret demands its owner, or a password.
    package var guarded: UInt32 = 0
    /// How many rows there are in all.
    package var total: UInt64 = 0
    /// Whether a page of the database cannot be read; nobody can tell how many items stood on it.
    package var hasLostPage = false
    /// Rows that do not decode, or whose page cannot be read; at most ``mostDamaged``.
    package var damaged: [PersistentReference] = []
    /// What was damaged or lost, and was taken from an earlier copy.
    package var taken: [PersistentReference] = []

    /// How many one part names.
    package static let mostDamaged = 256

    /// A part in which nothing was looked at yet.
    package init() {}

    /// Writes the numbers, and both lists, each behind its count in 32 bits.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint64(next)
        try buffer.uint32(rows)
        try buffer.uint32(shut)
        try buffer.uint32(guarded)
        try buffer.uint64(total)
        try buffer.bool(hasLostPage)
        for references in [damaged, taken] {
            try buffer.uint32(UInt32(references.count))
            for reference in references { try buffer.append(reference.bytes) }
        }
    }

    /// - Throws: `DecodingError` for more than ``mostDamaged`` names in a list.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        next = try reader.uint64()
        rows = try reader.uint32()
        shut = try reader.uint32()
        guarded = try reader.uint32()
        total = try reader.uint64()
        hasLostPage = try reader.bool()
        for _ in 0..<(try reader.count(limit: Self.mostDamaged)) {
            damaged.append(try PersistentReference(from: &reader))
        }
        for _ in 0..<(try reader.count(limit: Self.mostDamaged)) {
            taken.append(try PersistentReference(from: &reader))
        }
    }
}
