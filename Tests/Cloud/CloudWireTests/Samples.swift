import CloudWire
import Secrets
import Testing

/// Bodies with each part that there is, and the bytes in which their ranges lie.
struct Samples {
    /// What is sealed, wrapped or signed, one behind the other, as a writer gathers it.
    private(set) var source: [UInt8] = []

    static let zone = hash(1)
    static let head = hash(2)

    static func identifier(_ number: UInt64) -> Identifier { Identifier(high: 0x0123_4567_89ab_cdef, low: number) }

    static func hash(_ number: UInt8) -> Hash256 {
        Hash256([UInt8](repeating: number, count: 31) + [0x5a]) ?? .zero
    }

    /// Puts bytes into the source that differ from those before.
    mutating func gather(_ count: Int) -> Range<Int> {
        let start = source.count
        source += [UInt8](repeating: UInt8(truncatingIfNeeded: start / 7 + 1), count: count)
        return start..<start + count
    }

    mutating func record(_ number: UInt64, sealed: Int = 92, isTombstone: Bool = false) -> CloudRecord {
        CloudRecord(
            name: Self.identifier(number), type: 1, isTombstone: isTombstone, key: .signing, generation: 3,
            revision: 7, writer: Self.identifier(900), head: Self.head, wrappedKey: gather(40), signature: gather(64),
            sealed: gather(sealed))
    }

    mutating func entry(_ count: Int = 278) -> CloudEntry {
        CloudEntry(entry: gather(count), signature: gather(64))
    }

    mutating func wrap(_ generation: UInt32) -> CloudWrap {
        CloudWrap(generation: generation, head: Self.head, wrap: gather(80))
    }

    mutating func link(_ generation: UInt32) -> CloudLink { CloudLink(generation: generation, link: gather(40)) }

    static var empty: Modify {
        var modify = Modify(batch: identifier(800), zone: zone, head: head)
        modify.signature = [UInt8](repeating: 0x77, count: 64)
        return modify
    }

    mutating func batch() -> Modify {
        var modify = Self.empty
        modify.entries = [entry(), entry(273)]
        modify.wraps = [
            Modify.Wrap(member: Self.identifier(1), wrap: wrap(2)),
            Modify.Wrap(member: Self.identifier(2), wrap: wrap(2)),
        ]
        modify.links = [link(2)]
        modify.adopted = [
            Modify.Adopted(asset: Self.identifier(3)), Modify.Adopted(asset: Self.identifier(4), zone: Self.hash(9)),
        ]
        modify.released = [Self.identifier(5)]
        modify.records = [
            Modify.Write(condition: 0, record: record(6)),
            Modify.Write(condition: 4711, record: record(7, isTombstone: true)),
        ]
        return modify
    }

    static func page(_ items: [ChangesPage.Content]) -> ChangesPage {
        let numbered = items.enumerated().map { ChangesPage.Item(tag: UInt64($0.offset) * 2 + 5, content: $0.element) }
        return ChangesPage(
            zone: zone, token: [1, 2, 3], more: true, length: 2, head: head, items: numbered)
    }

    mutating func mixedPage() -> ChangesPage {
        Self.page([
            .entry(entry()), .wrap(wrap(2)), .link(link(2)), .record(record(6)), .record(record(7, isTombstone: true)),
        ])
    }

    func encoded(_ modify: Modify) -> [UInt8] { source.withSpan { modify.encoded(from: $0) } }
    func encoded(_ page: ChangesPage) -> [UInt8] { source.withSpan { page.encoded(from: $0) } }
    func encoded(_ record: CloudRecord) -> [UInt8] { source.withSpan { record.encoded(from: $0) } }
}

/// The four that are read from bytes.
enum Body: CaseIterable, Sendable {
    case modify, modified, changes, record

    /// A good one.
    var sample: [UInt8] {
        var samples = Samples()
        switch self {
        case .modify:
            let batch = samples.batch()
            return samples.encoded(batch)
        case .modified: return Modified(sequence: 9, length: 2, head: Samples.head, tags: [7, 9]).encoded
        case .changes:
            let page = samples.mixedPage()
            return samples.encoded(page)
        case .record:
            let record = samples.record(1)
            return samples.encoded(record)
        }
    }

    /// What is read, written again.
    func roundTrip(_ bytes: [UInt8]) throws -> [UInt8] {
        try bytes.withSpan { (span) throws in
            switch self {
            case .modify: try Modify(from: span).encoded(from: span)
            case .modified: try Modified(from: span).encoded
            case .changes: try ChangesPage(from: span).encoded(from: span)
            case .record: try CloudRecord(from: span).encoded(from: span)
            }
        }
    }

    /// Why it is refused; nil where it is taken.
    func refusal(_ bytes: [UInt8]) -> DecodingError? {
        do {
            let again = try roundTrip(bytes)
            if again != bytes { Issue.record("\(self) is taken, and written in another form") }
            return nil
        } catch { return error as? DecodingError }
    }
}
