import Foundation
import NoteFormats
import NotesClient
import Testing

/// What the programs themselves wrote, from public repositories: `Samples/SOURCES.md` names each.
@Suite struct SampleTests {
    struct Sample: CustomTestStringConvertible {
        let name: String
        let format: NoteFormat
        let titles: Set<String>
        /// Texts that the notes have between them, as they are to come in.
        let texts: [String]
        var tags: Set<String> = []
        var folders: Set<String> = []
        /// Bytes of the files, in the order of the notes.
        var files: [Int] = []

        var testDescription: String { name }
    }

    static let samples = [
        Sample(
            name: "evernote-lists-and-tasks.enex", format: .enex,
            titles: [
                "Nested tasks", "Tasks", "Links", "TanaNote1", "Plain text styles", "Tana note2", "Table",
            ],
            texts: [
                "- RootTask1\n  - childTask1.1\n    - task1.1.1\n    - task1.1.2\n  - childTask1.2\n- RootTask2\n",
                "# Tasks\n\n- [ ] Task1\n- [ ] Task2\n- [x] Done Task3\n- [ ] Task4\n- [ ] Task5\n",
                "<https://tana.inc/>\\\n[See Tana](https://tana.inc)\n",
                "```\nThis is a codeblock\nThis is a next line within the codeblock\n```\n",
                "**bold**\\\n*italic*\\\n~~striked~~\\\nhighlighted\n", "- [ ] checkpoint1\n- [ ] checkpoint2\n",
                "| TABLE0.0 | Column1 | Column2 |\n| --- | --- | --- |\n| Row1 | Cell1.1 | Cell1.2 |\n",
            ], tags: ["tanaTag1", "tanaTag2"]),
        Sample(
            name: "evernote-odd-names.enex", format: .enex,
            titles: ["LinkedNote", "title_<>:\"/\\|?*_endOfTitle"],
            texts: [
                "# title\\_<>:\"/\\\\|?\\*\\_endOfTitle\n\n```\n", "\"|\": \"line\",\n", "\"?\": \"question\",\n",
            ], files: [6201]),
        Sample(
            name: "evernote-tags.enex", format: .enex, titles: ["invalid-tags"],
            texts: ["# invalid-tags\n\nNote containing invalid tags\n"], tags: ["tagPt1@+`\"'\\_tagPt2éáűőőúöüóí"]),
        Sample(
            name: "joplin.jex", format: .jex, titles: ["note1", "note2", "note3", "note4", "note5"],
            texts: ["# note5\n\n![photo.jpg](attachment:0)"], tags: ["tag1", "tag2"],
            folders: ["folder1", "folder3", "folder1/subFolder2"], files: [2720, 2720]),
        Sample(
            name: "standard-notes.txt", format: .standardNotes,
            titles: Set(([0] + (3...7) + (9...24)).map { "A title \($0)" }),
            texts: [
                "# A title 23\n\nThis is a *Markdown* note number 21 containing a [link](http://example.com/)\nand\nis"
                    + " multiline."
            ], tags: ["apple", "banana", "lemon", "orange"]),
        Sample(
            name: "pages", format: .html, titles: ["Problems", "19 May 2018, 15:58:26", "Block Reference"],
            texts: [
                "• How. It's like.\\\n", "- ☐ Localization\n- ☑ Tablets screeshots\n",
                "- [ ] This is a todo-list item.\n",
                "- This is a bullet-list item…\n  - with three distinct…\n    - bullet icon levels.\n",
                "1. This is an ordered-list item…\n   1. with three distinct…\n      1. ordinal levels.\n",
                "```Python\n# This is a plain-text code block with Python highlighting\nprint(\"Hello world!\")\n```\n",
                "> This is a quote block.\n", "<https://w.wiki/Wz6>",
            ]),
    ]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Samples/"

    private func notes(_ sample: Sample) throws -> [FormatNote] {
        let archive = try NoteArchive(Self.folder + sample.name, sample.format)
        #expect(archive.problems.isEmpty, "\(archive.problems)")
        return try (0..<archive.count).map { try archive.note(at: $0) }
    }

    @Test(arguments: samples)
    func `what other programs wrote comes in with all that it has`(_ sample: Sample) throws {
        let notes = try notes(sample)
        #expect(Set(notes.map(\.title)) == sample.titles && notes.count == sample.titles.count)
        #expect(notes.flatMap(\.problems) == [])
        let all = notes.map(\.markdown).joined(separator: "\n")
        for text in sample.texts { #expect(all.contains(text), "\(text)") }
        #expect(Set(notes.flatMap(\.tags)) == sample.tags)
        #expect(Set(notes.map(\.folder)).subtracting([""]) == sample.folders)
        #expect(notes.flatMap(\.attachments).map(\.bytes.count) == sample.files)
        #expect(Set(notes.map(\.source)).count == notes.count && notes.allSatisfy { ($0.created ?? 0) > 0 })
    }

    @Test(arguments: samples, FormatRoundTrips.formats)
    func `and leaves again in every format, and comes back`(_ sample: Sample, _ format: NoteFormat) throws {
        let notes = try notes(sample)
        let leaving = notes.enumerated().map { index, note in
            var leaving = LeavingNote(note.title, note.markdown, id: index + 1, folder: note.folder)
            leaving.summary.tags = note.tags
            for (number, file) in note.attachments.enumerated() {
                let line = leaving.attach(
                    file.name, .image, file.mediaType, file.bytes, id: 100 * index + number + 50)
                let placed = "![\(file.name)](attachment:\(number))"
                leaving.markdown = leaving.markdown.replacingOccurrences(of: placed, with: line)
            }
            return leaving
        }
        let back = try LeavingNote.roundTrip(leaving, format)
        let byTitle = Dictionary(uniqueKeysWithValues: back.map { ($0.title, $0) })
        for note in notes {
            let other = try #require(byTitle[note.title])
            #expect(Set(other.tags) == Set(note.tags) && other.folder == note.folder)
            // A backup of Standard Notes has no files.
            guard format != .standardNotes || note.attachments.isEmpty else { continue }
            #expect(other.attachments.map(\.bytes) == note.attachments.map(\.bytes))
            if note.attachments.isEmpty { #expect(Array(other.markdown.utf8) == Array(note.markdown.utf8)) }
        }
    }
}
