package import KeyEnvelopes
package import Secrets

/// A named set of parameters for the lock of a note; see specs/note-lock.md.
package enum LockSuite: UInt8, CaseIterable, Sendable {
    /// What Apple documents: 16-byte keys, 16-byte initialisation vectors.
    case documented128 = 1
    /// The same structure with 256-bit keys; the default.
    case tresor256 = 2

    /// As settings and commands spell it.
    package var name: String {
        switch self {
        case .documented128: "documented-128"
        case .tresor256: "tresor-256"
        }
    }

    /// Nil for a name that no suite has.
    package init?(name: String) {
        guard let suite = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = suite
    }

    /// Of every key of the lock: passphrase key, note key.
    package var keyByteCount: Int { self == .documented128 ? 16 : 32 }
    /// Of PBKDF2's salt.
    package var saltByteCount: Int { keyByteCount }
    /// Of a key under another (AES-KW, RFC 3394).
    package var wrappedByteCount: Int { keyByteCount + 8 }
    /// Of AES-GCM's initialisation vector.
    package var ivByteCount: Int { self == .documented128 ? 16 : 12 }

    /// PBKDF2 rounds that a reader accepts: fewer would be weak, more would hang the device for minutes.
    package static let rounds: ClosedRange<UInt32> = 600_000...100_000_000
}

/// Which part of a locked note some sealed bytes are.
package struct LockPart: Equatable, Sendable {
    /// What of a note it is; `origin` is what an import has kept of the original.
    package enum Kind: UInt8, Sendable { case body = 1, attachment, version, draft, origin }
    /// The note, by its record's name.
    package var note: Identifier
    /// What of the note it is.
    package var kind: Kind
    /// Which one of its kind; zero where a note has one alone.
    package var id: Identifier
    /// The text revision that the part belongs to; nil for a part that belongs to the note at any, and for what 0.1
    /// sealed.
    package var revision: UInt64?

    /// - Parameter revision: nil for a part that belongs to the note at any.
    package init(note: Identifier, kind: Kind, id: Identifier = .zero, revision: UInt64? = nil) {
        self.note = note
        self.kind = kind
        self.id = id
        self.revision = revision
    }

    /// The same part, as 0.1 sealed it.
    package var unbound: LockPart { LockPart(note: note, kind: kind, id: id) }

    fileprivate func authenticatedData(_ suite: LockSuite) -> [UInt8] {
        var writer = ByteWriter()
        writer.field(revision == nil ? "tresor note lock v1" : "tresor note lock v2")
        writer.uint8(suite.rawValue)
        writer.identifier(note)
        writer.uint8(kind.rawValue)
        writer.identifier(id)
        if let revision { writer.uint64(revision) }
        return writer.bytes
    }
}

