package import KeyEnvelopes
package import Secrets

/// What a zone's record is and where it belongs; see specs/zone-record.md.
package struct RecordContext: Equatable, Sendable {
    /// 32 bytes.
    package var zone: [UInt8]
    /// What others call the record; the same over all its revisions.
    package var name: Identifier
    /// What it holds, by the numbers of the app whose zone it is.
    package var type: UInt16
    /// Of the zone key.
    package var generation: UInt32
    /// One more with each change: an earlier one is told by it.
    package var revision: UInt64
    /// The account that wrote it.
    package var writer: Identifier
    /// The hash of the membership log's head that the writer saw, 32 bytes.
    package var head: [UInt8]

    /// - Parameters:
    ///   - zone: 32 bytes.
    ///   - generation: of the zone key.
    ///   - head: of the log that the writer saw, 32 bytes.
    package init(
        zone: [UInt8], name: Identifier, type: UInt16, generation: UInt32, revision: UInt64, writer: Identifier,
        head: [UInt8]
    ) {
        self.zone = zone
        self.name = name
        self.type = type
        self.generation = generation
        self.revision = revision
        self.writer = writer
        self.head = head
    }

    /// Fields of fixed length, so that none can reach into its neighbour.
    fileprivate var isWellFormed: Bool { zone.count == 32 && head.count == 32 }

    var authenticatedData: [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor zone record v1")
        writer.raw(zone)
        writer.identifier(name)
        writer.uint16(type)
        writer.uint32(generation)
        writer.uint64(revision)
        writer.identifier(self.writer)
        writer.raw(head)
        return writer.bytes
    }
}

/// A record as it is stored: its own key under the zone's, and its content under its own key.
package struct SealedRecord: Equatable, Sendable {
    /// 40 bytes.
    package var wrappedKey: [UInt8]
    /// Nonce ‖ ciphertext ‖ tag.
    package var sealed: [UInt8]

    /// - Parameters:
    ///   - wrappedKey: 40 bytes.
    ///   - sealed: nonce ‖ ciphertext ‖ tag.
    package init(wrappedKey: [UInt8], sealed: [UInt8]) {
        self.wrappedKey = wrappedKey
        self.sealed = sealed
    }
}

/// A record that leaves the device, signed by its writer; see specs/zone-record.md, "Signature".
package enum RecordSignature {
    /// - Parameters:
    ///   - context: as what the record is sealed.
    ///   - privateKey: the writer's for signatures, or its background signing key; 32 bytes.
    /// - Returns: 64 bytes.
    /// - Throws: `EnvelopeError.malformed` for a zone or head of another length.
    package static func sign(
        _ record: SealedRecord, of context: RecordContext, privateKey: borrowing SecretBytes
    ) throws(EnvelopeError) -> [UInt8] {
        guard context.isWellFormed else { throw .malformed }
        return try Signing.sign(message(record, context), privateKey: privateKey)
    }

    /// Whether the holder of a key, 32 bytes, signed this record as what `context` says.
    package static func verify(
        _ signature: [UInt8], of record: SealedRecord, _ context: RecordContext, publicKey: [UInt8]
    ) -> Bool {
        // The wrapped key has one length, so that no byte moves from it to what is sealed.
        guard context.isWellFormed, record.wrappedKey.count == RecordEnvelope.wrappedKeyCount else { return false }
        return Signing.verify(signature, of: message(record, context), publicKey: publicKey)
    }

    private static func message(_ record: SealedRecord, _ context: RecordContext) -> [UInt8] {
        Digest.sha256(context.authenticatedData + record.wrappedKey + record.sealed)
    }
}

/// The content of a zone's record.
package enum RecordEnvelope {
    fileprivate static let wrappedKeyCount = 40
    private static let nonceCount = 12

    /// Seals a content under a fresh key, padded so that its length tells little.
    ///
    /// - Parameters:
    ///   - zoneKey: 32 bytes, of the generation that `record` names.
    ///   - record: everything that the content is bound to.
    /// - Throws: `EnvelopeError.malformed` for a zone or head of another length, and for more than 2³²−1 bytes.
    package static func seal(
        _ content: RawSpan, under zoneKey: borrowing SecretBytes, of record: RecordContext
    ) throws(EnvelopeError) -> SealedRecord {
        guard content.byteCount <= Int(UInt32.max), record.isWellFormed else { throw .malformed }
        let key = try KeyEnvelope.makeKey()
        var padded = ByteWriter(capacity: paddedCount(content.byteCount))
        padded.field(content)
        padded.zeros(paddedCount(content.byteCount) - padded.bytes.count)
        let nonce = Random.bytes(count: nonceCount)
        let sealed = try padded.bytes.withSpan { (span) throws(EnvelopeError) in
            try GCM.seal(span, nonce: nonce, under: key, binding: record.authenticatedData)
        }
        return SealedRecord(wrappedKey: try KeyWrap.wrap(key, under: zoneKey), sealed: nonce + sealed)
    }

    /// - Throws: `notAuthentic` when key, content or context is another; `malformed` for a length or padding that
    ///   ``seal(_:under:of:)`` does not write.
    package static func open(
        _ record: SealedRecord, under zoneKey: borrowing SecretBytes, of context: RecordContext
    ) throws(EnvelopeError) -> [UInt8] {
        guard context.isWellFormed, record.wrappedKey.count == wrappedKeyCount,
            record.sealed.count >= nonceCount + GCM.tagCount
        else {
            throw .malformed
        }
        let key = try KeyWrap.unwrap(record.wrappedKey, under: zoneKey)
        return try unpad(GCM.open(combined: record.sealed, under: key, binding: context.authenticatedData))
    }

    private static func unpad(_ padded: [UInt8]) throws(EnvelopeError) -> [UInt8] {
        guard padded.count >= 4 else { throw .malformed }
        let count = padded[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard 4 + count <= padded.count, padded.count == paddedCount(count),
            padded[(4 + count)...].allSatisfy({ $0 == 0 })
        else { throw .malformed }
        return Array(padded[4..<4 + count])
    }

    /// How long the padded plaintext of so much content is: at most a sixteenth is lost, and lengths tell little.
    package static func paddedCount(_ contentCount: Int) -> Int {
        let count = 4 + contentCount
        let magnitude = Int.bitWidth - 1 - count.leadingZeroBitCount
        let unit = max(64, 1 << max(0, magnitude - 4))
        return (count + unit - 1) / unit * unit
    }
}
