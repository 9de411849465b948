package import Envelopes

/// Which of a writer's keys signed a record.
package enum RecordSigner: Equatable, Sendable {
    /// The signing key that the log has.
    case signingKey
    /// The background signing key of the writer's card, 32 bytes; the card is that of the signing key in force.
    case backgroundKey([UInt8])
}

extension MembershipLog {
    /// Checks a record that came from elsewhere, before it is opened; `self` is the log before the record.
    ///
    /// - Parameters:
    ///   - record: as it is sealed.
    ///   - context: what it says of itself, in the zone from which it came.
    ///   - signature: 64 bytes.
    ///   - key: which of both the flag beside the record names.
    ///   - known: the revision of the record of this name that came before; nil where none did.
    /// - Throws: `MembershipError.record` with the first check that it fails.
    package func check(
        _ record: SealedRecord, _ context: RecordContext, signature: [UInt8], by key: RecordSigner = .signingKey,
        after known: UInt64?
    ) throws(MembershipError) {
        guard context.zone == zone, context.head == heads.last else { throw .record(.head) }
        guard let writer = members[context.writer], writer.role != .reader else { throw .record(.writer) }
        guard context.generation == generation else { throw .record(.generation) }
        guard isSigned(record, context, signature, writer, key) else { throw .record(.signature) }
        if let known { guard context.revision > known else { throw .record(.revision) } }
        // Locks and lock keys: what one member locks would be shut for all, under a passphrase that only one has.
        guard scope != MembershipLimits.sharedScope || !Self.locks.contains(context.type) else {
            throw .record(.type)
        }
    }

    private static let locks: Set<UInt16> = [3, 4]

    private func isSigned(
        _ record: SealedRecord, _ context: RecordContext, _ signature: [UInt8], _ writer: Member, _ key: RecordSigner
    ) -> Bool {
        switch key {
        case .signingKey:
            RecordSignature.verify(signature, of: record, context, publicKey: writer.keys.signing)
        case .backgroundKey(let card):
            // Where the device is unlocked its account key is at hand, and no other one is needed.
            zoneClass == .afterFirstUnlock
                && RecordSignature.verify(signature, of: record, context, publicKey: card)
        }
    }
}
