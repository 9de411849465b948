import Envelopes
import Fuzzing
import NotesClient
import Secrets
import Testing
import Thoroughness

@testable import Notes
import Zones

/// Records behind their seals: what somebody with the keys, or a bug of ours, could put there.
@Suite struct RecordFuzz {
    @Test(arguments: RecordForm.all)
    func `mutated records are refused or canonical, and never crash a reader`(_ form: RecordForm) throws {
        let samples = try form.samples()
        for sample in samples { #expect(try form.roundTrip(sample) == sample) }
        let seed = UInt64.random(in: .min ... .max)
        var mutator = Mutator(seed: seed)
        var accepted = 0
        let count = Thoroughness.count(800, soak: 3000)
        for _ in 0..<count {
            let bytes = mutator.mutated(samples)
            guard let again = try? form.roundTrip(bytes) else { continue }
            accepted += 1
            guard again == bytes else {
                Issue.record("seed \(seed): \(Hexadecimal.encode(bytes)) encodes to \(Hexadecimal.encode(again))")
                return
            }
        }
        #expect(accepted > count / 300)
    }
}

/// The layout of one type of record: some that are valid, and the way from bytes to bytes.
struct RecordForm: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let samples: @Sendable () throws -> [[UInt8]]
    let roundTrip: @Sendable ([UInt8]) throws -> [UInt8]

    static let all = [
        RecordForm(testDescription: "NoteHeader", samples: headers) { try NoteHeader(from: $0).encoded },
        RecordForm(testDescription: "NoteBody", samples: bodies, roundTrip: body),
        RecordForm(testDescription: "FormerBody", samples: formerBodies, roundTrip: body),
        RecordForm(testDescription: "LockKey", samples: lockKeys) { try LockKey(.zero, from: $0).encoded },
        RecordForm(testDescription: "NoteLock", samples: locks) { try NoteLock(from: $0).encoded },
        RecordForm(testDescription: "PartContent", samples: parts) { try PartContent(from: $0).encoded },
        RecordForm(testDescription: "NoteAttachment", samples: attachments) { try NoteAttachment(from: $0).encoded },
        RecordForm(testDescription: "NoteHistory", samples: histories) { try NoteHistory(from: $0).encoded },
        RecordForm(testDescription: "NoteOrigin", samples: origins) { try NoteOrigin(from: $0).encoded },
        RecordForm(testDescription: "ImportSource", samples: importSources) { try ImportSource(from: $0).encoded },
        RecordForm(testDescription: "NoteDraft", samples: drafts) { try NoteDraft(from: $0).encoded },
        RecordForm(testDescription: "AccountSettings", samples: settings) { try AccountSettings(from: $0).encoded },
    ]

    @Sendable private static func headers() -> [[UInt8]] {
        var full = NoteHeader(title: "Title", created: 1)
        full.folder = "A/B"
        full.tags = ["one", "", "ü🗝"]
        full.deleted = 2
        (full.isPinned, full.hasConflict) = (true, true)
        (full.lock, full.history, full.draft) = (.makeRandom(), .makeRandom(), .makeRandom())
        full.source = "app:1"
        full.attachments = [.makeRandom(), .makeRandom()]
        full.assets = [.makeRandom()]
        var imported = full
        imported.source = String(repeating: "0a", count: 32)
        (imported.origin, imported.sourceRevision) = (.makeRandom(), .max)
        return [full.encoded, imported.encoded, NoteHeader(title: "", created: .min).encoded]
    }

    @Sendable private static func origins() -> [[UInt8]] {
        var full = NoteOrigin(note: .makeRandom(), state: [UInt8](repeating: 7, count: 32))
        full.folder = "A/B"
        full.tags = ["one", "ü🗝"]
        (full.isPinned, full.isDeleted) = (true, true)
        full.files = [NoteOrigin.File(mark: [UInt8](repeating: 9, count: 32), attachment: .makeRandom())]
        full.frontMatter = "aliases: [x]\n"
        return [full.encoded, NoteOrigin(note: .zero, state: [UInt8](repeating: 0, count: 32)).encoded]
    }

    @Sendable private static func importSources() -> [[UInt8]] {
        [ImportSource(kind: "markdown", place: "/home/ü", first: 1, last: .max).encoded]
    }

