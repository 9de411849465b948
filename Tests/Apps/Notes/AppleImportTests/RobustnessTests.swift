import Foundation
import Testing
import Thoroughness

@testable import AppleImport

/// Whatever the bytes are, the answer is a note, a problem or an error.
@Suite struct Robustness {
    @Test func `every cut and every flipped bit of a body is read or refused`() throws {
        let document = BodyFixture.document([
            .title("Title 🙂"), .init(text: "item\n", style: 103, indent: 2, isDone: true),
            .init(text: "bold", weight: 1, link: "https://x"), .attachment("A", "public.png"),
        ])
        for count in document.indices { read(Array(document.prefix(count))) }
        for position in document.indices {
            for bit in 0..<8 {
                var damaged = document
                damaged[position] ^= 1 << bit
                read(damaged)
            }
        }
    }

    @Test func `every flipped bit of a table is read or refused`() throws {
        let table = try Gunzip.unpack(TableFixture.packed([["A", "B"], ["1", "2"]]))
        for position in table.indices {
            for bit in 0..<8 {
                var damaged = table
                damaged[position] ^= 1 << bit
                _ = try? TableMarkdown.render(MergeableTable(damaged).rows)
            }
        }
    }

    @Test func `cut and overwritten databases are refused or give what they still have`() throws {
        let fixture = try StoreFixture()
        for key: Int64 in 20..<40 { try fixture.addNote(key, [.plain(String(repeating: "text ", count: 100))]) }
        let whole = try Data(contentsOf: fixture.database)
        for count in stride(from: 0, to: whole.count, by: Thoroughness.count(3989, soak: 997)) {
            try whole.prefix(count).write(to: fixture.database)
            readAll(fixture)
        }
        for position in stride(from: 16, to: whole.count, by: Thoroughness.count(1327, soak: 331)) {
            var damaged = whole
            for offset in 0..<min(40, damaged.count - position) { damaged[position + offset] ^= 0xA5 }
            try damaged.write(to: fixture.database)
            readAll(fixture)
        }
        #expect(try fixture.namesInScratch() == [])
    }

    @Test func `a thousand references to one attachment bring it once`() throws {
        let fixture = try StoreFixture()
        try fixture.add(
            30, StoreFixture.attachments,
            [
                "ZIDENTIFIER": "TAB", "ZTYPEUTI": "com.apple.notes.table",
                "ZMERGEABLEDATA1": TableFixture.packed([["A"]]),
            ])
        let reference = BodyFixture.Run.attachment("TAB", "com.apple.notes.table")
        try fixture.addNote(20, Array(repeating: reference, count: 1000))
        #expect(try fixture.note().markdown == "| A |\n| --- |\n")
    }

    private func read(_ document: [UInt8]) {
        guard let text = try? NoteText(document: document) else { return }
        _ = MarkdownWriter.render(text.paragraphs) { _ in .blocks([["x"]]) }
    }

    private func readAll(_ fixture: StoreFixture) {
        guard let store = try? fixture.open() else { return }
        for index in 0..<store.noteCount { _ = try? store.note(at: index) }
    }
}
