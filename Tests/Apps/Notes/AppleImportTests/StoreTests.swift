import Foundation
import Testing

@testable import AppleImport

/// A database as a whole: what stands beside the text, attachments, what is refused.
@Suite struct Stores {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func code(_ path: String) -> AppleImportError.Code? {
        do {
            _ = try AppleNoteStore(path: path, scratch: fixture.scratch.path)
            return nil
        } catch { return error.code }
    }

    @Test func `a note has its title, dates, folder and state`() throws {
        try fixture.add(3, StoreFixture.folders, ["ZIDENTIFIER": "Sub", "ZTITLE2": "Work", "ZPARENT": 2])
        try fixture.addNote(
            20, [.title("Hello"), .plain("there")], ["ZTITLE1": "Hello", "ZFOLDER": 3, "ZISPINNED": 1])
        let note = try fixture.note()
        #expect(note.sourceID == "apple:LocalAccount/NOTE-20")
        #expect(note.title == "Hello")
        #expect(note.markdown == "# Hello\n\nthere\n")
        #expect(note.folderPath == ["Notes", "Work"])
        #expect(note.created == 978_307_200_500_000)
        #expect(note.modified == 978_393_600_000_000)
        #expect(note.isPinned && !note.isDeleted && note.lock == .none && note.problems == [])
    }

    @Test func `a note without a title takes its first line`() throws {
        try fixture.addNote(20, [.plain("\n  First\nSecond")])
        #expect(try fixture.note().title == "First")
    }

    @Test func `Recently Deleted and marks for removal count as deleted`() throws {
        try fixture.add(3, StoreFixture.folders, ["ZTITLE2": "Recently Deleted", "ZFOLDERTYPE": 1])
        try fixture.addNote(20, [.plain("a")], ["ZFOLDER": 3])
        try fixture.addNote(21, [.plain("b")], ["ZMARKEDFORDELETION": 1])
        try fixture.addNote(22, [.plain("c")])
        let store = try fixture.open()
        #expect(try (0..<store.noteCount).map { try store.note(at: $0).isDeleted } == [true, true, false])
        // Restored, they come to stand where their folder was, or in none: never in Recently Deleted.
        #expect(try (0..<store.noteCount).map { try store.note(at: $0).folderPath } == [[], ["Notes"], ["Notes"]])
    }

    @Test func `the account leads the path only where several have notes`() throws {
        try fixture.add(4, StoreFixture.accounts, ["ZIDENTIFIER": "A-1", "ZNAME": "iCloud"])
        try fixture.addNote(20, [.plain("a")])
        #expect(try fixture.note().folderPath == ["Notes"])
        try fixture.addNote(21, [.plain("b")], ["ZACCOUNT4": 4])
        let store = try fixture.open()
        #expect(try store.note(at: 0).folderPath == ["On My Mac", "Notes"])
        #expect(try store.note(at: 1).sourceID == "apple:A-1/NOTE-21")
    }

    @Test func `folders in a circle end`() throws {
        try fixture.execute("UPDATE ZICCLOUDSYNCINGOBJECT SET ZPARENT = 2 WHERE Z_PK = 2")
        try fixture.addNote(20, [.plain("a")])
        #expect(try fixture.note().folderPath == ["Notes"])
    }

