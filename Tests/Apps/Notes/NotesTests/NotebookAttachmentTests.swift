import Envelopes
import Foundation
import NotesClient
import Secrets
import Testing

@testable import Notes

@Suite struct NotebookAttachmentTests {
    private static let chunk = AssetEnvelope.chunkByteCount
    private let test: TestNotebook
    private let note: Identifier
    private var notebook: Notebook { test.notebook }

    init() throws {
        test = try TestNotebook { Array($0.prefix(3)) }
        note = try test.create("text\n")
    }

    @Test(arguments: [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk])
    func `a file of any size comes out as it went in`(_ count: Int) throws {
        let bytes = content(count)
        try test.attach(bytes, as: "a.bin", .file, to: note)
        try test.reopen()
        let summary = try #require(notebook.attachments.list(of: note).first)
        #expect(summary.byteCount == UInt64(count) && summary.name == "a.bin" && summary.kind == .file)
        #expect(summary.mediaType == "a/b" && !summary.hasThumbnail)
        #expect(try test.file("a.bin", of: note) == bytes && test.files.count == 1)
        let reader = try notebook.attachments.read("a.bin", of: note, isThumbnail: false).reader
        #expect(reader.chunkCount == max(1, (count + Self.chunk - 1) / Self.chunk))
    }

    @Test func `a file stands at the end of its note's text, which gets no version by it`() throws {
        try test.attach([1], as: "a [b].png", to: note)
        let id = try #require(notebook.attachments.list(of: note).first).id
        #expect(try test.text(note) == "text\n\n![a \\[b\\]\\.png](attachment:\(id))\n")
        #expect(try notebook.texts.versions(of: note).count == 1 && notebook.summary(of: note).attachmentCount == 1)
        #expect(try notebook.summary(of: note).title == "text")
    }

