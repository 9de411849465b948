import DiaryClient
import DiaryViews
import Localization
import ShippedCatalogues
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// A diary in German inside a process that speaks French: what comes from other programs is said in German too.
@Suite struct LanguageTests {
    private let french: MessageCatalogue

    init() throws {
        try ShippedCatalogue.keepAll()
        french = try ShippedCatalogue.read("fr")
    }

    private static let refusal = DiaryError(.notFound, "there is no such entry")
    private static let words = "inen solchen Eintrag gibt es nicht"

    /// What stands on the screen, after something was done to it while the process speaks French.
    private func text(_ world: DiaryWorld = .sample, rows: Int = 24, _ act: (inout Stage) -> Void) -> String {
        Localization.speaking(french) {
            var stage = Stage.open(world, .german, columns: 120, rows: rows)
            act(&stage)
            return stage.text
        }
    }

    private static var badPhoto: DiaryWorld {
        var world = DiaryWorld.sample
        world.problems["bad.jpg"] = "it is cut off or damaged"
        world.entries[1].summary.media[0].hasThumbnail = false
        world.entries[1].summary.media[0].problem = "it is cut off or damaged"
        return world
    }

    private static let problem = "es ist abgeschnitten oder beschädigt"

    @Test func `a refusal inside, of any request`() {
        let asked: [DiaryRequest] = [
            .find(id: "x"), .media(id: "x", media: "y", size: .shared), .create(NewEntry(head: EntryHead.any)),
        ]
        for request in asked {
            // Where a file is saved, it has a path.
            let shown = text { $0.feed(.refusal(Self.refusal, to: Ask(request, destination: "/tmp/x"))) }
            #expect(shown.contains("E" + Self.words + "."), "\(request)")
        }
    }

    @Test func `a refusal at the door`() {
        let shown = Localization.speaking(french) {
            var stage = Stage(.sample, .german)
            stage.feed(.refusal(Self.refusal, to: Ask(.signIn)))
            return stage.text
        }
        #expect(shown.contains("E" + Self.words + "."))
    }

    @Test func `why last words are not kept`() {
        let shown = text { $0.feed(.held(DiaryError(.cannotWrite, "the disk is full; nothing was changed"), count: 1)) }
        #expect(shown.contains("die Festplatte ist voll") && !shown.contains("disque"))
    }

    @Test func `what is wrong with a photo: as it is added, in the editor's list, and on the page of files`() {
        let added = text(Self.badPhoto) {
            $0.press(.text("n"))
            $0.feed(.write(.fill(.files, "/bad.jpg")))
        }
        #expect(added.contains("bad.jpg bleibt ohne Bild: " + Self.problem))
        let listed = text(Self.badPhoto, rows: 40) {
            $0.press(.text("n"))
            $0.feed(.write(.fill(.files, "/bad.jpg")))
            $0.press(.backTab, .up)
        }
        #expect(listed.contains("1  bad.jpg") && listed.contains("· " + Self.problem))
        let page = text(Self.badPhoto) { $0.press(.enter, .text("f")) }
        #expect(page.contains(Self.problem))
    }

    @Test func `what is wrong with a photo, in lines`() throws {
        let diary = try #require(
            Localization.speaking(french) { () -> OpenDiary? in
                var stage = Stage.open(Self.badPhoto, .german, isSpoken: true)
                stage.press(.text("n"))
                stage.feed(.write(.fill(.files, "/bad.jpg")))
                return stage.screen.diary
            })
        let lines = Localization.speaking(french) { PlainReader.fieldWords(diary) }
        #expect(lines.last?.hasSuffix("bad.jpg, " + Self.problem) == true)
    }

    @Test func `what every plain dialogue says, where the diary talks`() {
        let words = Localization.speaking(french) { DiaryLanguage.german.speaking { PlainSaying.unchanged } }
        #expect(words == "Nichts wurde geändert.")
        #expect(
            Localization.speaking(french) { DiaryLanguage.english.speaking { PlainSaying.unchanged } }
                == "Nothing was changed.")
    }
}

extension EntryHead {
    fileprivate static var any: EntryHead { EntryHead(date: 0, timeZone: "UTC") }
}
