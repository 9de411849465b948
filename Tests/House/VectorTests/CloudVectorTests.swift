import CloudWire
import Envelopes
import Secrets
import Testing

/// The bodies that the cloud's server and its clients exchange, against files that other code wrote.
@Suite struct CloudVectors {
    @Test(arguments: Vector.all("cloud-modify")) func modify(_ vector: Vector) throws {
        let body = try vector.bytes("body")
        let outcome = vector.outcome {
            let modify = try body.withSpan { (span) throws in try Modify(from: span) }
            #expect(body.withSpan { modify.encoded(from: $0) } == body)
            #expect(try modify.batch == vector.identifier("batch") && modify.zone.bytes == vector.bytes("zone"))
            #expect(try modify.head.bytes == vector.bytes("head") && Int(modify.key.rawValue) == vector.number("key"))
            try checkMembership(modify, body, vector)
            try checkAssets(modify, vector)
            #expect(try modify.records.count == vector.number("records"))
            for (index, write) in modify.records.enumerated() {
                #expect(try Int(write.condition) == vector.number("record_\(index + 1)_condition"))
                try check(write.record, as: "record_\(index + 1)", in: body, vector)
            }
            try checkSignature(modify, body, vector)
        }
        #expect(outcome == vector.refusal)
    }

    private func checkMembership(_ modify: Modify, _ body: [UInt8], _ vector: Vector) throws {
        #expect(try modify.entries.count == vector.number("entries"))
        for (index, entry) in modify.entries.enumerated() {
            try check(entry, as: "entry_\(index + 1)", "entry_\(index + 1)_signature", in: body, vector)
        }
        #expect(try modify.wraps.count == vector.number("wraps"))
        for (index, wrap) in modify.wraps.enumerated() {
            #expect(try wrap.member == vector.identifier("wrap_\(index + 1)_member"))
            try check(wrap.wrap, as: "wrap_\(index + 1)", "wrap_\(index + 1)", in: body, vector)
        }
        #expect(try modify.links.count == vector.number("links"))
        for (index, link) in modify.links.enumerated() {
            try check(link, as: "link_\(index + 1)", "link_\(index + 1)", in: body, vector)
        }
    }

    private func checkAssets(_ modify: Modify, _ vector: Vector) throws {
        #expect(try modify.adopted.count == vector.number("adopted"))
        for (index, adopted) in modify.adopted.enumerated() {
            #expect(try adopted.asset == vector.identifier("adopted_\(index + 1)_asset"))
            #expect(try adopted.zone.bytes == vector.bytes("adopted_\(index + 1)_zone"))
        }
        #expect(try modify.released.count == vector.number("released"))
        for (index, asset) in modify.released.enumerated() {
            #expect(try asset == vector.identifier("released_\(index + 1)"))
        }
    }

    private func checkSignature(_ modify: Modify, _ body: [UInt8], _ vector: Vector) throws {
        let signed = body.withSpan { Modify.signedPart(of: $0).copyToArray() }
        #expect(body.withSpan { modify.unsigned(from: $0) } == signed)
        #expect(try Digest.sha256(signed) == vector.bytes("hash"))
        #expect(try modify.signature == vector.bytes("signature"))
        let publicKey = try vector.bytes("public_key")
        #expect(Signing.verify(modify.signature, of: Digest.sha256(signed), publicKey: publicKey))
    }