/// The lock of a note: passphrase → KEK → wrapped DEK → sealed parts.
///
/// See specs/note-lock.md.
package enum NoteLockEnvelope {
    /// The KEK of a passphrase.
    ///
    /// - Parameters:
    ///   - passphrase: UTF-8; it is brought to Normalization Form C first.
    ///   - salt: of the suite's length.
    ///   - rounds: within ``LockSuite/rounds``.
    /// - Throws: `malformed` for anything else; `memory`.
    package static func deriveKey(
        from passphrase: borrowing SecretBytes, salt: [UInt8], rounds: UInt32, suite: LockSuite
    ) throws(EnvelopeError) -> SecretBytes {
        guard salt.count == suite.saltByteCount, LockSuite.rounds.contains(rounds) else { throw .malformed }
        let normal = try PassphraseDerivation.normalize(passphrase)
        return try PassphraseDerivation.derive(
            from: normal, salt: salt, rounds: rounds, byteCount: suite.keyByteCount)
    }

    /// Whether a passphrase stands somewhere in a text that others may read, in whatever way either is composed, and in
    /// small letters or capitals, as far as those are ASCII.
    ///
    /// - Parameter passphrase: UTF-8, and not empty.
    package static func isContained(
        _ passphrase: borrowing SecretBytes, in text: String
    ) throws(EnvelopeError) -> Bool {
        let normal = try PassphraseDerivation.normalize(passphrase)
        let bytes = NormalForm.composed(text).utf8.map(smallLetter)
        guard normal.count > 0, normal.count <= bytes.count else { return false }
        for start in 0...bytes.count - normal.count {
            var (offset, isSame) = (start, true)
            normal.withBytes { span in
                span.forEachByte { byte in
                    if bytes[offset] != smallLetter(byte) { isSame = false }
                    offset += 1
                }
            }
            if isSame { return true }
        }
        return false
    }

    private static func smallLetter(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// A fresh DEK.
    package static func makeKey(_ suite: LockSuite) throws(EnvelopeError) -> SecretBytes {
        do { return try SecretBytes.makeRandom(count: suite.keyByteCount) } catch { throw .memory }
    }

    /// - Returns: 8 bytes more than the key has.
    package static func wrap(
        _ key: borrowing SecretBytes, under wrapping: borrowing SecretBytes
    ) throws(EnvelopeError) -> [UInt8] { try KeyWrap.wrap(key, under: wrapping) }

    /// - Throws: `notAuthentic` under another key.
    package static func unwrap(
        _ wrapped: [UInt8], under wrapping: borrowing SecretBytes
    ) throws(EnvelopeError) -> SecretBytes {
        // A DEK has its KEK's length: a key of the other suite is none.
        guard wrapped.count == wrapping.count + 8 else { throw .malformed }
        return try KeyWrap.unwrap(wrapped, under: wrapping)
    }

    /// - Returns: initialisation vector ‖ ciphertext ‖ tag.
    package static func seal(
        _ plaintext: RawSpan, under key: borrowing SecretBytes, of part: LockPart, suite: LockSuite
    ) throws(EnvelopeError) -> [UInt8] {
        guard key.count == suite.keyByteCount else { throw .malformed }
        let iv = Random.bytes(count: suite.ivByteCount)
        return try iv + GCM.seal(plaintext, nonce: iv, under: key, binding: part.authenticatedData(suite))
    }

    /// - Parameter sealed: initialisation vector ‖ ciphertext ‖ tag.
    /// - Throws: `EnvelopeError`: `notAuthentic` for another note, part or revision, `malformed` for other lengths.
    package static func open(
        _ sealed: [UInt8], under key: borrowing SecretBytes, of part: LockPart, suite: LockSuite
    ) throws(EnvelopeError) -> [UInt8] {
        guard key.count == suite.keyByteCount, sealed.count >= suite.ivByteCount + GCM.tagCount else {
            throw .malformed
        }
        return try sealed.withSpan { (span) throws(EnvelopeError) in
            try GCM.open(
                span.extracting(droppingFirst: suite.ivByteCount), nonce: Array(sealed.prefix(suite.ivByteCount)),
                under: key, binding: part.authenticatedData(suite))
        }
    }
}

/// What Apple's Notes wrote, for its import alone; nothing is ever sealed so anew.
///
/// The formats: specs/note-lock.md, section "Apple".
package enum AppleNoteEnvelope {
    /// - Parameters:
    ///   - rounds: as found (Apple's are 20,000), at most ten million: more would hang the import.
    ///   - byteCount: 16 or 32.
    package static func deriveKey(
        from passphrase: borrowing SecretBytes, salt: [UInt8], rounds: UInt32, byteCount: Int
    ) throws(EnvelopeError) -> SecretBytes {
        guard (1...64).contains(salt.count), (1...10_000_000).contains(rounds),
            byteCount == 16 || byteCount == 32
        else { throw .malformed }
        return try PassphraseDerivation.derive(from: passphrase, salt: salt, rounds: rounds, byteCount: byteCount)
    }

    /// - Throws: `EnvelopeError.notAuthentic` where the passphrase was another (AES-KW's check, RFC 3394).
    package static func unwrap(
        _ wrapped: [UInt8], under key: borrowing SecretBytes
    ) throws(EnvelopeError) -> SecretBytes { try KeyWrap.unwrap(wrapped, under: key) }

    /// - Parameters:
    ///   - iv: 12 to 64 bytes, as found.
    ///   - tag: 16 bytes.
    ///   - aad: what it is bound to; empty in Apple's older notes.
    /// - Throws: `EnvelopeError`: `notAuthentic`, `malformed` for other lengths.
    package static func open(
        _ ciphertext: [UInt8], iv: [UInt8], tag: [UInt8], under key: borrowing SecretBytes, binding aad: [UInt8]
    ) throws(EnvelopeError) -> [UInt8] {
        guard (12...64).contains(iv.count), tag.count == GCM.tagCount else { throw .malformed }
        return try (ciphertext + tag).withSpan { (span) throws(EnvelopeError) in
            try GCM.open(span, nonce: iv, under: key, binding: aad)
        }
    }

    /// Seals as Apple does: for the tests of the import, which make their own databases.
    package static func seal(
        _ plaintext: RawSpan, iv: [UInt8], under key: borrowing SecretBytes, binding aad: [UInt8]
    ) throws(EnvelopeError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        let sealed = try GCM.seal(plaintext, nonce: iv, under: key, binding: aad)
        return (ciphertext: Array(sealed.dropLast(GCM.tagCount)), tag: Array(sealed.suffix(GCM.tagCount)))
    }
}
