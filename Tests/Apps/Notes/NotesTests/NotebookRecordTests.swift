import Envelopes
import NotesClient
import Secrets
import Testing

@testable import Notes
import Zones

/// The layouts of records: whatever is not exactly what is written is refused, and nothing crashes a reader.
@Suite struct NotebookRecordTests {
    @Test func `headers`() throws {
        var full = NoteHeader(title: "Title", created: -1)
        full.folder = "A/B"
        full.tags = ["one", "", "two"]
        full.deleted = 5
        (full.isPinned, full.hasConflict) = (true, true)
        full.textRevision = .max
        (full.lock, full.history, full.draft) = (.makeRandom(), .makeRandom(), .makeRandom())
        full.source = "app:1"
        full.attachments = [.makeRandom(), .makeRandom()]
        full.assets = [.makeRandom()]
        var imported = full
        imported.source = String(repeating: "0a", count: 32)
        (imported.origin, imported.sourceRevision) = (.makeRandom(), 3)
        for header in [full, imported, NoteHeader(title: "", created: .max)] { try check(header) }
        #expect(full.encoded.first == 1 && imported.encoded.first == 2)
    }

    @Test func `bodies`() throws {
        for text in ["", "a", "# a\r\n\r\n[b]: c\r\n", "\n\n", "\u{FEFF}\u{0}\tü🗝\n\n- [x] a\n> b\n"] {
            try check(NoteBody(blocks: Markdown.split(Array(text.utf8)), title: "t", tags: ["one", "two"]))
            try check(NoteBody(blocks: Markdown.split(Array(text.utf8))))
        }
        let none = NoteBody(blocks: [SourceBlock(source: [])])
        #expect(throws: DecodingError.self) { try NoteBody(from: none.encoded) }
        let broken = NoteBody(blocks: [SourceBlock(source: [0xC3])])
        #expect(throws: DecodingError.self) { try NoteBody(from: broken.encoded) }
    }

    @Test func `former bodies of every block and container`() throws {
        var numbered = Block.Item(id: .makeRandom(), list: .makeRandom(), number: 7, isChecked: true, isTight: false)
        let quote = Block.Container.quote(id: .makeRandom())
        let contents: [Block.Content] = [
            .heading(level: 1, text: "a"), .heading(level: 6, text: ""), .paragraph(text: "b\u{0}ü🗝"),
            .code(info: "swift", text: "c\n"), .html("<p>"), .rule, .attachment(id: .makeRandom(), name: "p.png"),
            .empty,
            .table(
                Table(alignments: [.none, .left, .center, .right], rows: [["a", "b", "", "d"], ["", "", "", ""]])),
        ]
        var blocks = contents.map { Block(containers: [quote, .item(numbered)], content: $0) }
        for isChecked in [nil, false, true] {
            numbered.isChecked = isChecked
            numbered.number = nil
            blocks.append(Block(containers: [.item(numbered)], content: .empty))
        }
        let former = FormerEncoding.body(blocks, title: "t", tags: ["one", "two"])
        let body = try NoteBody(from: former)
        #expect(body.title == "t" && body.tags == ["one", "two"] && body.markdown == Markdown.render(blocks))
        for count in former.indices {
            #expect(throws: DecodingError.self) { try NoteBody(from: Array(former.prefix(count))) }
        }
        #expect(throws: DecodingError.self) { try NoteBody(from: former + [0]) }
        for index in former.indices {
            for bits in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = former
                changed[index] ^= bits
                // Refused, or a text: nothing else.
                if let other = try? NoteBody(from: changed) { #expect(try NoteBody(from: other.encoded) == other) }
            }
        }
    }

    @Test func `a block stands in so many containers and no more`() throws {
        let quotes = (0..<1025).map { _ in Block.Container.quote(id: .makeRandom()) }
        let deepest = FormerEncoding.body([Block(containers: Array(quotes.dropLast()), content: .empty)])
        #expect(try NoteBody(from: deepest).blocks.count == 1)
        let deeper = FormerEncoding.body([Block(containers: quotes, content: .empty)])
        #expect(throws: DecodingError.tooLong) { try NoteBody(from: deeper) }
    }

    @Test func `a table has columns, and a heading one of six levels`() throws {
        let table = FormerEncoding.body([Block(content: .table(Table(alignments: [], rows: [])))])
        #expect(throws: DecodingError.invalid) { try NoteBody(from: table) }
        for level in [0, 7, 255] {
            let heading = FormerEncoding.body([Block(content: .heading(level: level, text: ""))])
            #expect(throws: DecodingError.invalid) { try NoteBody(from: heading) }
        }
    }

    @Test func `attachments, with a thumbnail and without`() throws {
        for kind in AttachmentKind.allCases {
            let asset = AssetReference(try AssetKey.makeRandom(), byteCount: .max)
            let thumbnail = AssetReference(try AssetKey.makeRandom(), byteCount: 0)
            for reference in [nil, thumbnail] {
                try check(
                    NoteAttachment(
                        note: .makeRandom(), kind: kind, name: "n", mediaType: "a/b", asset: asset,
                        thumbnail: reference))
            }
        }
    }

