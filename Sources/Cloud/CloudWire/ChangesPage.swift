package import Secrets

/// What has changed in a zone, a page at a time; see specs/cloud.md, "Changes".
///
/// What is sealed or signed stays in the body, and has its range here.
package struct ChangesPage: Equatable, Sendable {
    /// One change.
    package struct Item: Equatable, Sendable {
        /// Its number in the zone, above that of the item before; from 1 on.
        package var tag: UInt64
        /// What has changed.
        package var content: Content

        /// - Parameter tag: above that of the item before.
        package init(tag: UInt64, content: Content) {
            self.tag = tag
            self.content = content
        }
    }

    /// The kinds of things that change.
    package enum Content: Equatable, Sendable {
        case record(CloudRecord)
        case entry(CloudEntry)
        /// A zone key for whoever asks.
        case wrap(CloudWrap)
        case link(CloudLink)

        fileprivate enum Kind: UInt8 { case record = 1, entry, wrap, link }

        fileprivate var kind: Kind {
            switch self {
            case .record: .record
            case .entry: .entry
            case .wrap: .wrap
            case .link: .link
            }
        }
    }

    private static let purpose = "tresor cloud changes v1"

    /// The zone that was asked for.
    package var zone: Hash256
    /// Where the next page begins: from 1 to 64 bytes that the server alone understands.
    package var token: [UInt8]
    /// Whether something follows now.
    package var more: Bool
    /// How many entries the zone's log has after this page, from 1 to 65,536.
    package var length: UInt64
    /// Of that log.
    package var head: Hash256
    /// At most 1,000, in the order of their tags.
    package var items: [Item]

    /// - Parameters:
    ///   - token: 1 to 64 bytes.
    ///   - length: 1 to 65,536.
    ///   - head: not zeros.
    ///   - items: at most 1,000, of at most 16,777,216 bytes together; one may be longer.
    package init(zone: Hash256, token: [UInt8], more: Bool, length: UInt64, head: Hash256, items: [Item]) {
        self.zone = zone
        self.token = token
        self.more = more
        self.length = length
        self.head = head
        self.items = items
    }

    /// - Parameter body: an answer's bytes, in which the ranges lie.
    /// - Throws: `DecodingError` for anything but the canonical bytes of a page. Neither entries nor signatures are
    ///   looked into, nor whether a record's head is that of the entry before it: that reaches over pages.
    package init(from body: RawSpan) throws(DecodingError) {
        var reader = ByteReader(body)
        try reader.purpose(Self.purpose)
        zone = try reader.hash()
        token = try reader.bytesField(limit: CloudLimits.token)
        guard !token.isEmpty else { throw .invalid }
        more = try reader.bool()
        length = try reader.logLength()
        head = try reader.hash()
        // Four bytes are their count.
        let isLong = reader.remaining - 4 > CloudLimits.page
        var last: UInt64 = 0
        items = try reader.list(limit: isLong ? 1 : CloudLimits.items) { (reader) throws(DecodingError) in
            let item = try Item(from: &reader)
            guard item.tag > last else { throw .invalid }
            last = item.tag
            return item
        }
        try reader.end()
        try refuseTwice(
            items.lazy.compactMap { item in
                if case .record(let record) = item.content { record.name } else { nil }
            })
    }

    /// The bytes that ``init(from:)`` reads.
    ///
    /// - Parameter source: the bytes in which the ranges of all items lie.
    package func encoded(from source: RawSpan) -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        writer.field(Self.purpose)
        zone.encode(into: &writer)
        writer.field(token)
        writer.bool(more)
        writer.uint64(length)
        head.encode(into: &writer)
        writer.uint32(UInt32(items.count))
        for item in items { item.encode(from: source, into: &writer) }
        return writer.bytes
    }
}

extension ChangesPage.Item {
    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        guard let kind = ChangesPage.Content.Kind(rawValue: try reader.uint8()) else { throw .invalid }
        tag = try reader.uint64()
        switch kind {
        case .record: content = .record(try CloudRecord(from: &reader))
        case .entry: content = .entry(try CloudEntry(from: &reader))
        case .wrap:
            let generation = try reader.uint32()
            content = .wrap(try CloudWrap(generation: generation, tail: &reader))
        case .link: content = .link(try CloudLink(from: &reader))
        }
    }

    fileprivate func encode(from source: RawSpan, into writer: inout ByteWriter) {
        writer.uint8(content.kind.rawValue)
        writer.uint64(tag)
        switch content {
        case .record(let record): record.encode(from: source, into: &writer)
        case .entry(let entry): entry.encode(from: source, into: &writer)
        case .wrap(let wrap):
            writer.uint32(wrap.generation)
            wrap.encodeTail(from: source, into: &writer)
        case .link(let link): link.encode(from: source, into: &writer)
        }
    }
}
