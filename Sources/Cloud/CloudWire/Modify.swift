package import Secrets

/// A batch of changes to one zone, which is done as a whole or not at all; see specs/cloud.md, "Modify".
///
/// What the server only keeps stays in the body, and has its range here. Reading a batch of a client, and signing one:
///
/// ```swift
/// let modify = try Modify(from: body)
/// let hash = Digest.sha256(Modify.signedPart(of: body).copyToArray())
/// guard Signing.verify(modify.signature, of: hash, publicKey: key) else { … }
///
/// var modify = Modify(zone: zone, head: head)          // its ranges lie in `source`
/// modify.signature = try Signing.sign(Digest.sha256(modify.unsigned(from: source)), privateKey: seed)
/// let body = modify.encoded(from: source)
/// ```
package struct Modify: Equatable, Sendable {
    /// Which of the caller's keys has signed the batch.
    package enum Key: UInt8, Sendable {
        case signing = 1
        /// The one that is at hand while a device is locked; it says nothing about membership.
        case backgroundSigning
    }

    /// A zone key for one member.
    package struct Wrap: Equatable, Sendable {
        /// The account that it is for.
        package var member: Identifier
        /// The key.
        package var wrap: CloudWrap

        /// - Parameter member: not zeros.
        package init(member: Identifier, wrap: CloudWrap) {
            self.member = member
            self.wrap = wrap
        }
    }

    /// An asset that belongs to the zone from now on.
    package struct Adopted: Equatable, Sendable {
        /// Its name.
        package var asset: Identifier
        /// The zone of the same owner that it is taken from; zeros where it was uploaded here.
        package var zone: Hash256

        /// - Parameters:
        ///   - asset: not zeros.
        ///   - zone: another one than the batch's.
        package init(asset: Identifier, zone: Hash256 = .zero) {
            self.asset = asset
            self.zone = zone
        }
    }

    /// A record, and when it may be written.
    package struct Write: Equatable, Sendable {
        /// The tag of the record that is there; 0 where there must be none.
        package var condition: UInt64
        /// What is there from now on.
        package var record: CloudRecord

        /// - Parameter condition: 0, or the present tag.
        package init(condition: UInt64, record: CloudRecord) {
            self.condition = condition
            self.record = record
        }
    }

    static let purpose = "tresor cloud modify v1"

    /// Random for each batch, the same at each repetition.
    package var batch: Identifier
    /// As in the path.
    package var zone: Hash256
    /// Of the log that the client has seen; zeros with the entry that makes the zone.
    package var head: Hash256
    /// At most 16.
    package var entries: [CloudEntry] = []
    /// At most 4,096.
    package var wraps: [Wrap] = []
    /// At most 16.
    package var links: [CloudLink] = []
    /// At most 1,000.
    package var adopted: [Adopted] = []
    /// At most 1,000, and none of them adopted.
    package var released: [Identifier] = []
    /// At most 1,000.
    package var records: [Write] = []
    /// Who has signed.
    package var key: Key
    /// 64 bytes: Ed25519 over SHA-256 of ``unsigned(from:)``.
    package var signature: [UInt8] = []

    /// A batch of nothing, not signed yet.
    ///
    /// - Parameters:
    ///   - batch: a fresh one, unless the same batch is sent again.
    ///   - head: of the log that was seen; zeros where the batch makes the zone.
    package init(batch: Identifier = .makeRandom(), zone: Hash256, head: Hash256, key: Key = .signing) {
        self.batch = batch
        self.zone = zone
        self.head = head
        self.key = key
    }

    /// What the signature is over: all that stands before it.
    ///
    /// - Parameter body: one that ``init(from:)`` has taken.
    @_lifetime(copy body)
    package static func signedPart(of body: RawSpan) -> RawSpan {
        body.extracting(droppingLast: CloudRecord.signatureByteCount)
    }

    /// All of the body but its signature.
    ///
    /// - Parameter source: the bytes in which the ranges of all parts lie.
    package func unsigned(from source: RawSpan) -> [UInt8] {
        var writer = ByteWriter(capacity: 1_024 + records.reduce(0) { $0 + 195 + $1.record.sealed.count })
        writer.field(Self.purpose)
        writer.identifier(batch)
        zone.encode(into: &writer)
        head.encode(into: &writer)
        writer.uint32(UInt32(entries.count))
        for entry in entries { entry.encode(from: source, into: &writer) }
        writer.uint32(UInt32(wraps.count))
        for wrap in wraps {
            writer.uint32(wrap.wrap.generation)
            writer.identifier(wrap.member)
            wrap.wrap.encodeTail(from: source, into: &writer)
        }
        writer.uint32(UInt32(links.count))
        for link in links { link.encode(from: source, into: &writer) }
        writer.uint32(UInt32(adopted.count))
        for asset in adopted {
            writer.identifier(asset.asset)
            asset.zone.encode(into: &writer)
        }
        writer.uint32(UInt32(released.count))
        for asset in released { writer.identifier(asset) }
        writer.uint32(UInt32(records.count))
        for write in records {
            writer.uint64(write.condition)
            write.record.encode(from: source, into: &writer)
        }
        writer.uint8(key.rawValue)
        return writer.bytes
    }

    /// The whole body.
    ///
    /// - Parameter source: the bytes in which the ranges of all parts lie: the body that the batch was read from, or
    ///   wherever its writer has put them.
    package func encoded(from source: RawSpan) -> [UInt8] { unsigned(from: source) + signature }
}
