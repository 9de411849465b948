import Envelopes
import Foundation
import NotesClient
import ResidentClient
import Secrets
import Wire

/// What tresor-notes reads: frames of its clients, and records of its store.
enum NotesTargets {
    /// A frame, and the request in its head.
    ///
    /// JSON has no canonical form: a request that is read has to survive being written and read again.
    static func frame(_ span: RawSpan) throws -> [UInt8] {
        let frame = try MessageFrame.decode(span)
        if frame.part == .head, let request = try? frame.message(as: NotesRequest.self) {
            let isSame = holds {
                try JSONDecoder().decode(NotesRequest.self, from: JSONEncoder().encode(request)) == request
            }
            guard isSame else { return [] }
        }
        var buffer = try SecretBuffer(capacity: 512)
        try buffer.uint8(MessageFrame.version)
        try buffer.uint8(frame.part.rawValue)
        try buffer.uint32(frame.id)
        try buffer.bool(frame.hasMore)
        try buffer.field(frame.bytes)
        if frame.part == .head { try append(frame.secrets, to: &buffer) }
        return buffer.bytes.copyToArray()
    }

    private static func append(_ secrets: borrowing MessageSecrets, to buffer: inout SecretBuffer) throws {
        try buffer.uint8(secrets.count)
        switch secrets.first {
        case .some(let secret): try buffer.field(secret)
        case .none: break
        }
        switch secrets.second {
        case .some(let secret): try buffer.field(secret)
        case .none: break
        }
    }

    /// A record's wrapped key and sealed content: only what was sealed opens.
    static func sealedRecord(_ bytes: [UInt8]) throws -> [UInt8] {
        let record = SealedRecord(wrappedKey: Array(bytes.prefix(40)), sealed: Array(bytes.dropFirst(40)))
        _ = try RecordEnvelope.open(record, under: key(32), of: context)
        return records.contains(bytes) ? bytes : []
    }

    /// A record's padded content behind its seal: what somebody with the keys could put there.
    static func paddedRecord(_ padded: RawSpan) throws -> [UInt8] {
        let nonce = [UInt8](repeating: 0, count: 12)
        let sealed = try AppleNoteEnvelope.seal(padded, iv: nonce, under: key(32), binding: authenticatedData)
        let record = SealedRecord(
            wrappedKey: try NoteLockEnvelope.wrap(key(32), under: key(32)),
            sealed: nonce + sealed.ciphertext + sealed.tag)
        let content = try RecordEnvelope.open(record, under: key(32), of: context)
        var again = ByteWriter()
        again.field(content)
        again.zeros(RecordEnvelope.paddedCount(content.count) - again.bytes.count)
        return again.bytes
    }

    /// A part of a locked note, behind a byte for its suite: only what was sealed opens.
    static func sealedPart(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let suite = bytes.first.flatMap(LockSuite.init(rawValue:)) else { throw Secrets.DecodingError.invalid }
        _ = try NoteLockEnvelope.open(
            Array(bytes.dropFirst()), under: key(suite.keyByteCount), of: part, suite: suite)
        return parts.contains(bytes) ? bytes : []
    }

    private static let zone = [UInt8](repeating: 1, count: 32)
    private static let head = [UInt8](repeating: 2, count: 32)
    private static let context = RecordContext(
        zone: zone, name: .zero, type: 3, generation: 4, revision: 5, writer: .zero, head: head)
    private static let part = LockPart(note: .zero, kind: .body)

    /// As specs/zone-record.md has it.
    private static let authenticatedData: [UInt8] = {
        var writer = ByteWriter()
        writer.field("tresor zone record v1")
        writer.raw(zone)
        writer.identifier(context.name)
        writer.uint16(context.type)
        writer.uint32(context.generation)
        writer.uint64(context.revision)
        writer.identifier(context.writer)
        writer.raw(head)
        return writer.bytes
    }()

    private static func key(_ count: Int) throws -> SecretBytes { try secret([UInt8](repeating: 7, count: count)) }

    private static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
        try bytes.withSpan { (span) throws(SecretMemoryError) in try SecretBytes(copying: span) }
    }
}

// First inputs.
extension NotesTargets {
    private static let contents = [0, 1, 59, 60, 61, 1000].map { [UInt8](repeating: 9, count: $0) }

    static let records: [[UInt8]] = contents.compactMap { content in
        content.withSpan { span in
            guard let record = try? RecordEnvelope.seal(span, under: key(32), of: context) else { return nil }
            return record.wrappedKey + record.sealed
        }
    }

    static let parts: [[UInt8]] = LockSuite.allCases.flatMap { suite in
        contents.compactMap { content in
            content.withSpan { span in
                let sealed = try? NoteLockEnvelope.seal(span, under: key(suite.keyByteCount), of: part, suite: suite)
                return sealed.map { [suite.rawValue] + $0 }
            }
        }
    }

    static let frames: [[UInt8]] = requests.compactMap { try? head(of: $0) } + bodies.compactMap { try? body($0) }

    private static let bodies = [[], [1], [UInt8](repeating: 2, count: 300)]

    private static let requests: [NotesRequest] = [
        .status, .list(NoteFilter(folder: "Work/Plans", tag: "tag", isInTrash: true, offset: 1, limit: 2)),
        .show(id: "0a1b", version: 3), .show(id: "", version: nil),
        .create(NewNote(folder: "A", tags: ["one", "ü🗝"], isPinned: true, isLocked: true)),
        .edit(id: "0a1b", base: .max), .tag(id: "0a1b", add: ["\u{0}\"\\"], remove: []),
        .delete(id: "0a1b", forever: true), .search(text: "\u{202E}text", limit: .max),
        .attach(id: "0a1b", NewAttachment(name: "a.png", kind: .image, mediaType: "image/png")),
        .unlock(id: nil), .changePassphrase(hint: "a hint"), .resetPassphrase(hint: nil),
        .changeSettings(NotesSettings(showsLockedTitles: false, sessionMinutes: 3, lockSuite: "tresor-256")),
        .importNote(ImportedNoteHead(source: "apple:1/2")), .touch, .importSources, .resolve(id: "0a1b"),
        .beginImport(ImportSourceHead(id: "0a1b", kind: "markdown", place: "/ü")),
    ]

    private static func head(of request: NotesRequest) throws -> [UInt8] {
        var buffer = try SecretBuffer(capacity: 512)
        switch request {
        case .unlock:
            try MessageFrame.appendHead(request, id: 1, secrets: MessageSecrets(secret([3, 4])), to: &buffer)
        case .changePassphrase, .resetPassphrase:
            let both = MessageSecrets(try secret([5]), try secret([]))
            try MessageFrame.appendHead(request, id: 1, secrets: both, to: &buffer)
        default: try MessageFrame.appendHead(request, id: .max, hasBody: true, to: &buffer)
        }
        return buffer.bytes.extracting(droppingFirst: StreamFrame.headerByteCount).copyToArray()
    }

    private static func body(_ bytes: [UInt8]) throws -> [UInt8] {
        var buffer = try SecretBuffer(capacity: 512)
        try bytes.withSpan { (span) throws in
            try MessageFrame.appendBody(span, id: 1, isLast: bytes.isEmpty, to: &buffer)
        }
        return buffer.bytes.extracting(droppingFirst: StreamFrame.headerByteCount).copyToArray()
    }
}
