import Envelopes
import Secrets
import Zones

/// A passphrase of the account, as its record tells of it; kept as long as any note names it.
struct LockKey: Equatable, Sendable {
    /// The record's name.
    var id: Identifier
    var suite: LockSuite
    /// Of PBKDF2.
    var rounds: UInt32
    var salt: [UInt8]
    /// A random key under the KEK: it opens under the right passphrase alone.
    var verifier: [UInt8]
    var hint: String?
    /// Microseconds since 1970, UTC.
    var created: Int64

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.uint8(suite.rawValue)
        writer.uint32(rounds)
        writer.field(salt)
        writer.field(verifier)
        writer.bool(hint != nil)
        if let hint { writer.field(hint) }
        writer.int64(created)
        return writer.bytes
    }

    init(
        id: Identifier, suite: LockSuite, rounds: UInt32, salt: [UInt8], verifier: [UInt8], hint: String?,
        created: Int64
    ) {
        self.id = id
        self.suite = suite
        self.rounds = rounds
        self.salt = salt
        self.verifier = verifier
        self.hint = hint
        self.created = created
    }

    init(_ id: Identifier, from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            guard let suite = LockSuite(rawValue: try reader.uint8()) else { throw .invalid }
            let rounds = try reader.uint32()
            let salt = try reader.bytesField(limit: 64)
            let verifier = try reader.bytesField(limit: 64)
            guard LockSuite.rounds.contains(rounds), salt.count == suite.saltByteCount,
                verifier.count == suite.wrappedByteCount
            else { throw .invalid }
            let hint = try reader.bool() ? try reader.stringField(limit: 4096) : nil
            return LockKey(
                id: id, suite: suite, rounds: rounds, salt: salt, verifier: verifier, hint: hint,
                created: try reader.int64())
        }
    }
}

/// The lock of one note: its key under a passphrase's.
struct NoteLock: Equatable, Sendable {
    var note: Identifier
    /// The ``LockKey`` under which it is.
    var lockKey: Identifier
    var suite: LockSuite
    var wrappedKey: [UInt8]

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.identifier(note)
        writer.identifier(lockKey)
        writer.uint8(suite.rawValue)
        writer.field(wrappedKey)
        return writer.bytes
    }

    init(note: Identifier, lockKey: Identifier, suite: LockSuite, wrappedKey: [UInt8]) {
        self.note = note
        self.lockKey = lockKey
        self.suite = suite
        self.wrappedKey = wrappedKey
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            let note = try reader.identifier()
            let lockKey = try reader.identifier()
            guard let suite = LockSuite(rawValue: try reader.uint8()) else { throw .invalid }
            let wrappedKey = try reader.bytesField(limit: 64)
            guard wrappedKey.count == suite.wrappedByteCount else { throw .invalid }
            return NoteLock(note: note, lockKey: lockKey, suite: suite, wrappedKey: wrappedKey)
        }
    }
}

/// The content of a part of a note: as it is, or sealed under the note's key.
enum PartContent: Equatable, Sendable {
    case open([UInt8])
    /// - isBound: to the text revision that it belongs to.
    case locked(LockSuite, sealed: [UInt8], isBound: Bool)

    private static let boundVersion: UInt8 = 2

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        switch self {
        case .open(let bytes):
            writer.uint8(0)
            writer.raw(bytes)
        case .locked(let suite, let sealed, let isBound):
            if isBound {
                writer = ByteWriter()
                writer.uint8(Self.boundVersion)
            }
            writer.uint8(suite.rawValue)
            writer.raw(sealed)
        }
        return writer.bytes
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        guard bytes.first == Self.boundVersion else {
            self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
                try Self.read(&reader, isBound: false)
            }
            return
        }
        self = try bytes.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            _ = try reader.uint8()
            return try Self.read(&reader, isBound: true)
        }
    }

    private static func read(_ reader: inout ByteReader, isBound: Bool) throws(DecodingError) -> PartContent {
        let form = try reader.uint8()
        let rest = try reader.bytes(reader.remaining)
        if form == 0 && !isBound { return .open(rest) }
        guard let suite = LockSuite(rawValue: form) else { throw .invalid }
        return .locked(suite, sealed: rest, isBound: isBound)
    }
}
