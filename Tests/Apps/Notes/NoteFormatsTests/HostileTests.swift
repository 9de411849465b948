import ProcessorTime
import Foundation
import Fuzzing
import NoteFormats
import NotesClient
import Testing
import Thoroughness

/// Files that nobody would write, and those that other people's programs did.
@Suite struct HostileFormats {
    private static func sample(_ format: NoteFormat) throws -> [UInt8] {
        let fixture = try FormatFixture()
        let writer = try NoteArchiveWriter(fixture.path + "/out", format)
        var note = LeavingNote("Plan", "", folder: "A/B")
        note.summary.tags = ["one"]
        let line = note.attach("a.png", .image, "image/png", [1, 2, 3, 4], id: 1)
        note.markdown = "# Plan\n\n- [x] *a*\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n\(line)\n"
        try note.write(to: writer)
        try LeavingNote("Two", "text\n", id: 2).write(to: writer)
        try writer.finish()
        return Array(try Data(contentsOf: URL(fileURLWithPath: fixture.path + "/out")))
    }

    @Test(arguments: [NoteFormat.enex, .jex, .standardNotes])
    func `mutated files are read to the end or refused`(_ format: NoteFormat) throws {
        let sample = try Self.sample(format)
        let seed = UInt64.random(in: .min ... .max)
        var mutator = Mutator(seed: seed)
        let fixture = try FormatFixture()
        var refused = 0
        let time = try ProcessorTime.of {
            for _ in 0..<Thoroughness.count(150, soak: 700) {
                try fixture.write("file", mutator.mutated([sample]))
                do { _ = try fixture.notes("file", format) } catch is NoteFormatError { refused += 1 }
            }
        }
        #expect(time < .seconds(60), "seed \(seed)")
        #expect(refused > 0, "seed \(seed)")
    }

    @Test func `mutated pages are read to the end`() throws {
        let page = Array(
            "<html><ul><li>a<li><b>b</b></ul><table><tr><td>1<td>2</table><pre>x</pre><a href='x'>y</a>".utf8)
        let seed = UInt64.random(in: .min ... .max)
        var mutator = Mutator(seed: seed)
        let fixture = try FormatFixture()
        let time = try ProcessorTime.of {
            for _ in 0..<Thoroughness.count(150, soak: 700) {
                try fixture.write("p.html", mutator.mutated([page]))
                do { _ = try fixture.notes("p.html", .html) } catch is NoteFormatError {}
            }
        }
        #expect(time < .seconds(60), "seed \(seed)")
    }

    private static let shared =
        (ProcessInfo.processInfo.environment["TRESOR_SHARED"] ?? "../shared") + "/data/note-formats"
    private static let hasSamples = FileManager.default.fileExists(atPath: shared + "/enex")

    private static func words(_ text: String) -> Set<Substring> {
        let decoded = text.replacing(/(?:%[0-9A-Fa-f]{2})+/) { match in
            String(match.output).removingPercentEncoding ?? String(match.output)
        }
        return Set(decoded.split { !$0.isLetter && !$0.isNumber })
    }

    /// Of streetwriters/notesnook-importer.
    @Test(
        .enabled(if: hasSamples, "the published samples are not there"),
        arguments: [("enex", NoteFormat.enex), ("jex", .jex), ("standard-notes-json", .standardNotes)])
    func `published samples are read, and go out and in again`(_ folder: String, _ format: NoteFormat) throws {
        let path = Self.shared + "/" + folder
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
            let archive: NoteArchive
            do { archive = try NoteArchive(path + "/" + name, format) } catch {
                // One of them is cut short, as fetched.
                let size = try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.size] as? Int
                if size != 0 { Issue.record("\(name): \(error)") }
                continue
            }
            #expect(try NoteFormat.detect(path + "/" + name) == format)
            for index in 0..<archive.count {
                let note = try archive.note(at: index)
                #expect(!note.markdown.isEmpty || note.title.isEmpty || !note.problems.isEmpty, "\(name)")
                let leaving = LeavingNote(note.title, note.markdown, id: index + 1)
                let back = try #require(try LeavingNote.roundTrip([leaving], format).first)
                // The same address may be spelled otherwise; what a reader sees is all there.
                let lost = Self.words(note.markdown.replacing(/\]\([^)\n]*\)/, with: " "))
                    .subtracting(Self.words(back.markdown))
                #expect(lost == [], "\(name)")
                count += 1
            }
        }
        #expect(count > 0)
    }
}
