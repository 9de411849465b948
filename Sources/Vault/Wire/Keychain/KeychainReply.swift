package import Secrets

/// How tresord answers: a version, the request's number (0 for events), a tag, and the tag's fields.
package enum KeychainReply {
    /// What a reply is, and so which fields follow; see specs/wire.md.
    package enum Tag: UInt8, Sendable {
        case done = 0
        case error = 1
        case status = 2
        case page = 3
        case echo = 4
        /// The lock state, told to subscribers.
        case lockState = 5
        /// The number of a session that was opened.
        case session = 6
        /// A key, and the same under the session's.
        case sessionKey = 7
        /// Told to holders: wipe what the lock shuts, and say so.
        case evict = 8
        /// Who the daemon takes a program for.
        case identity = 9
        /// Registered apps, grants, and who asked in vain.
        case apps = 10
        /// The access groups of all items.
        case groups = 11
        /// Of a program's vendor, and for advertising.
        case identifiers = 12
        /// What can be said of fingers.
        case biometry = 13
        /// The keychains of the user.
        case keychains = 14
        /// What a private key made: a signature, or a shared secret.
        case keyResult = 15
        /// The enrolled security keys.
        case securityKeys = 16
        /// How many wrong passwords there were, and how long to wait.
        case tries = 17
        /// What a part of a look at all items has found.
        case look = 18
        /// After how many days what lies in the trash goes by itself.
        case trashTime = 19
    }

    /// Begins a reply frame; `StreamFrame.end` completes it.
    package static func begin(id: UInt32, _ tag: Tag, in buffer: inout SecretBuffer) throws(SecretMemoryError) -> Int {
        let start = try StreamFrame.begin(in: &buffer)
        try buffer.uint8(KeychainRequest.version)
        try buffer.uint32(id)
        try buffer.uint8(tag.rawValue)
        return start
    }

    /// Appends a reply frame that says nothing but success.
    package static func appendDone(id: UInt32, to output: inout SecretBuffer) throws(SecretMemoryError) {
        let frame = try begin(id: id, .done, in: &output)
        StreamFrame.end(frame, in: &output)
    }

    /// Appends a reply frame that carries an error.
    package static func append(
        _ error: KeychainError, id: UInt32, to output: inout SecretBuffer
    ) throws(SecretMemoryError) {
        let frame = try begin(id: id, .error, in: &output)
        try error.encode(into: &output)
        StreamFrame.end(frame, in: &output)
    }

    /// Reads what stands before a reply's fields.
    package static func header(_ reader: inout ByteReader) throws(DecodingError) -> (id: UInt32, tag: Tag) {
        guard try reader.uint8() == KeychainRequest.version else { throw .invalid }
        let id = try reader.uint32()
        guard let tag = Tag(rawValue: try reader.uint8()) else { throw .invalid }
        return (id: id, tag: tag)
    }
}

/// Writes a page of found items: a count, the items, and a ``PageEnd``.
package struct PageWriter {
    /// What an item takes besides its attributes and its secret.
    package static let itemOverhead = 20 + 1 + 4 + 1 + 4
    private let countOffset: Int
    /// How many items were written.
    package private(set) var count: UInt32 = 0

    /// Begins a page behind what stands in the buffer; its count is filled in as items come.
    package init(in buffer: inout SecretBuffer) throws(SecretMemoryError) {
        countOffset = buffer.count
        try buffer.uint32(0)
    }

    /// - Parameters:
    ///   - attributes: encoded ``Attributes``, or nil where they were not asked for.
    ///   - secret: nil where it was not asked for, or the item has none.
    package mutating func append(
        _ reference: PersistentReference, attributes: RawSpan?, secret: borrowing SecretBytes?,
        into buffer: inout SecretBuffer
    ) throws(SecretMemoryError) {
        try buffer.append(reference.bytes)
        if let attributes {
            try buffer.uint8(1)
            try buffer.field(attributes)
        } else {
            try buffer.uint8(0)
        }
        try buffer.optionalField(secret)
        count += 1
        buffer.overwrite(at: countOffset, with: count)
    }

    /// Writes where the next page begins, and what was left out: 16 bytes.
    package func end(_ rest: PageEnd, in buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint64(rest.next)
        try buffer.uint32(rest.locked)
        try buffer.uint32(rest.damaged)
    }
}

/// What a page says behind its items.
package struct PageEnd: Equatable, Sendable {
    /// Where the next page begins; 0 when this was the last.
    package var next: UInt64 = 0
    /// Rows left out because the lock state shuts them, as the query wished.
    package var locked: UInt32 = 0
    /// Rows left out because they can't be decoded; status lists them.
    package var damaged: UInt32 = 0

    /// The end of a last page on which nothing was left out.
    package init() {}
}

/// Reads what ``PageWriter`` wrote.
package struct Page: Sendable {
    /// What was said behind the items.
    package let end: PageEnd

    /// - Parameter body: gets each item; the span of its secret, if there is one, ends with the call.
    package init(
        from reader: inout ByteReader,
        _ body: (PersistentReference, Attributes?, RawSpan?) throws -> Void
    ) throws {
        for _ in 0..<(try reader.uint32()) {
            let reference = try PersistentReference(from: &reader)
            var attributes: Attributes?
            if try reader.bool() {
                var inner = ByteReader(try reader.field(limit: StreamFrame.keychainLimit))
                attributes = try Attributes(from: &inner)
                try inner.end()
            }
            if try reader.bool() {
                try body(reference, attributes, try reader.field(limit: StreamFrame.keychainLimit))
            } else {
                try body(reference, attributes, nil)
            }
        }
        var end = PageEnd()
        end.next = try reader.uint64()
        end.locked = try reader.uint32()
        end.damaged = try reader.uint32()
        self.end = end
    }
}
