import NotesClient
import TerminalScreen
import Testing

@testable import NotesTerminal

/// What the screen is made of, each on its own.
@Suite struct ScreenPartsTests {
    private static func note(isLocked: Bool = false) -> NoteSummary {
        var note = NoteSummary(id: "note", title: "Plan", created: 0, modified: 0, revision: 1)
        note.isLocked = isLocked
        return note
    }

    private static func file(isDamaged: Bool? = nil) -> AttachmentSummary {
        var file = AttachmentSummary(
            id: "file", name: "a/b.png", kind: .image, mediaType: "", byteCount: 1, hasThumbnail: false)
        file.isDamaged = isDamaged
        return file
    }

    @Test func `the trash is emptied page by page, and nothing of it is tried twice`() {
        func page(_ ids: [String]) -> NoteList {
            let notes = ids.map { NoteSummary(id: $0, title: "", created: 0, modified: 0, revision: 1) }
            return NoteList(notes: notes, total: notes.count)
        }
        var emptying = TrashEmptying()
        #expect(emptying.take(page(["a", "b"])) == ["a", "b"])
        #expect(emptying.take(page(["b", "c"])) == ["c"] && emptying.count == 3)
        #expect(emptying.take(page(["a", "b", "c"])).isEmpty)
    }

    @Test func `a secret that is not given leaves what was asked as it was`() {
        var foot = NotesFoot()
        #expect(foot.cancelSecret() == .stays)
        foot.prompt(.passphrase(Ask(.unlock(id: "note"), needsSecret: true)))
        #expect(foot.wantsSecret && foot.asksAboutFinger)
        foot.setFinger(.awaited)
        #expect(foot.cancelSecret() == .stays && foot.wantsSecret && !foot.waitsForFinger)
        #expect(foot.cancelSecret() == .closed && !foot.wantsSecret && foot.message == "Cancelled.")
        foot.prompt(.passcode)
        #expect(foot.cancelSecret() == .stays && foot.wantsSecret && foot.cancelSecret() == .leaves)
        foot.begin(PassphraseForm(.set))
        #expect(foot.holdsSecrets && foot.cancelSecret() == .stays && foot.dialog == nil)
    }

    @Test func `an older passphrase is asked for by its name, and by no finger`() {
        var foot = NotesFoot()
        foot.prompt(.passphrase(Ask(.unlock(id: "note"), needsSecret: true)), isOlder: true)
        #expect(!foot.asksAboutFinger && foot.enterNothing() == [.ask(Ask(.unlock(id: "note"), needsSecret: true))])
    }

    @Test func `keys mean something with a file, and nothing but a new one with none or a damaged one`() {
        let open = NotePicker(Self.note(), .files([Self.file()]))
        let wish = FileWish(note: "note", attachment: "file", name: "b.png", isLocked: false)
        #expect(open.action(.enter) == .open(wish) && open.action(.text("s")) == .line(.save(wish), "~/b.png"))
        #expect(open.action(.delete) == .question(.detach(note: "note", attachment: "file", name: "a/b.png")))
        let locked = NotePicker(Self.note(isLocked: true), .files([Self.file()]))
        if case .question(.openLocked) = locked.action(.text("o")) {} else { Issue.record("another program sees it") }
        for picker in [
            NotePicker(Self.note(), .files([])), NotePicker(Self.note(), .files([Self.file(isDamaged: true)])),
        ] {
            #expect(picker.action(.enter) == nil && picker.action(.text("d")) == nil)
            #expect(picker.action(.text("a")) == .line(.attach(note: "note"), "~/"))
        }
    }

    @Test func `a former text is looked at or brought back, unless it stands for a list that is lost`() {
        let version = VersionSummary(number: 3, modified: 0, byteCount: 1)
        let picker = NotePicker(Self.note(), .versions([version]))
        #expect(picker.action(.enter) == .ask(.show(id: "note", version: 3)))
        #expect(picker.action(.text("r")) == .restore(note: "note", version: 3) && picker.action(.text("x")) == nil)
        let lost = NotePicker(Self.note(), .versions([VersionSummary(number: 0, modified: 0, byteCount: 0)]))
        #expect(lost.action(.enter) == nil && lost.action(.text("r")) == nil)
    }

    @Test func `a line that was typed to its end asks for what changes, and for nothing where nothing does`() {
        #expect(LinePrompt(.attach(note: "note"), "").entered.effects.isEmpty)
        #expect(LinePrompt(.tags(note: "note", before: ["a"]), "#a").entered.effects.isEmpty)
        let tags = LinePrompt(.tags(note: "note", before: ["a", "b"]), "b c").entered
        #expect(tags.effects == [.ask(Ask(.tag(id: "note", add: ["c"], remove: ["a"])))] && tags.words == nil)
        let moved = LinePrompt(.move(note: "note"), "").entered
        #expect(moved.effects == [.ask(Ask(.move(id: "note", folder: "")))], "into no folder")
    }
}