    @Test func `histories, drafts and settings`() throws {
        var history = NoteHistory()
        try check(history)
        for number in 0..<3 {
            history.entries.append(
                NoteHistory.Entry(
                    version: .makeRandom(), modified: Int64(number), revision: .max, byteCount: UInt32(number)))
        }
        try check(history)
        try check(NoteDraft(base: .max, markdown: "text\n"))
        try check(AccountSettings())
        var settings = AccountSettings()
        settings.showsLockedTitles = false
        settings.sessionMinutes = 3
        settings.suite = .documented128
        settings.currentLockKey = .makeRandom()
        try check(settings)
        settings.sessionMinutes = 200
        #expect(throws: DecodingError.invalid) { try AccountSettings(from: settings.encoded) }
    }

    @Test(arguments: LockSuite.allCases) func `locks and passphrases`(_ suite: LockSuite) throws {
        let wrapped = [UInt8](repeating: 7, count: suite.wrappedByteCount)
        let lock = NoteLock(note: .makeRandom(), lockKey: .makeRandom(), suite: suite, wrappedKey: wrapped)
        try check(lock)
        var short = lock
        short.wrappedKey.removeLast()
        #expect(throws: DecodingError.invalid) { try NoteLock(from: short.encoded) }
        for hint in [nil, "", "a hint"] { try check(StoredLockKey(lockKey(suite, hint: hint))) }
        for rounds in [0, 599_999, 100_000_001, UInt32.max] {
            var weak = lockKey(suite, hint: nil)
            weak.rounds = rounds
            #expect(throws: DecodingError.invalid) { try LockKey(weak.id, from: weak.encoded) }
        }
    }

    private func lockKey(_ suite: LockSuite, hint: String?) -> LockKey {
        LockKey(
            id: .zero, suite: suite, rounds: 600_000, salt: [UInt8](repeating: 1, count: suite.saltByteCount),
            verifier: [UInt8](repeating: 2, count: suite.wrappedByteCount), hint: hint, created: 3)
    }

    @Test func `parts, as they are and under a key`() throws {
        let parts: [PartContent] = [
            .open([]), .open([1, 2]), .locked(.tresor256, sealed: [3], isBound: false),
            .locked(.documented128, sealed: [], isBound: false), .locked(.tresor256, sealed: [3], isBound: true),
        ]
        for part in parts {
            #expect(try PartContent(from: part.encoded) == part)
        }
        for bytes in [[], [1], [0, 0], [2, 0], [1, 3], [1, 255], [2], [2, 3], [3, 1]] as [[UInt8]] {
            #expect(throws: DecodingError.self) { try PartContent(from: bytes) }
        }
    }

    @Test func `a count that cannot be true is refused before room is made for it`() {
        let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        let noTitle: [UInt8] = [0, 0, 0, 0]
        #expect(throws: DecodingError.truncated) { try NoteHistory(from: [1] + huge) }
        for layout in [1, 2] as [UInt8] {
            #expect(throws: DecodingError.truncated) { try NoteBody(from: [layout] + noTitle + huge) }
            #expect(throws: DecodingError.truncated) { try NoteBody(from: [layout] + noTitle + noTitle + huge) }
            #expect(throws: DecodingError.self) { try NoteBody(from: [layout] + huge) }
        }
    }

    /// A record decodes to itself, and nothing that differs from it in one place is taken for it or breaks the reader.
    private func check<Record: StoredRecord>(_ record: Record) throws {
        let encoded = record.encoded
        #expect(try Record(from: encoded) == record)
        for count in encoded.indices where (try? Record(from: Array(encoded.prefix(count)))) != nil {
            Issue.record("\(Record.self) of \(count) bytes of \(encoded.count)")
        }
        #expect(throws: DecodingError.self) { try Record(from: encoded + [0]) }
        for version in [0, 3, 255] as [UInt8] {
            #expect(throws: DecodingError.invalid) { try Record(from: [version] + encoded.dropFirst()) }
        }
        for index in encoded.indices {
            for bits in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = encoded
                changed[index] ^= bits
                guard let other = try? Record(from: changed) else { continue }
                if Record.self == NoteBody.self, changed[0] == 1 { continue }
                // What is accepted has one form: the one that would be written.
                if other.encoded != changed { Issue.record("\(Record.self), byte \(index) changed by \(bits)") }
            }
        }
    }
}

private protocol StoredRecord: Equatable {
    var encoded: [UInt8] { get }
    init(from bytes: [UInt8]) throws(DecodingError)
}

extension NoteHeader: StoredRecord {}
extension NoteBody: StoredRecord {}
extension NoteAttachment: StoredRecord {}
extension NoteHistory: StoredRecord {}
extension NoteDraft: StoredRecord {}
extension AccountSettings: StoredRecord {}
extension NoteLock: StoredRecord {}

/// A passphrase's record without its name.
private struct StoredLockKey: StoredRecord {
    let lockKey: LockKey
    var encoded: [UInt8] { lockKey.encoded }

    init(_ lockKey: LockKey) { self.lockKey = lockKey }

    init(from bytes: [UInt8]) throws(DecodingError) { lockKey = try LockKey(.zero, from: bytes) }
}
