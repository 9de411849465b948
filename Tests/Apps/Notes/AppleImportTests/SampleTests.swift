import Checkout
import Foundation
import Testing

@testable import AppleImport

enum SampleFolder {
    /// Nil when there is none.
    static let path: String? = {
        let package = Checkout.root
        let shared =
            ProcessInfo.processInfo.environment["TRESOR_SHARED"] ?? package.appendingPathComponent("../shared").path
        let folder = shared + "/data/apple-notes"
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }()
}

/// Databases that real Macs wrote, where somebody has put them: `data/apple-notes` in the folder that `TRESOR_SHARED`
/// names, or in `../shared` beside the package.
///
/// The listings beside them were written by Notes itself. Compared is the text: without the signs of Markdown, with all
/// empty lines and white space at the ends of lines left out, since Markdown has no empty paragraphs; placeholders of
/// attachments in the listing, and their lines in the Markdown, are left out too.
@Suite(.enabled(if: SampleFolder.path != nil, "set TRESOR_SHARED to a folder with data/apple-notes"))
struct Samples {
    private func open(_ name: String) throws -> (store: AppleNoteStore, scratch: URL) {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        return (try AppleNoteStore(path: try #require(SampleFolder.path) + "/" + name, scratch: scratch.path), scratch)
    }

    /// The lines of each note in a listing, by its title.
    private func listing(_ name: String) throws -> [String: [String]] {
        let text = try String(contentsOfFile: try #require(SampleFolder.path) + "/" + name, encoding: .utf8)
        var notes: [String: [String]] = [:]
        for entry in text.components(separatedBy: "note.id=").dropFirst() {
            guard !entry.contains("note.password_protected=True"),
                let name = entry.components(separatedBy: "note.name=").dropFirst().first?.split(separator: "\n").first,
                let plain = entry.components(separatedBy: "note.plaintext=").dropFirst().first
            else { continue }
            notes[String(name)] = lines(plain)
        }
        return notes
    }

    private func lines(_ text: String) -> [String] {
        text.replacingOccurrences(of: "\u{FFFC}", with: "").components(separatedBy: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }
    }

    /// The text of such Markdown as these samples give.
    private func plain(_ markdown: String) -> [String] {
        lines(markdown).filter { !$0.hasPrefix("|") && !$0.hasPrefix("#travel") && !$0.hasPrefix("#vacation") }.map {
            line in
            var text = line
            for mark in ["# ", "- [ ] ", "- [x] "] where text.hasPrefix(mark) { text.removeFirst(mark.count) }
            return text.replacingOccurrences(of: "**", with: "").replacingOccurrences(of: "\\", with: "")
        }
    }

    @Test(arguments: [
        ("NoteStore-macOS-12-Monterey.sqlite", "Notes-macOS-12-Monterey.txt"),
        ("NoteStore-macOS-26-Tahoe.sqlite", "notes_macOS-26-Tahoe-beta.txt"),
    ])
    func `the text of every unlocked note is what Notes lists`(_ database: String, _ listingName: String) throws {
        let expected = try listing(listingName)
        let (store, scratch) = try open(database)
        defer { try? FileManager.default.removeItem(at: scratch) }
        var compared = 0
        for index in 0..<store.noteCount {
            let note = try store.note(at: index)
            guard note.lock == .none, let lines = expected[note.title] else { continue }
            #expect(plain(note.markdown) == lines)
            compared += 1
        }
        #expect(compared == expected.count)
    }

    @Test func `the published locked note opens`() throws {
        let (store, scratch) = try open("V1-password.sqlite")
        defer { try? FileManager.default.removeItem(at: scratch) }
        for group in store.lockGroups { #expect(try store.unlock(group, with: LockFixture.secret("password"))) }
        let notes = try (0..<store.noteCount).map { try store.note(at: $0) }
        #expect(notes.filter { $0.lock == .opened }.map(\.markdown) == ["# Encrypted title\n\nEncrypted body\n"])
    }

    @Test(arguments: ["NoteStore-macOS-14-Sonoma.sqlite", "NoteStore-macOS-26-Tahoe.sqlite"])
    func `newer locks are recognised with their hint`(_ name: String) throws {
        let (store, scratch) = try open(name)
        defer { try? FileManager.default.removeItem(at: scratch) }
        #expect(store.lockGroups.map(\.format) == [.v1Neo])
        #expect(store.lockGroups.map(\.hint) == ["tbull"])
        #expect(try !store.unlock(store.lockGroups[0], with: LockFixture.secret("a guess")))
    }

    @Test func `tables, checklists and folders come along`() throws {
        let (store, scratch) = try open("NoteStore-macOS-26-Tahoe.sqlite")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let notes = try (0..<store.noteCount).map { try store.note(at: $0) }
        let formatted = try #require(notes.first { $0.title == "This note has special formatting" })
        #expect(formatted.markdown.contains("| Header 1 | Header 2 |\n| --- | --- |\n| Item 1 | Item 2 |"))
        #expect(formatted.markdown.contains("- [ ] Item 1\n- [ ] Item 2\n- [ ] Item 3"))
        #expect(notes.contains { $0.folderPath == ["Folder2", "Subfolder", "Subsubfolder"] })
        #expect(notes.filter(\.isDeleted).map(\.title) == ["This note is deleted"])
        #expect(notes.contains { $0.markdown.contains("#travel") })
    }
}
