package import Secrets

extension Modify {
    /// - Parameter body: a request's bytes, in which the ranges lie.
    /// - Throws: `DecodingError` for anything but the canonical bytes of a batch. Neither entries nor signatures are
    ///   looked into.
    package init(from body: RawSpan) throws(DecodingError) {
        guard body.byteCount <= CloudLimits.batch else { throw .tooLong }
        var reader = ByteReader(body)
        try reader.purpose(Self.purpose)
        let batch = try reader.name()
        let zone = try reader.hash()
        self.init(batch: batch, zone: zone, head: try Hash256(from: &reader))
        try readParts(&reader)
        guard let key = Key(rawValue: try reader.uint8()) else { throw .invalid }
        self.key = key
        signature = try reader.bytes(CloudRecord.signatureByteCount)
        try reader.end()
        try checkHeadAndKey()
        try checkNames()
    }

    private mutating func readParts(_ reader: inout ByteReader) throws(DecodingError) {
        entries = try reader.list(limit: CloudLimits.entries) { (reader) throws(DecodingError) in
            try CloudEntry(from: &reader)
        }
        wraps = try reader.list(limit: CloudLimits.wraps) { (reader) throws(DecodingError) in
            let generation = try reader.uint32()
            let member = try reader.name()
            return Wrap(member: member, wrap: try CloudWrap(generation: generation, tail: &reader))
        }
        links = try reader.list(limit: CloudLimits.links) { (reader) throws(DecodingError) in
            try CloudLink(from: &reader)
        }
        adopted = try reader.list(limit: CloudLimits.assets) { (reader) throws(DecodingError) in
            Adopted(asset: try reader.name(), zone: try Hash256(from: &reader))
        }
        released = try reader.list(limit: CloudLimits.assets) { (reader) throws(DecodingError) in try reader.name() }
        records = try reader.list(limit: CloudLimits.records) { (reader) throws(DecodingError) in
            Write(condition: try reader.uint64(), record: try CloudRecord(from: &reader))
        }
    }

    /// A zone that is made has no log yet, and its one entry is the first.
    ///
    /// Only the signing key speaks of membership.
    private func checkHeadAndKey() throws(DecodingError) {
        if head == .zero { guard entries.count == 1 else { throw .invalid } }
        if key == .backgroundSigning {
            guard entries.isEmpty, wraps.isEmpty, links.isEmpty else { throw .invalid }
        }
    }

    /// Whoever does a batch does each thing once, so that the order within it says nothing.
    private func checkNames() throws(DecodingError) {
        struct Recipient: Hashable {
            let generation: UInt32
            let member: Identifier
        }
        try refuseTwice(records.lazy.map(\.record.name))
        try refuseTwice(wraps.lazy.map { Recipient(generation: $0.wrap.generation, member: $0.member) })
        try refuseTwice(links.lazy.map(\.generation))
        try refuseTwice(adopted.map(\.asset) + released)
        // Zeros say the same.
        for asset in adopted where asset.zone == zone { throw .invalid }
    }
}