    @Test func `images and sketches have thumbnails, where one can be made`() throws {
        for kind in TestFile.kinds { try test.attachAsItIs(TestFile.whole(kind), as: "\(kind)", kind, to: note) }
        try test.attachAsItIs([], as: "empty", .image, to: note)
        for summary in try notebook.attachments.list(of: note) {
            let hasThumbnail = ["image", "sketch"].contains(summary.name)
            #expect(
                summary.hasThumbnail == hasThumbnail
                    && summary.kind.rawValue == (summary.name == "empty" ? "file" : summary.name))
            let refused = refusal { try test.file(summary.name, of: note, isThumbnail: true) }
            #expect(refused == (hasThumbnail ? nil : .notFound))
        }
        #expect(try test.file("image", of: note, isThumbnail: true) == Array(TestFile.png.prefix(3)))
    }

    @Test func `a file is found by its name, its identity or the beginning of that`() throws {
        for name in ["one", "two", "two"] { try test.attach(Array(name.utf8), as: name, .file, to: note) }
        let summaries = try notebook.attachments.list(of: note)
        let id = try #require(summaries.first).id
        for wanted in ["one", id, String(id.prefix(4)), id.uppercased()] {
            #expect(try test.file(wanted, of: note) == Array("one".utf8))
        }
        #expect(refusal { try test.file("two", of: note) } == .ambiguous)
        for wanted in ["", "on", "three", String(id.prefix(3))] {
            #expect(refusal { try test.file(wanted, of: note) } == .notFound)
        }
    }

    @Test func `a name is needed, and has at most 255 bytes`() throws {
        for name in ["", String(repeating: "a", count: 256)] {
            #expect(refusal { try test.attach([1], as: name, to: note) } == .invalid)
        }
        try test.attach([1], as: String(repeating: "a", count: 255), .file, to: note)
        #expect(test.files.count == 1)
    }

    @Test func `a file that is taken out is gone from text and disk`() throws {
        try test.attach([1], as: "a.png", to: note)
        try test.attach([2], as: "b.png", to: note)
        #expect(test.files.count == 4)
        try notebook.attachments.detach("a.png", from: note)
        #expect(test.files.count == 2)
        #expect(try notebook.attachments.list(of: note).map(\.name) == ["b.png"] && !test.text(note).contains("![a"))
        #expect(refusal { try notebook.attachments.detach("a.png", from: note) } == .notFound)
        try test.reopen()
        #expect(try test.file("b.png", of: note) == [2])
    }

    @Test func `a file that never comes to its end leaves nothing behind`() throws {
        do {
            let description = NewAttachment(name: "a", kind: .file, mediaType: "")
            let incoming = try notebook.attachments.begin(to: note, description)
            try incoming.append(inPieces: content(Self.chunk + 5))
            #expect(test.files.count == 1)
        }
        #expect(test.files.isEmpty)
        #expect(try notebook.attachments.list(of: note).isEmpty)
    }

    @Test func `a file whose note went away while it came is refused and removed`() throws {
        do {
            let description = NewAttachment(name: "a", kind: .file, mediaType: "")
            let incoming = try notebook.attachments.begin(to: note, description)
            try notebook.trash.delete(note, forever: false)
            try notebook.trash.delete(note, forever: true)
            #expect(refusal { try notebook.attachments.finish(incoming) } == .notFound)
        }
        #expect(test.files.isEmpty)
    }

    @Test func `a damaged file is told from a whole one, and other files are read`() throws {
        try test.attach(content(Self.chunk + 100), as: "a", .file, to: note)
        let path = test.folder + "/assets/" + (try #require(test.files.first))
        try test.attach([1], as: "b", .file, to: note)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var forms = [whole.dropLast(), whole + [0], Data(), Data(whole.prefix(Self.chunk + 16))]
        for offset in [0, Self.chunk, Self.chunk + 16, whole.count - 1] {
            var changed = whole
            changed[offset] ^= 1
            forms.append(changed)
        }
        for form in forms {
            try form.write(to: URL(fileURLWithPath: path))
            #expect(refusal { try test.file("a", of: note) } == .damaged)
            #expect(try test.file("b", of: note) == [1])
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(refusal { try test.file("a", of: note) } == .damaged)
        try whole.write(to: URL(fileURLWithPath: path))
        #expect(try test.file("a", of: note) == content(Self.chunk + 100))
    }

    // MARK: Files without a note

    private func addOrphans() throws {
        for name in [Identifier.makeRandom().description, Identifier.makeRandom().description + ".part", "stray"] {
            try Data([1]).write(to: URL(fileURLWithPath: test.folder + "/assets/" + name))
        }
    }

    @Test func `a start puts aside files that no note names, and keeps those of locked and trashed notes`() throws {
        let test = try TestNotebook(suite: .tresor256) { _ in [1] }
        try test.openSession()
        try test.attach([1], as: "a.png", to: try test.create("locked\n", isLocked: true))
        let trashed = try test.create("trashed\n")
        try test.attach([1], as: "b.png", to: trashed)
        try test.notebook.trash.delete(trashed, forever: false)
        let files = test.files
        #expect(files.count == 4)
        for name in [Identifier.makeRandom().description, Identifier.makeRandom().description + ".part"] {
            try Data([1]).write(to: URL(fileURLWithPath: test.folder + "/assets/" + name))
        }
        try test.reopenUnread()
        try test.notebook.heads.loadAll()
        #expect(test.files == files)
        #expect(test.filesAside.count == 1)
    }

    @Test func `a note whose row has gone loses no file, and has it again with its row`() throws {
        try test.attach([1, 2, 3], as: "a", .file, to: note)
        let file = try #require(test.files.first)
        // A flipped bit in the cell that says of which type it is: nobody reads the row, and nobody misses it.
        let types = [Int(RecordType.header), Int(RecordType.body)]
        for (count, type) in types.enumerated() {
            try test.execute("UPDATE record SET type = ? WHERE type = ?", [9000 + type, type])
            try test.reopenUnread()
            try notebook.heads.loadAll()
            // As long as its text is left, its files stay with it.
            #expect(test.files == (count == 0 ? [file] : []) && test.filesAside == (count == 0 ? [] : [file]))
        }
        for type in types { try test.execute("UPDATE record SET type = ? WHERE type = ?", [type, 9000 + type]) }
        try test.reopen()
        #expect(try test.file("a", of: note) == [1, 2, 3])
        #expect(test.files == [file] && test.filesAside.isEmpty)
    }

    @Test func `while a header cannot be read, no file is removed`() throws {
        try test.attach([1], as: "a.png", to: note)
        try addOrphans()
        let files = test.files
        try test.damage(RecordType.header)
        try test.reopenUnread()
        try notebook.heads.loadAll()
        #expect(test.files == files.filter { !$0.hasSuffix(".part") } && files.count == 5)
    }
}