    /// A body of the former layout is written anew in the present one, with the same text.
    @Sendable private static func body(_ bytes: [UInt8]) throws -> [UInt8] {
        let body = try NoteBody(from: bytes)
        guard bytes.first == 1 else { return body.encoded }
        return try NoteBody(from: body.encoded) == body ? bytes : []
    }

    @Sendable private static func bodies() -> [[UInt8]] {
        let texts = ["# a\n\n[b]: c\r\n\r\nd", "\u{FEFF}ü🗝\u{0}", ""]
        return texts.flatMap { text in
            let blocks = Markdown.split(Array(text.utf8))
            return [NoteBody(blocks: blocks, title: "title", tags: ["tag"]).encoded, NoteBody(blocks: blocks).encoded]
        }
    }

    @Sendable private static func formerBodies() -> [[UInt8]] {
        let list = Identifier.makeRandom()
        let quote = Block.Container.quote(id: .makeRandom())
        let done = Block.Container.item(Block.Item(id: .makeRandom(), list: list, isChecked: true))
        let second = Block.Container.item(Block.Item(id: .makeRandom(), list: list, number: 2, isTight: false))
        let table = Table(alignments: [.none, .left, .right], rows: [["a", "", "ü"], ["1", "2", "3"]])
        let blocks = [
            Block(content: .heading(level: 6, text: "heading")),
            Block(containers: [quote], content: .paragraph(text: "p")),
            Block(containers: [quote, done], content: .code(info: "swift", text: "let\n")),
            Block(containers: [second], content: .table(table)), Block(content: .html("<p>")), Block(content: .rule),
            Block(content: .attachment(id: .makeRandom(), name: "a.png")), Block(containers: [done], content: .empty),
        ]
        return [FormerEncoding.body(blocks, title: "title", tags: ["tag"])]
            + blocks.map { FormerEncoding.body([$0]) }
    }

    @Sendable private static func lockKeys() -> [[UInt8]] {
        LockSuite.allCases.flatMap { suite in
            [nil, "", "a hint"].map { hint in
                LockKey(
                    id: .zero, suite: suite, rounds: 700_000, salt: [UInt8](repeating: 1, count: suite.saltByteCount),
                    verifier: [UInt8](repeating: 2, count: suite.wrappedByteCount), hint: hint, created: 3
                ).encoded
            }
        }
    }

    @Sendable private static func locks() -> [[UInt8]] {
        LockSuite.allCases.map { suite in
            let wrapped = [UInt8](repeating: 3, count: suite.wrappedByteCount)
            return NoteLock(note: .makeRandom(), lockKey: .makeRandom(), suite: suite, wrappedKey: wrapped).encoded
        }
    }

    @Sendable private static func parts() -> [[UInt8]] {
        let forms: [PartContent] = [
            .open([]), .open([1, 2, 3]), .locked(.documented128, sealed: [4], isBound: false),
            .locked(.tresor256, sealed: [5, 6], isBound: true),
        ]
        return forms.map(\.encoded)
    }

    @Sendable private static func attachments() throws -> [[UInt8]] {
        try AttachmentKind.allCases.flatMap { kind in
            let file = AssetReference(try AssetKey.makeRandom(), byteCount: 1 << 40)
            return [nil, file].map { thumbnail in
                NoteAttachment(
                    note: .makeRandom(), kind: kind, name: "a.png", mediaType: "image/png", asset: file,
                    thumbnail: thumbnail
                ).encoded
            }
        }
    }

    @Sendable private static func histories() -> [[UInt8]] {
        (0..<4).map { count in
            var history = NoteHistory()
            for _ in 0..<count {
                history.entries.append(
                    NoteHistory.Entry(version: .makeRandom(), modified: 1, revision: 2, byteCount: 3))
            }
            return history.encoded
        }
    }

    @Sendable private static func drafts() -> [[UInt8]] {
        ["", "typed\n", "ü🗝\r\n"].map { NoteDraft(base: .max, markdown: $0).encoded }
    }

    @Sendable private static func settings() -> [[UInt8]] {
        var chosen = AccountSettings()
        (chosen.showsLockedTitles, chosen.sessionMinutes, chosen.suite) = (false, 3, .documented128)
        chosen.currentLockKey = .makeRandom()
        return [AccountSettings().encoded, chosen.encoded]
    }
}
