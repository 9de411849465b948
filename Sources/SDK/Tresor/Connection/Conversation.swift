import Linux
import Localization
import Secrets
import Wire

/// Requests over one connection, one after the other, with their answers read and their errors as programs see them.
struct Conversation {
    let transport: any Transport

    /// Sends a request whose answer is only success.
    func perform(_ request: consuming KeychainRequest) throws {
        do { try transport.perform(request) } catch { throw TresorError.translate(error) }
    }

    /// Sends a request and lends the reply's payload to `receive`.
    func exchange(_ request: consuming KeychainRequest, _ receive: (RawSpan) throws -> Void) throws {
        do { try transport.exchange(request, receive) } catch { throw TresorError.translate(error) }
    }

    /// Sends a request whose answer is one value.
    ///
    /// - Parameters:
    ///   - tag: the kind of answer; any other is refused.
    ///   - read: takes the value from the answer, all of it.
    /// - Throws: ``TresorError``: what the daemon says, or `unavailable` for an answer of another form.
    func reply<Reply>(
        to request: consuming KeychainRequest, _ tag: KeychainReply.Tag, _ read: (inout ByteReader) throws -> Reply
    ) throws -> Reply {
        var reply: Reply?
        try exchange(request) { payload in
            var reader = ByteReader(payload)
            try reader.expect(tag)
            reply = try read(&reader)
            try reader.end()
        }
        guard let reply else { throw TresorError(.unavailable, localized("the daemon's answer cannot be read")) }
        return reply
    }

    /// Sends a request whose answer is a page of items.
    ///
    /// - Parameter body: gets each item's name, and the attributes and the secret that were asked for.
    @discardableResult
    func page(
        _ request: consuming KeychainRequest, _ body: (PersistentReference, Attributes?, RawSpan?) throws -> Void
    ) throws -> PageEnd {
        do { return try transport.page(request, body) } catch { throw TresorError.translate(error) }
    }

    /// Adds an item.
    ///
    /// - Returns: the name under which it is found for good.
    func add(_ addition: consuming ItemAddition) throws -> PersistentReference {
        var added: PersistentReference?
        try page(.add(addition)) { reference, _, _ in added = reference }
        guard let added else { throw TresorError(.unavailable, localized("the daemon named no item")) }
        return added
    }

    /// The secret of the item that a query finds; empty where it has none.
    func secret(_ query: KeychainQuery) throws -> SecretBytes {
        var buffer = try SecretBuffer(capacity: 256)
        try page(.find(query)) { _, _, secret in
            if let secret { try buffer.append(secret) }
        }
        return buffer.finish()
    }
}

extension ByteReader {
    /// Reads a reply's head; an error in it is thrown.
    mutating func expect(_ wanted: KeychainReply.Tag) throws {
        let head = try KeychainReply.header(&self)
        if head.tag == .error { throw try KeychainError(from: &self) }
        guard head.tag == wanted else { throw DecodingError.invalid }
    }
}

extension TresorError {
    /// Runs `body`, whose errors are thrown as programs see them.
    static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw translate(error) }
    }

    /// Whatever failed below, as the one error type that programs see.
    static func translate(_ error: any Error) -> any Error {
        switch error {
        case let known as TresorError: known
        case let known as KeychainError: TresorError(known)
        case is SecretMemoryError: TresorError(.outOfMemory, localized("no locked memory is left"), status: -108)
        case let known as LinuxError:
            TresorError(.unavailable, localized("the connection failed"), cause: known.description)
        case is DecodingError, is StreamFrame.Violation:
            TresorError(.unavailable, localized("the daemon's answer cannot be read"))
        default: error
        }
    }
}
