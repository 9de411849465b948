import CloudWire
import Secrets
import Testing

/// The greatest that is taken, and one more.
@Suite struct CloudLimitTests {
    @Test func `as many parts of a batch as there may be are taken, and one more is refused`() {
        let parts: [(most: Int, fill: (inout Modify, inout Samples, Int) -> Void)] = [
            (CloudLimits.entries, { $0.entries = entries($2, &$1) }),
            (CloudLimits.wraps, { $0.wraps = wraps($2, &$1) }),
            (CloudLimits.links, { $0.links = links($2, &$1) }),
            (CloudLimits.assets, { batch, _, count in batch.adopted = names(count).map { Modify.Adopted(asset: $0) } }),
            (CloudLimits.assets, { batch, _, count in batch.released = names(count) }),
            (CloudLimits.records, { $0.records = writes($2, &$1) }),
        ]
        for (index, part) in parts.enumerated() {
            var samples = Samples()
            let most = batch { part.fill(&$0, &samples, part.most) }
            #expect(Body.modify.refusal(samples.encoded(most)) == nil, "part \(index)")
            let more = batch { part.fill(&$0, &samples, part.most + 1) }
            #expect(Body.modify.refusal(samples.encoded(more)) == .tooLong, "part \(index)")
        }
    }

    @Test func `entries and sealed parts are neither shorter nor longer than they can be`() {
        func refusal(entry count: Int) -> DecodingError? {
            var samples = Samples()
            let entry = samples.entry(count)
            return Body.modify.refusal(samples.encoded(batch { $0.entries = [entry] }))
        }
        #expect(refusal(entry: 273) == nil && refusal(entry: 337) == nil)
        #expect(refusal(entry: 272) == .invalid && refusal(entry: 338) == .tooLong)
        func refusal(sealed count: Int) -> DecodingError? {
            var samples = Samples()
            let record = samples.record(1, sealed: count)
            return Body.record.refusal(samples.encoded(record))
        }
        #expect(refusal(sealed: 92) == nil && refusal(sealed: 20_971_520) == nil)
        #expect(refusal(sealed: 91) == .invalid && refusal(sealed: 20_971_521) == .tooLong)
    }

    @Test func `a batch of 32 MiB is taken, and a byte more is refused`() {
        for (more, refusal) in [(0, nil), (1, DecodingError.tooLong)] {
            var samples = Samples()
            // 26 + 16 + 32 + 32 + 6 × 4 + 1 + 64 of the batch, and 8 + 187 beside the sealed part of each record.
            let room = CloudLimits.batch - 195 - 2 * 195 + more
            let halves = [room / 2, room - room / 2]
            let records = halves.enumerated().map { (index, half) in
                Modify.Write(condition: 0, record: samples.record(UInt64(index + 1), sealed: half))
            }
            let bytes = samples.encoded(batch { $0.records = records })
            #expect(bytes.count == CloudLimits.batch + more)
            #expect(Body.modify.refusal(bytes) == refusal)
        }
    }

    @Test func `the items of a page have 16 MiB together, or one has more`() {
        for (more, refusal) in [(0, nil), (1, DecodingError.tooLong)] {
            var samples = Samples()
            // 9 and 187 beside the sealed part of each.
            let room = CloudLimits.page - 2 * 196 + more
            let records = [room / 2, room - room / 2].enumerated().map { (index, half) in
                ChangesPage.Content.record(samples.record(UInt64(index + 1), sealed: half))
            }
            let page = Samples.page(records)
            #expect(Body.changes.refusal(samples.encoded(page)) == refusal)
        }
        var samples = Samples()
        let long = samples.record(1, sealed: CloudLimits.sealed)
        let page = Samples.page([.record(long)])
        #expect(Body.changes.refusal(samples.encoded(page)) == nil)
    }

    @Test func `a page has at most a thousand items, and its token 1 to 64 bytes`() {
        func refusal(items count: Int, token: Int = 3) -> DecodingError? {
            var samples = Samples()
            let items = (0..<count).map { _ in ChangesPage.Content.link(samples.link(2)) }
            var page = Samples.page(items)
            page.token = [UInt8](repeating: 1, count: token)
            return Body.changes.refusal(samples.encoded(page))
        }
        #expect(refusal(items: 1_000) == nil && refusal(items: 1_001) == .tooLong)
        #expect(refusal(items: 0, token: 64) == nil && refusal(items: 0, token: 1) == nil)
        #expect(refusal(items: 0, token: 65) == .tooLong && refusal(items: 0, token: 0) == .invalid)
    }

    @Test func `a log has from 1 to 65,536 entries`() {
        func refusals(_ length: UInt64) -> [DecodingError?] {
            var samples = Samples()
            var page = samples.mixedPage()
            page.length = length
            let answer = Modified(sequence: 1, length: length, head: Samples.head, tags: [])
            return [Body.changes.refusal(samples.encoded(page)), Body.modified.refusal(answer.encoded)]
        }
        #expect(refusals(1) == [nil, nil] && refusals(65_536) == [nil, nil])
        #expect(refusals(0) == [.invalid, .invalid] && refusals(65_537) == [.tooLong, .tooLong])
    }
}

/// A batch of nothing, changed.
private func batch(_ change: (inout Modify) -> Void) -> Modify {
    var modify = Samples.empty
    change(&modify)
    return modify
}

private func names(_ count: Int) -> [Identifier] { (1...count).map { Samples.identifier(UInt64($0)) } }

private func wraps(_ count: Int, _ samples: inout Samples) -> [Modify.Wrap] {
    let wrap = samples.wrap(2)
    return names(count).map { Modify.Wrap(member: $0, wrap: wrap) }
}

private func writes(_ count: Int, _ samples: inout Samples) -> [Modify.Write] {
    (1...count).map { Modify.Write(condition: 0, record: samples.record(UInt64($0))) }
}

private func entries(_ count: Int, _ samples: inout Samples) -> [CloudEntry] {
    (0..<count).map { _ in samples.entry() }
}

private func links(_ count: Int, _ samples: inout Samples) -> [CloudLink] {
    (0..<count).map { samples.link(UInt32($0)) }
}