    @Test func `a file of an attachment stays where it is`() throws {
        try fixture.add(
            30, StoreFixture.attachments, ["ZIDENTIFIER": "ATT", "ZTYPEUTI": "public.jpeg", "ZMEDIA": 31])
        try fixture.add(
            31, StoreFixture.media, ["ZIDENTIFIER": "MED", "ZFILENAME": "a_b.jpg", "ZGENERATION1": "1_G"])
        try fixture.addFile("Media/MED/1_G/a_b.jpg", [1, 2, 3])
        try fixture.addNote(20, [.plain("x"), .attachment("ATT", "public.jpeg")])
        let note = try fixture.note()
        #expect(note.markdown == "x\n\n![a_b.jpg](attachment:0)\n")
        let path = fixture.container.path + "/Accounts/LocalAccount/Media/MED/1_G/a_b.jpg"
        #expect(
            note.attachments == [
                ImportedAttachment(name: "a_b.jpg", kind: .image, mediaType: "image/jpeg", content: .file(path: path))
            ])
    }

    @Test(arguments: ["../../../outside", "..", "link"])
    func `no name leads out of the container`(_ name: String) throws {
        try fixture.addFile("Media/MED/here", [1])
        try Data([1]).write(to: fixture.root.appendingPathComponent("outside"))
        try FileManager.default.createSymbolicLink(
            atPath: fixture.container.path + "/Accounts/LocalAccount/Media/MED/link",
            withDestinationPath: fixture.root.path + "/outside")
        try fixture.add(30, StoreFixture.attachments, ["ZIDENTIFIER": "ATT", "ZTYPEUTI": "public.data", "ZMEDIA": 31])
        try fixture.add(31, StoreFixture.media, ["ZIDENTIFIER": "MED", "ZFILENAME": name])
        try fixture.addNote(20, [.attachment("ATT", "public.data")])
        let note = try fixture.note()
        #expect(note.attachments == [] && note.problems.count == 1)
    }

    @Test func `tables, links, hashtags and scans come along`() throws {
        try fixture.add(
            30, StoreFixture.attachments,
            [
                "ZIDENTIFIER": "TAB", "ZTYPEUTI": "com.apple.notes.table",
                "ZMERGEABLEDATA1": TableFixture.packed([["A", "B"], ["1", "2"]]),
            ])
        try fixture.add(
            31, StoreFixture.attachments,
            ["ZIDENTIFIER": "URL", "ZTYPEUTI": "public.url", "ZTITLE": "A page", "ZURLSTRING": "https://x.y"])
        try fixture.add(
            32, StoreFixture.inlineAttachments,
            ["ZIDENTIFIER": "TAG", "ZTYPEUTI1": "com.apple.notes.inlinetextattachment.hashtag", "ZALTTEXT": "#travel"])
        try fixture.add(
            33, StoreFixture.attachments,
            [
                "ZIDENTIFIER": "GAL", "ZTYPEUTI": "com.apple.notes.gallery",
                "ZMERGEABLEDATA1": TableFixture.gallery(["SCAN"]),
            ])
        try fixture.add(34, StoreFixture.attachments, ["ZIDENTIFIER": "SCAN", "ZTYPEUTI": "public.jpeg", "ZMEDIA": 35])
        try fixture.add(35, StoreFixture.media, ["ZIDENTIFIER": "MED", "ZFILENAME": "s.jpg"])
        try fixture.addFile("Media/MED/s.jpg", [1])
        try fixture.addNote(
            20,
            [
                .plain("Go "), .attachment("TAG", "com.apple.notes.inlinetextattachment.hashtag"),
                .plain("\n"), .attachment("TAB", "com.apple.notes.table"), .plain("\n"),
                .attachment("URL", "public.url"), .attachment("GAL", "com.apple.notes.gallery"),
            ])
        let note = try fixture.note()
        #expect(
            note.markdown == """
                Go #travel

                | A | B |
                | --- | --- |
                | 1 | 2 |

                [A page](https://x.y)

                ![s.jpg](attachment:0)

                """)
        #expect(note.problems == [])
    }

    @Test func `a drawing comes as its picture, or as a problem`() throws {
        for (key, identifier) in [(30, "INK"), (31, "LOST")] as [(Int64, String)] {
            try fixture.add(
                key, StoreFixture.attachments,
                ["ZIDENTIFIER": identifier, "ZTYPEUTI": "com.apple.paper", "ZFALLBACKIMAGEGENERATION": "2_G"])
        }
        try fixture.addFile("FallbackImages/INK/2_G/FallbackImage.png", [1])
        try fixture.addNote(
            20, [.attachment("INK", "com.apple.paper"), .attachment("LOST", "com.apple.paper")])
        let note = try fixture.note()
        #expect(note.attachments.map(\.kind) == [.sketch])
        #expect(note.attachments.map(\.mediaType) == ["image/png"])
        #expect(note.problems.count == 1)
    }

    @Test func `a log that was not written back yet is read`() throws {
        try fixture.execute("PRAGMA journal_mode = WAL")
        try fixture.addNote(20, [.plain("newest")])
        #expect(FileManager.default.fileExists(atPath: fixture.database.path + "-wal"))
        #expect(try fixture.note().markdown == "newest\n")
    }

    @Test func `nothing is written next to the source, and the copy goes`() throws {
        try fixture.addNote(20, [.plain("a")])
        let before = try Data(contentsOf: fixture.database)
        let store = try fixture.open()
        _ = try store.note(at: 0)
        #expect(try fixture.namesInScratch().contains("NoteStore.sqlite"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.container.path) == ["NoteStore.sqlite"])
        store.close()
        #expect(try fixture.namesInScratch() == [])
        #expect(try Data(contentsOf: fixture.database) == before)
    }

    @Test func `a note whose body is damaged says so, and the others come`() throws {
        try fixture.addNote(20, body: Array("no gzip at all, but long enough".utf8), ["ZTITLE1": "Broken"])
        try fixture.addNote(21, body: Gzip.pack(Array(repeating: 0xFF, count: 40)))
        try fixture.addNote(22, body: nil)
        try fixture.addNote(23, [.plain("fine")])
        let store = try fixture.open()
        #expect(try (0..<3).allSatisfy { try store.note(at: $0).problems.count == 1 })
        #expect(try store.note(at: 0).title == "Broken")
        #expect(try store.note(at: 3).markdown == "fine\n")
        #expect(throws: AppleImportError.self) { try store.note(at: 4) }
    }

    @Test func `what is no database of Notes is refused by name`() throws {
        let other = fixture.root.appendingPathComponent("other").path
        #expect(code(other) == .unreadable)
        #expect(code(fixture.root.path) == .notNotes)
        try Data("Dear diary, this is not a database".utf8).write(to: URL(fileURLWithPath: other))
        #expect(code(other) == .notADatabase)
        try Data().write(to: URL(fileURLWithPath: other))
        #expect(code(other) == .notADatabase)
        try fixture.execute("DROP TABLE ZICNOTEDATA")
        #expect(code(fixture.container.path) == .notNotes)
        try fixture.execute("CREATE VIEW ZICNOTEDATA AS SELECT 1 AS Z_PK, 1 AS ZNOTE, x'00' AS ZDATA")
        #expect(code(fixture.container.path) == .notNotes)
        #expect(try fixture.namesInScratch() == [])
    }

    @Test func `a scratch folder that is not there is told`() throws {
        let error = #expect(throws: AppleImportError.self) {
            try AppleNoteStore(path: fixture.container.path, scratch: fixture.root.path + "/none")
        }
        #expect(error?.code == .cannotCopy)
    }

    @Test func `cells of another type read as absent`() throws {
        try fixture.addNote(
            20, [.plain("a")],
            [
                "ZTITLE1": [0xFF] as [UInt8], "ZFOLDER": "x", "ZCREATIONDATE3": "never", "ZISPINNED": [1] as [UInt8],
                "ZIDENTIFIER": 7,
            ])
        let note = try fixture.note()
        #expect(note.markdown == "a\n" && note.created == nil && note.folderPath == [])
    }
}