    @Test(arguments: Vector.all("cloud-modified")) func modified(_ vector: Vector) throws {
        let body = try vector.bytes("body")
        let outcome = vector.outcome {
            let modified = try body.withSpan { (span) throws in try Modified(from: span) }
            #expect(modified.encoded == body)
            #expect(try Int(modified.sequence) == vector.number("sequence"))
            #expect(try Int(modified.length) == vector.number("length"))
            #expect(try modified.head.bytes == vector.bytes("head"))
            #expect(try modified.tags.count == vector.number("tags"))
            for (index, tag) in modified.tags.enumerated() {
                #expect(try Int(tag) == vector.number("tag_\(index + 1)"))
            }
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("cloud-changes")) func changes(_ vector: Vector) throws {
        let body = try vector.bytes("body")
        let outcome = vector.outcome {
            let page = try body.withSpan { (span) throws in try ChangesPage(from: span) }
            #expect(body.withSpan { page.encoded(from: $0) } == body)
            #expect(try page.zone.bytes == vector.bytes("zone") && page.token == vector.bytes("token"))
            #expect(try page.more == (vector.number("more") == 1) && Int(page.length) == vector.number("length"))
            #expect(try page.head.bytes == vector.bytes("head") && page.items.count == vector.number("items"))
            for (index, item) in page.items.enumerated() {
                #expect(try Int(item.tag) == vector.number("item_\(index + 1)_tag"))
                try check(item.content, as: "item_\(index + 1)", in: body, vector)
            }
        }
        #expect(outcome == vector.refusal)
    }

    private func check(
        _ content: ChangesPage.Content, as name: String, in body: [UInt8], _ vector: Vector
    ) throws {
        let kind = try vector.number("\(name)_kind")
        switch content {
        case .record(let record):
            #expect(kind == 1)
            try check(record, as: name, in: body, vector)
        case .entry(let entry):
            #expect(kind == 2)
            try check(entry, as: "\(name)_entry", "\(name)_signature", in: body, vector)
        case .wrap(let wrap):
            #expect(kind == 3)
            try check(wrap, as: name, "\(name)_wrap", in: body, vector)
        case .link(let link):
            #expect(kind == 4)
            try check(link, as: name, "\(name)_link", in: body, vector)
        }
    }

    // MARK: Parts that both have

    private func check(_ record: CloudRecord, as name: String, in body: [UInt8], _ vector: Vector) throws {
        #expect(try record.name == vector.identifier("\(name)_name"))
        #expect(try Int(record.type) == vector.number("\(name)_type"))
        let flags = (record.isTombstone ? 1 : 0) + (record.key == .backgroundSigning ? 2 : 0)
        #expect(try flags == vector.number("\(name)_flags"))
        #expect(try Int(record.generation) == vector.number("\(name)_generation"))
        #expect(try Int(record.revision) == vector.number("\(name)_revision"))
        #expect(try record.writer == vector.identifier("\(name)_writer"))
        #expect(try record.head.bytes == vector.bytes("\(name)_head"))
        #expect(try Array(body[record.wrappedKey]) == vector.bytes("\(name)_wrapped_key"))
        #expect(try Array(body[record.signature]) == vector.bytes("\(name)_signature"))
        #expect(try Array(body[record.sealed]) == vector.bytes("\(name)_sealed"))
    }

    private func check(
        _ entry: CloudEntry, as name: String, _ signature: String, in body: [UInt8], _ vector: Vector
    ) throws {
        #expect(try Array(body[entry.entry]) == vector.bytes(name))
        #expect(try Array(body[entry.signature]) == vector.bytes(signature))
        // What is carried is an entry of a log, and is found again.
        #expect(try ZoneLogEntry(from: Array(body[entry.entry])).encoded == vector.bytes(name))
    }

    private func check(
        _ wrap: CloudWrap, as name: String, _ bytes: String, in body: [UInt8], _ vector: Vector
    ) throws {
        #expect(try Int(wrap.generation) == vector.number("\(name)_generation"))
        #expect(try wrap.head.bytes == vector.bytes("\(name)_head"))
        #expect(try Array(body[wrap.wrap]) == vector.bytes(bytes))
    }

    private func check(
        _ link: CloudLink, as name: String, _ bytes: String, in body: [UInt8], _ vector: Vector
    ) throws {
        #expect(try Int(link.generation) == vector.number("\(name)_generation"))
        #expect(try Array(body[link.link]) == vector.bytes(bytes))
    }

    @Test func `batches, answers and pages have their vectors`() {
        let counts = ["cloud-modify", "cloud-modified", "cloud-changes"].map { Vector.all($0).count }
        #expect(zip(counts, [70, 15, 45]).allSatisfy { $0 >= $1 }, "\(counts)")
    }
}
