import CloudWire
import Secrets
import Testing

/// Batches, answers, pages and records: one form of each, and nothing else is taken.
@Suite struct CloudBodyTests {
    @Test(arguments: Body.allCases) func `a body that was written is read, and written as it was`(_ body: Body) throws {
        let bytes = body.sample
        #expect(try body.roundTrip(bytes) == bytes)
    }

    @Test func `a batch and a page that are read say what their writer said`() throws {
        var samples = Samples()
        let batch = samples.batch()
        let page = samples.mixedPage()
        let modify = try samples.encoded(batch).withSpan { (span) throws in try Modify(from: span) }
        #expect(modify.batch == batch.batch && modify.zone == batch.zone && modify.head == batch.head)
        #expect(modify.adopted == batch.adopted && modify.released == batch.released)
        #expect(modify.wraps.map(\.member) == batch.wraps.map(\.member) && modify.wraps.count == 2)
        #expect(modify.records.map(\.condition) == [0, 4711] && modify.signature == batch.signature)
        #expect(modify.records.map(\.record.isTombstone) == [false, true])
        let read = try samples.encoded(page).withSpan { (span) throws in try ChangesPage(from: span) }
        #expect(read.items.map(\.tag) == page.items.map(\.tag) && read.token == page.token && read.more)
        let answer = Modified(sequence: 9, length: 2, head: Samples.head, tags: [7, 9])
        #expect(try answer.encoded.withSpan { (span) throws in try Modified(from: span) } == answer)
    }

    @Test func `sealed parts stay in the body: where they lie is told`() throws {
        var samples = Samples()
        let batch = samples.batch()
        let body = samples.encoded(batch)
        let modify = try body.withSpan { (span) throws in try Modify(from: span) }
        for (read, written) in zip(modify.records, batch.records) {
            #expect(body[read.record.sealed] == samples.source[written.record.sealed])
            #expect(body[read.record.wrappedKey] == samples.source[written.record.wrappedKey])
            #expect(body[read.record.signature] == samples.source[written.record.signature])
        }
        #expect(body[modify.entries[1].entry] == samples.source[batch.entries[1].entry])
        #expect(body[modify.wraps[1].wrap.wrap] == samples.source[batch.wraps[1].wrap.wrap])
        #expect(body[modify.links[0].link] == samples.source[batch.links[0].link])
    }

    @Test func `what a batch's signature is over is all that stands before it`() throws {
        var samples = Samples()
        let batch = samples.batch()
        let body = samples.encoded(batch)
        let signed = body.withSpan { Modify.signedPart(of: $0).copyToArray() }
        #expect(signed == Array(body.dropLast(64)))
        #expect(samples.source.withSpan { batch.unsigned(from: $0) } == signed)
    }

    @Test(arguments: Body.allCases) func `a body that ends at any byte before its last is refused`(_ body: Body) {
        let bytes = body.sample
        let taken = (0..<bytes.count).filter { body.refusal(Array(bytes[..<$0])) != .truncated }
        #expect(taken == [])
    }

    @Test(arguments: Body.allCases) func `a body with anything behind it is refused`(_ body: Body) {
        let bytes = body.sample
        #expect(body.refusal(bytes + [0]) == .trailing && body.refusal(bytes + bytes) == .trailing)
    }

    /// What is taken is written as it was read, so that it says something else than the body before the change.
    @Test(arguments: Body.allCases) func `a body with one bit changed is refused, or says another thing`(
        _ body: Body
    ) throws {
        let bytes = body.sample
        var (refused, taken, silent): (Int, Int, [Int]) = (0, 0, [])
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << UInt8(bit)
                guard let again = try? body.roundTrip(changed) else {
                    refused += 1
                    continue
                }
                taken += 1
                if again != changed { silent.append(place) }
            }
        }
        #expect(silent == [])
        #expect(refused > 40 && taken > 200, "\(refused) refused, \(taken) taken")
    }

    @Test func `a purpose with other letters, or that of another body, is refused`() {
        for body in Body.allCases where body != .record {
            var bytes = body.sample
            let end = 4 + Int(bytes[3])
            bytes[end - 1] = UInt8(ascii: "2")
            #expect(body.refusal(bytes) == .invalid, "\(body)")
            for other in Body.allCases where other != .record && other != body {
                #expect(body.refusal(other.sample) == .invalid, "\(body) as \(other)")
            }
        }
    }
}
