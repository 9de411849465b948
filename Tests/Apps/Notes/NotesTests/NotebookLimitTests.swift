import NotesClient
import Testing

@testable import Notes

/// Numbers at the end of their range, from a client or from an import: no arithmetic may end the program.
///
/// Each runs in a process of its own, which a trap would end.
@Suite struct NotebookLimitTests {
    @Test func `no number of a version is out of reach`() async {
        await #expect(processExitsWith: .success) {
            let test = try TestNotebook()
            let note = try test.create("one\n")
            for version in [Int.min, .max] {
                guard refusal({ try test.text(note, version: version) }) == .notFound else { throw Unexpected() }
            }
        }
    }

    @Test func `a note from the end of time is edited and gets attachments`() async {
        await #expect(processExitsWith: .success) {
            let test = try TestNotebook()
            for (number, modified) in [Int64.max, .min].enumerated() {
                var head = ImportedNoteHead(source: "app:\(number)")
                (head.created, head.modified) = (modified, modified)
                let outcome = try test.notebook.imports.take(head, markdown: "one\n", staged: [])
                let note = try test.notebook.find(outcome.id)
                try test.edit(note, "two\n")
                try test.attach([1], as: "p.png", to: note)
                try test.notebook.edits.revert(note, to: 1)
                guard try test.text(note) == "one\n" else { throw Unexpected() }
            }
            try test.reopen()
            guard try test.titles() == ["one", "one"] else { throw Unexpected() }
        }
    }

    private struct Unexpected: Error {}
}
