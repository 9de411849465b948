package import Secrets

/// What the enclave answers.
///
/// See specs/enclave-protocol.md.
package enum EnclaveReply: ~Copyable {
    case done
    case state(EnclaveState)
    case newKey(NewKey)
    case key(EnclaveSecret)
    case refused(EnclaveRefusal)
    /// What is no secret: a record, or a signature.
    case bytes([UInt8])
    case newPrivateKey(NewPrivateKey)
    case identifiers([Identifier])

    enum Tag: UInt8 { case done = 0, state, newKey, key, refused, bytes, newPrivateKey, identifiers }
}

extension EnclaveReply {
    /// The answer itself, or the refusal as an error.
    package consuming func unlessRefused() throws(EnclaveRefusal) -> EnclaveReply {
        switch consume self {
        case .refused(let refusal): throw refusal
        case .done: return .done
        case .state(let state): return .state(state)
        case .newKey(let new): return .newKey(new)
        case .key(let key): return .key(key)
        case .bytes(let bytes): return .bytes(bytes)
        case .newPrivateKey(let new): return .newPrivateKey(new)
        case .identifiers(let list): return .identifiers(list)
        }
    }
}

/// A fresh P-256 key of the enclave's, and how it is kept.
package struct NewPrivateKey: Equatable, Sendable {
    /// X9.63, uncompressed: 65 bytes.
    package let publicKey: [UInt8]
    package let classKey: Identifier
    package let wrapped: [UInt8]

    package init(publicKey: [UInt8], classKey: Identifier, wrapped: [UInt8]) {
        self.publicKey = publicKey
        self.classKey = classKey
        self.wrapped = wrapped
    }
}

/// A fresh key, and how it is kept.
package struct NewKey: ~Copyable, Sendable {
    package let key: SecretBytes
    package let classKey: Identifier
    package let wrapped: [UInt8]

    package init(key: consuming SecretBytes, classKey: Identifier, wrapped: [UInt8]) {
        self.key = key
        self.classKey = classKey
        self.wrapped = wrapped
    }

    package consuming func takeKey() -> SecretBytes { key }
}

extension EnclaveReply {
    package static func decode(_ payload: RawSpan) throws -> EnclaveReply {
        var reader = ByteReader(payload)
        guard let tag = Tag(rawValue: try reader.uint8()) else { throw DecodingError.invalid }
        let reply = try decode(tag, &reader)
        try reader.end()
        return reply
    }

    private static func decode(_ tag: Tag, _ reader: inout ByteReader) throws -> EnclaveReply {
        switch tag {
        case .done: .done
        case .state: .state(try EnclaveState(from: &reader))
        case .newKey:
            .newKey(
                NewKey(
                    key: try reader.secretField(limit: EnclaveLimits.wrappedKey), classKey: try reader.identifier(),
                    wrapped: try reader.bytesField(limit: EnclaveLimits.wrappedKey)))
        case .key: .key(EnclaveSecret(try reader.secretField(limit: EnclaveLimits.wrappedKey)))
        case .refused: .refused(try EnclaveRefusal(code: try reader.uint8(), detail: try reader.uint64()))
        case .bytes: .bytes(try reader.bytesField(limit: EnclaveLimits.wrappedKey))
        case .newPrivateKey:
            .newPrivateKey(
                NewPrivateKey(
                    publicKey: try reader.bytesField(limit: EnclaveLimits.wrappedKey),
                    classKey: try reader.identifier(),
                    wrapped: try reader.bytesField(limit: EnclaveLimits.wrappedKey)))
        case .identifiers: .identifiers(try reader.identifiers(limit: EnclaveLimits.openKeychains))
        }
    }

    /// Appends one whole frame.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        let start = try StreamFrame.begin(in: &buffer)
        switch self {
        case .done: try buffer.uint8(Tag.done.rawValue)
        case .state(let state):
            try buffer.uint8(Tag.state.rawValue)
            try state.encode(into: &buffer)
        case .newKey(let new):
            try buffer.uint8(Tag.newKey.rawValue)
            try buffer.field(new.key)
            try buffer.identifier(new.classKey)
            try buffer.field(new.wrapped)
        case .key(let key):
            try buffer.uint8(Tag.key.rawValue)
            try buffer.field(key.bytes)
        case .refused(let refusal):
            try buffer.uint8(Tag.refused.rawValue)
            try buffer.uint8(refusal.code)
            try buffer.uint64(refusal.detail)
        case .bytes(let bytes):
            try buffer.uint8(Tag.bytes.rawValue)
            try buffer.field(bytes)
        case .newPrivateKey(let new):
            try buffer.uint8(Tag.newPrivateKey.rawValue)
            try buffer.field(new.publicKey)
            try buffer.identifier(new.classKey)
            try buffer.field(new.wrapped)
        case .identifiers(let list):
            try buffer.uint8(Tag.identifiers.rawValue)
            try buffer.identifiers(list)
        }
        StreamFrame.end(start, in: &buffer)
    }
}

// What a request asked for, out of its answer; nil where the answer is another one.
extension EnclaveReply {
    package consuming func takeState() -> EnclaveState? {
        switch consume self {
        case .state(let state): return state
        case .done: return nil
        case .newKey: return nil
        case .key: return nil
        case .refused: return nil
        case .bytes: return nil
        case .newPrivateKey: return nil
        case .identifiers: return nil
        }
    }

    package consuming func takeNewKey() -> NewKey? {
        switch consume self {
        case .newKey(let new): return new
        case .done: return nil
        case .state: return nil
        case .key: return nil
        case .refused: return nil
        case .bytes: return nil
        case .newPrivateKey: return nil
        case .identifiers: return nil
        }
    }

    package consuming func takeKey() -> SecretBytes? {
        switch consume self {
        case .key(let key): return key.takeBytes()
        case .done: return nil
        case .state: return nil
        case .newKey: return nil
        case .refused: return nil
        case .bytes: return nil
        case .newPrivateKey: return nil
        case .identifiers: return nil
        }
    }

    package consuming func takeNewPrivateKey() -> NewPrivateKey? {
        switch consume self {
        case .newPrivateKey(let new): return new
        case .done: return nil
        case .state: return nil
        case .newKey: return nil
        case .key: return nil
        case .refused: return nil
        case .bytes: return nil
        case .identifiers: return nil
        }
    }

    package consuming func takeIdentifiers() -> [Identifier]? {
        switch consume self {
        case .identifiers(let list): return list
        case .done: return nil
        case .state: return nil
        case .newKey: return nil
        case .key: return nil
        case .refused: return nil
        case .bytes: return nil
        case .newPrivateKey: return nil
        }
    }

    /// A record, a signature or a witness; nothing where the answer is only that it was done.
    package consuming func takeBytes() -> [UInt8]? {
        switch consume self {
        case .bytes(let bytes): return bytes
        case .done: return []
        case .state: return nil
        case .newKey: return nil
        case .key: return nil
        case .refused: return nil
        case .newPrivateKey: return nil
        case .identifiers: return nil
        }
    }
}
