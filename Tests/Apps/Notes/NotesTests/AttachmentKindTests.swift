import Envelopes
import Foundation
import NotesClient
import Secrets
import Testing

@testable import Notes

/// What a file is, by its bytes; and that nobody's word brings into a locked note what it may not hold.
@Suite struct AttachmentKindTests {
    private static func content(_ bytes: [UInt8]) -> AttachmentContent {
        AttachmentContent(
            Array(bytes.prefix(AttachmentContent.beginningByteCount)), byteCount: UInt64(bytes.count))
    }

    private static func page(_ mark: String, _ rest: String = "<!DOCTYPE html>\n<p>text") -> [UInt8] {
        Array((mark + rest).utf8)
    }

    private static let wav = Array("RIFF\0\0\0\0WAVEfmt ".utf8)
    private static let avif: [UInt8] = [0, 0, 0, 28] + Array("ftypavif".utf8) + [0, 0, 0, 0]
    private static let place =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[10.3951,63.4305]},"#
        + #""properties":{"name":"Har\"bour"}}"# + "\n"
    private static let mark = "<!-- saved from url=(0020)https://example.org/ -->"

    /// First bytes, the kind that they are, and the media type.
    private static let known: [(bytes: [UInt8], kind: AttachmentKind, type: String)] = [
        ([0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF".utf8), .image, "image/jpeg"),
        (TestFile.png, .image, "image/png"),
        (Array("GIF89a".utf8), .image, "image/gif"), (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .image, "image/webp"),
        ([0x49, 0x49, 42, 0], .image, "image/tiff"), (avif, .image, "image/avif"),
        ([0, 0, 0, 24] + Array("ftypheic".utf8), .image, "image/heic"), (TestFile.pdf, .pdf, "application/pdf"),
        (Array("OggS".utf8), .audio, "audio/ogg"), (Array("fLaC".utf8), .audio, "audio/flac"),
        (Array("ID3".utf8), .audio, "audio/mpeg"), ([0xff, 0xfb, 0x90, 0], .audio, "audio/mpeg"),
        (wav, .audio, "audio/wav"), ([0, 0, 0, 24] + Array("ftypM4A ".utf8), .audio, "audio/mp4"),
        ([0, 0, 0, 24] + Array("ftypisom".utf8), .video, "video/mp4"),
        ([0, 0, 0, 20] + Array("ftypqt  ".utf8), .video, "video/quicktime"),
        ([0x1a, 0x45, 0xdf, 0xa3], .video, "video/webm"), (Array(place.utf8), .map, "application/geo+json"),
        (page(mark + "\n"), .website, "text/html"),
        (page("\u{feff} <!DOCTYPE html>\n" + mark, "\n<html>"), .website, "text/html"),
        (page("<!-- a -->\n<HTML lang=\"de\">" + mark), .website, "text/html"),
    ]

    @Test(arguments: known.indices) func `a file is known by its first bytes`(index: Int) {
        let row = Self.known[index]
        let content = Self.content(row.bytes)
        #expect(content.kind == row.kind && content.mediaType == row.type, "\(content)")
    }

    /// What looks like something that a locked note may hold, and is not.
    private static let pretenders: [[UInt8]] = [
        [], [0xff, 0xd8], Array("a,b\n1,2\n".utf8), Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8),
        Array("| a | b |\n| - | - |\n".utf8), Array("PK\u{3}\u{4}".utf8),
        // A picture and a page that readers of PDFs take for one.
        TestFile.png + [UInt8](repeating: 0, count: 900) + TestFile.pdf, page(mark, "<!DOCTYPE html><!-- %PDF-1.4"),
        // Pages of nobody knows where.
        page("", "<!DOCTYPE html><p>"), page("<!-- saved from url=(0021)https://example.org/ -->"),
        page("<!-- saved from url=(0020)ftps://example.org/ -->"),
        page("<!-- saved from url=(20)https://example.org/ -->"),
        page("<!-- saved from url=(0020)https://example.org/"), page(mark, "no page at all"),
        Array(("x" + mark + "<!DOCTYPE html>").utf8),
        // Places of another form, or with something beside them.
        Array(place.dropLast().utf8), Array((place + " ").utf8),
        Array(place.replacing("63.4305", with: "93.4305").utf8),
        Array(place.replacing("63.4305", with: "63.43050").utf8),
        Array(place.replacing("{\"name\"", with: "{\"x\":1,\"name\"").utf8),
        Array(place.replacing("Har", with: "Har\n").utf8),
    ]

    @Test(arguments: pretenders.indices) func `what only looks like one is none that a locked note may hold`(index: Int)
    {
        #expect(!Self.content(Self.pretenders[index]).kind.isLockable, "\(index)")
    }

    @Test func `a place and a page say where they are`() throws {
        let place = try #require(Self.content(Array(Self.place.utf8)).place)
        #expect(place.latitude == 63.4305 && place.longitude == 10.3951 && place.name == "Har\"bour")
        #expect(Self.content(Self.page(Self.mark)).address == "https://example.org/")
        for name in ["", "a\\b\"c", String(repeating: "é", count: 127), "]},\"properties\":{\"name\":\""] {
            let made = try #require(SavedPlace(latitude: -90, longitude: 179.999, name: name))
            #expect(SavedPlace(fileText: made.fileText) == made && made.fileText.utf8.count <= SavedPlace.mostBytes)
        }
        #expect(SavedPlace(latitude: 91, longitude: 0) == nil && SavedPlace(latitude: 0, longitude: .nan) == nil)
        #expect(SavedPlace(latitude: 0, longitude: 0, name: "a\nb") == nil)
    }

    @Test func `a sketch is a picture that came as a drawing, and nothing else`() {
        #expect(Self.content(TestFile.png).kind(claimed: .sketch) == .sketch)
        #expect(Self.content(TestFile.png).kind(claimed: .audio) == .image)
        #expect(Self.content(TestFile.pdf).kind(claimed: .sketch) == .pdf)
        #expect(Self.content(Array("words".utf8)).kind(claimed: .sketch) == .file)
        #expect(Self.content([1, 2]).mediaType(claimed: "image/png").isEmpty, "a label that its bytes do not bear out")
        #expect(Self.content([1, 2]).mediaType(claimed: "text/csv") == "text/csv")
    }

    // MARK: Every way into a locked note

    private static let lies: [AttachmentKind] = [.image, .sketch, .table, .map, .website]

    private func stage(_ notebook: Notebook, _ bytes: [UInt8], _ kind: AttachmentKind) throws -> StagedAttachment {
        let incoming = try notebook.attachments.stage(
            NewAttachment(name: "lie.png", kind: kind, mediaType: "image/png"))
        try incoming.append(inPieces: bytes)
        return try notebook.attachments.complete(incoming)
    }

    @Test(arguments: lies) func `a PDF comes into no locked note by what it is called`(kind: AttachmentKind) throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let pdf = TestFile.pdf + Array("%%EOF".utf8)
        // Attached to a locked note.
        let locked = try test.create("a\n", isLocked: true)
        #expect(refusal { try test.attachAsItIs(pdf, as: "lie.png", kind, to: locked) } == .refused)
        #expect(test.files.isEmpty, "nothing of it stays")
        // Attached to an open note, which is locked then.
        let open = try test.create("b\n")
        try test.attachAsItIs(pdf, as: "lie.png", kind, to: open)
        #expect(try test.notebook.attachments.list(of: open).map(\.kind) == [.pdf])
        #expect(try test.notebook.attachments.list(of: open).map(\.mediaType) == ["application/pdf"])
        let error = #expect(throws: NotesError.self) { try test.notebook.locks.lock(open) }
        #expect(error?.code == .refused && error?.message.contains("'lie.png' is of kind pdf") == true)
        // Imported with a note that is to be locked.
        var head = ImportedNoteHead(source: "app:1")
        head.isLocked = true
        head.attachmentCount = 1
        let staged = try stage(test.notebook, pdf, kind)
        #expect(refusal { _ = try test.notebook.imports.take(head, markdown: "c\n", staged: [staged]) } == .refused)
        #expect(try test.notebook.lists.list(NoteFilter()).total == 2)
    }

    /// As version 0.1 would have written it: by its caller's word.
    private func lie(_ kind: AttachmentKind, _ note: Identifier, _ notebook: Notebook) throws {
        let header = try notebook.heads.header(note)
        let key = try notebook.keys.key(of: note, header)
        for name in header.attachments {
            var attachment = try notebook.parts.attachment(name, of: note, key)
            attachment.kind = kind
            try notebook.heads.change { writer in try notebook.parts.store(attachment, as: name, key, writer) }
        }
    }

    @Test(arguments: lies) func `an old record that lies is not believed`(kind: AttachmentKind) throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("a\n")
        try test.attachAsItIs(TestFile.pdf, as: "lie.png", .pdf, to: note)
        try lie(kind, note, test.notebook)
        try test.reopen()
        try test.openSession()
        #expect(try test.notebook.attachments.list(of: note).map(\.kind) == [.pdf], "its bytes say what it is")
        let error = #expect(throws: NotesError.self) { try test.notebook.locks.lock(note) }
        #expect(error?.code == .refused && error?.message.contains("'lie.png' is of kind pdf") == true)
        #expect(try !test.notebook.summary(of: note).isLocked)
    }

    @Test func `a locked note that has had one since version 0_1 stays readable, and says what it is`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("a\n")
        try test.attach([1], as: "photo.png", to: note)
        try test.notebook.locks.lock(note)
        let header = try test.notebook.heads.header(note)
        let key = try test.notebook.keys.key(of: note, header)
        let name = try #require(header.attachments.first)
        var attachment = try test.notebook.parts.attachment(name, of: note, key)
        attachment.asset = try test.zones.assets.store(TestFile.pdf)
        try test.notebook.heads.change { writer in try test.notebook.parts.store(attachment, as: name, key, writer) }
        #expect(try test.notebook.attachments.list(of: note).map(\.kind) == [.pdf])
        #expect(try test.text(note).hasPrefix("a\n"))
        try test.notebook.locks.removeLock(note)
        #expect(refusal { try test.notebook.locks.lock(note) } == .refused)
    }

    @Test func `what has to be something is refused where it is something else`() throws {
        let test = try TestNotebook()
        let note = try test.create("a\n")
        for (demanded, isTaken) in [(AttachmentKind.image, true), (.pdf, false), (.website, false), (.file, false)] {
            var new = NewAttachment(name: "a.png", kind: .image, mediaType: "")
            new.demandedKind = demanded
            let incoming = try test.notebook.attachments.begin(to: note, new)
            try incoming.append(inPieces: TestFile.png)
            #expect(refusal { try test.notebook.attachments.finish(incoming) } == (isTaken ? nil : .refused))
        }
    }

    @Test func `a large file for a locked note is refused before all of it has come`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("a\n", isLocked: true)
        let new = NewAttachment(name: "film.png", kind: .image, mediaType: "image/png")
        let incoming = try test.notebook.attachments.begin(to: note, new)
        #expect(
            refusal { try incoming.append([UInt8](repeating: 7, count: AttachmentContent.beginningByteCount + 1)) }
                == .refused)
    }

    @Test func `a damaged file keeps its note from being locked, and its list from nothing`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("a\n")
        try test.attach([1], as: "a.png", to: note)
        for file in test.files { try Data([1]).write(to: URL(fileURLWithPath: test.folder + "/assets/" + file)) }
        #expect(try test.notebook.attachments.list(of: note).map(\.kind) == [.image])
        let error = #expect(throws: NotesError.self) { try test.notebook.locks.lock(note) }
        #expect(error?.code == .damaged && error?.message.contains("'a.png'") == true)
    }
}
