import Secrets
package import Wire

/// How requests reach a keychain: over tresord's socket (``SocketTransport``), or, in tests, inside the process
/// (`InMemoryTransport` of TresorTesting).
package protocol Transport: AnyObject {
    /// Sends one request and lends the reply's payload to `receive`.
    func exchange(_ request: consuming KeychainRequest, _ receive: (RawSpan) throws -> Void) throws

    /// Sends several requests ahead of their replies, and lends these in the same order.
    ///
    /// - Parameters:
    ///   - request: makes the one of a number below `count`.
    ///   - receive: gets its number and its reply's payload.
    func exchange(
        _ count: Int, _ request: (Int) throws -> KeychainRequest, _ receive: (Int, RawSpan) throws -> Void) throws
}

extension Transport {
    /// One by one, for transports that gain nothing by sending ahead.
    package func exchange(
        _ count: Int, _ request: (Int) throws -> KeychainRequest, _ receive: (Int, RawSpan) throws -> Void
    ) throws {
        for number in 0..<count { try exchange(try request(number)) { try receive(number, $0) } }
    }
}

extension Transport {
    /// Sends a request whose answer is only success.
    package func perform(_ request: consuming KeychainRequest) throws {
        try exchange(request) { payload in
            var reader = ByteReader(payload)
            try reader.expect(.done)
            try reader.end()
        }
    }

    /// Sends a request whose answer is a page of items.
    ///
    /// - Parameter body: gets each item's name, and the attributes and the secret that were asked for.
    /// - Throws: `KeychainError` where the daemon says one, `DecodingError` for an answer of another form.
    @discardableResult
    package func page(
        _ request: consuming KeychainRequest, _ body: (PersistentReference, Attributes?, RawSpan?) throws -> Void
    ) throws -> PageEnd {
        var end = PageEnd()
        try exchange(request) { payload in
            var reader = ByteReader(payload)
            try reader.expect(.page)
            end = try Page(from: &reader, body).end
            try reader.end()
        }
        return end
    }
}
