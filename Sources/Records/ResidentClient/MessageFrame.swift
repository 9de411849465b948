import FoundationEssentials
package import Secrets
import Wire

/// Up to two secrets that travel beside a request: a passphrase, a passphrase and a new one.
package struct MessageSecrets: ~Copyable, Sendable {
    /// A passphrase, where the request takes one.
    package private(set) var first: SecretBytes?
    /// The new one, where the request changes it.
    package private(set) var second: SecretBytes?

    /// No secret beside the request.
    package init() {}

    /// - Parameters:
    ///   - first: a passphrase.
    ///   - second: a new one, where it is changed.
    package init(_ first: consuming SecretBytes, _ second: consuming SecretBytes? = nil) {
        self.first = consume first
        self.second = consume second
    }

    /// No secret beside the request.
    package static var none: MessageSecrets { MessageSecrets() }

    /// How many there are, 0 to 2, as it stands in the frame.
    package var count: UInt8 {
        let hasFirst =
            switch first {
            case .some: true
            case .none: false
            }
        let hasSecond =
            switch second {
            case .some: true
            case .none: false
            }
        return (hasFirst ? 1 : 0) + (hasSecond ? 1 : 0)
    }

    /// Gives the first away, once.
    package mutating func takeFirst() -> SecretBytes? { first.take() }
    /// Gives the second away, once.
    package mutating func takeSecond() -> SecretBytes? { second.take() }

    fileprivate mutating func append(_ secret: consuming SecretBytes) {
        if count == 0 {
            first = consume secret
        } else {
            second = consume secret
        }
    }
}

/// One frame between a resident program of ours and its client: a head, or a part of the body behind it.
///
/// See specs/notes-socket.md.
package struct MessageFrame: ~Copyable {
    /// What the frame holds.
    package enum Part: UInt8, Sendable {
        case head = 1, body
        /// In place of what is left of a body: a head's JSON, which says why it does not come.
        case failure
    }

    /// The byte before the fields; another one is refused.
    package static let version: UInt8 = 1
    /// Bytes of JSON in a head.
    package static let headLimit = 512 * 1024
    /// Bytes of a part of a body.
    package static let bodyPart = 512 * 1024
    /// Bytes of one secret.
    package static let secretLimit = 4096

    /// What the frame holds.
    package let part: Part
    /// The request's number; 0 for events.
    package let id: UInt32
    /// JSON in a head, bytes in a body.
    package let bytes: [UInt8]
    /// Those that travel beside a head; none beside a part of a body.
    package var secrets: MessageSecrets
    /// In a head: whether a body follows; in a body: whether more of it does.
    package let hasMore: Bool

    /// Reads one frame's payload; refuses what is unknown, too long or trailing.
    package static func decode(_ payload: RawSpan) throws -> MessageFrame {
        var reader = ByteReader(payload)
        guard try reader.uint8() == version, let part = Part(rawValue: try reader.uint8()) else {
            throw DecodingError.invalid
        }
        let id = try reader.uint32()
        let hasMore = try reader.bool()
        // A failure is the last of its answer.
        guard part != .failure || !hasMore else { throw DecodingError.invalid }
        let bytes = try reader.bytesField(limit: part == .body ? bodyPart : headLimit)
        var secrets = MessageSecrets()
        if part == .head {
            let count = try reader.uint8()
            guard count <= 2 else { throw DecodingError.tooLong }
            for _ in 0..<count { secrets.append(try reader.secretField(limit: secretLimit)) }
        }
        try reader.end()
        return MessageFrame(part: part, id: id, bytes: bytes, secrets: secrets, hasMore: hasMore)
    }

    /// Appends a head.
    ///
    /// - Throws: `DecodingError.tooLong` where its JSON is longer than a reader takes; then nothing was appended.
    package static func appendHead(
        _ message: some Encodable, id: UInt32, secrets: borrowing MessageSecrets = .none, hasBody: Bool = false,
        to buffer: inout SecretBuffer
    ) throws {
        let json = Array(try JSONEncoder().encode(message))
        guard json.count <= headLimit else { throw DecodingError.tooLong }
        let start = try begin(.head, id, hasMore: hasBody, &buffer)
        try buffer.field(json)
        try appendSecrets(secrets, to: &buffer)
        StreamFrame.end(start, in: &buffer)
    }

    private static func appendSecrets(
        _ secrets: borrowing MessageSecrets, to buffer: inout SecretBuffer
    ) throws(SecretMemoryError) {
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

    /// Appends a part of a body; the last one may be empty.
    package static func appendBody(
        _ bytes: RawSpan, id: UInt32, isLast: Bool, to buffer: inout SecretBuffer
    ) throws(SecretMemoryError) {
        let start = try begin(.body, id, hasMore: !isLast, &buffer)
        try buffer.field(bytes)
        StreamFrame.end(start, in: &buffer)
    }

    /// Ends a body that cannot be completed.
    ///
    /// - Throws: `DecodingError.tooLong` as ``appendHead(_:id:secrets:hasBody:to:)``.
    package static func appendFailure(_ message: some Encodable, id: UInt32, to buffer: inout SecretBuffer) throws {
        let json = Array(try JSONEncoder().encode(message))
        guard json.count <= headLimit else { throw DecodingError.tooLong }
        let start = try begin(.failure, id, hasMore: false, &buffer)
        try buffer.field(json)
        StreamFrame.end(start, in: &buffer)
    }

    private static func begin(
        _ part: Part, _ id: UInt32, hasMore: Bool, _ buffer: inout SecretBuffer
    ) throws(SecretMemoryError) -> Int {
        let start = try StreamFrame.begin(in: &buffer)
        try buffer.uint8(version)
        try buffer.uint8(part.rawValue)
        try buffer.uint32(id)
        try buffer.bool(hasMore)
        return start
    }

    /// Gives them away, once, so that the frame can be dropped.
    package mutating func takeSecrets() -> MessageSecrets {
        var taken = MessageSecrets()
        swap(&taken, &secrets)
        return taken
    }

    /// Reads the JSON of a head or of a failure.
    package borrowing func message<Message: Decodable>(as type: Message.Type) throws(DecodingError) -> Message {
        guard part != .body else { throw .invalid }
        do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch { throw .invalid }
    }
}
