import Foundation
import NotesClient
import ResidentClient
import Secrets
import Testing

@testable import Notes

/// From a client's request to its answer.
@Suite struct NotebookAnswerTests {
    private let test: TestNotebook

    init() throws { test = try TestNotebook(suite: .tresor256) }

    private func answer(
        _ request: NotesRequest, _ text: String = "", secrets: consuming MessageSecrets = .none
    ) throws -> NotesAnswer { try test.notebook.answer(request, secrets: secrets, body: Array(text.utf8)) }

    /// The note that an answer shows.
    private func note(_ answer: NotesAnswer) throws -> NoteSummary {
        switch answer {
        case .reply(.note(let summary)), .text(.note(let summary), _): return summary
        default: throw NotesError(.invalid, "another answer")
        }
    }

    @Test func `a note is made, shown, changed and listed`() throws {
        let made = try note(answer(.create(NewNote(folder: "A")), "one\n"))
        let id = String(made.id.prefix(8))
        guard case .text(_, let bytes) = try answer(.show(id: id)) else {
            Issue.record("no text")
            return
        }
        #expect(bytes == Array("one\n".utf8))
        #expect(try note(answer(.edit(id: id, base: made.revision), "two\n")).title == "two")
        #expect(try note(answer(.pin(id: id, isPinned: true))).isPinned)
        #expect(try note(answer(.tag(id: id, add: ["t"], remove: []))).tags == ["t"])
        #expect(try note(answer(.move(id: id, folder: "B"))).folder == "B")
        guard case .reply(.list(let list)) = try answer(.list(NoteFilter(folder: "B"))),
            case .reply(.versions(let versions)) = try answer(.versions(id: id)),
            case .reply(.folders(let folders)) = try answer(.folders)
        else {
            Issue.record("another answer")
            return
        }
        #expect(list.notes.map(\.title) == ["two"] && versions.count == 2 && folders.map(\.path) == ["B"])
    }

    @Test func `a search has a limit of its own where the client names none that makes sense`() throws {
        for number in 1...3 { _ = try test.create("word \(number)\n") }
        for (limit, count) in [(Int.min, 1), (0, 1), (2, 2), (.max, 3)] {
            guard case .reply(.list(let list)) = try answer(.search(text: "word", limit: limit)) else {
                Issue.record("another answer")
                return
            }
            #expect(list.notes.count == count)
        }
    }

    @Test func `a file comes chunk by chunk, and nothing after its end`() throws {
        let note = try test.create("a\n")
        try test.attach(content(2_000_000), as: "a.bin", .file, to: note)
        let request = NotesRequest.attachment(id: note.description, attachment: "a.bin", isThumbnail: false)
        guard case .file(.attachment(let summary), let file) = try answer(request) else {
            Issue.record("no file")
            return
        }
        var bytes: [UInt8] = []
        while let chunk = try file.nextChunk() { bytes += chunk }
        #expect(summary.byteCount == 2_000_000 && bytes == content(2_000_000))
        #expect(try file.nextChunk() == nil)
    }

    @Test func `a passphrase that comes with a request opens its session first`() throws {
        let id = try test.create("a\n").description
        #expect(refusal { try answer(.lock(id: id)) } == .noteLocked)
        #expect(try note(answer(.lock(id: id), secrets: MessageSecrets(KnownPassphrase.secret()))).isLocked)
        test.endSession()
        #expect(refusal { try answer(.removeLock(id: id)) } == .noteLocked)
        #expect(try !note(answer(.removeLock(id: id), secrets: MessageSecrets(KnownPassphrase.secret()))).isLocked)
        guard case .reply(.session(let session)) = try answer(.lockNow) else {
            Issue.record("another answer")
            return
        }
        #expect(!session.isOpen && session.hasPassphrase)
    }

    @Test func `a request without its passphrase is refused`() throws {
        #expect(refusal { try answer(.unlock()) } == .invalid)
        #expect(refusal { try answer(.setPassphrase(hint: nil)) } == .invalid)
        #expect(refusal { try answer(.changePassphrase(hint: nil), secrets: MessageSecrets(secret("a"))) } == .invalid)
        #expect(refusal { try answer(.resetPassphrase(hint: nil), secrets: MessageSecrets(secret("a"))) } == .invalid)
        #expect(refusal { try answer(.stop) } == .invalid)
    }
}

/// A note as it is sent.
@Suite struct NoteSummaryTests {
    private func sent(_ note: NoteSummary) throws -> [String: Any] {
        let bytes = try JSONEncoder().encode(note)
        #expect(try JSONDecoder().decode(NoteSummary.self, from: bytes) == note)
        return try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    private func plain() -> NoteSummary {
        NoteSummary(id: "0f3c9a5277e14b08a6d2c15be0f49d31", title: "Bank", created: 7, modified: .max, revision: .max)
    }

    @Test func `of a plain note five fields are sent`() throws {
        #expect(try Set(sent(plain()).keys) == ["id", "title", "created", "modified", "revision"])
    }

    @Test func `what a note has comes back as it was`() throws {
        var note = plain()
        (note.isLocked, note.isOpen, note.isPinned, note.hasDraft, note.hasConflict) = (true, false, true, true, true)
        (note.folder, note.tags, note.attachmentCount, note.deleted) = ("Work/Plans", ["a", "b"], 3, 8)
        (note.excerpt, note.frontMatter, note.damage) = ("…hit…", "key: value\n", [.head, .text, .lock, .origin])
        #expect(try sent(note).count == 17)
        // Each alone, so that none stands for another.
        let changes: [(inout NoteSummary) -> Void] = [
            { $0.isLocked = true }, { $0.isOpen = false }, { $0.isPinned = true }, { $0.hasDraft = true },
            { $0.hasConflict = true }, { $0.folder = "f" }, { $0.tags = [""] }, { $0.attachmentCount = 1 },
            { $0.deleted = 0 }, { $0.excerpt = "" }, { $0.frontMatter = "" }, { $0.damage = [] },
        ]
        for change in changes {
            var one = plain()
            change(&one)
            #expect(try sent(one).count == 6)
        }
    }
}
