import DiaryClient
import DiaryViews
import ScreenPlaces
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// Twenty columns by six rows: what is asked is whole, and there is room where one types.
@Suite struct SmallWindowTests {
    private static let (columns, rows) = (20, 6)

    private static func open(_ language: DiaryLanguage = .english, _ world: DiaryWorld = .sample) -> Stage {
        .open(world, language, columns: columns, rows: rows)
    }

    private static func shut(_ language: DiaryLanguage, _ world: DiaryWorld = .sample) -> Stage {
        Stage(world, language, columns: columns, rows: rows)
    }

    private func shows(_ stage: Stage, _ phrase: String) -> Bool {
        ScreenPlace.words(of: stage.text).contains(ScreenPlace.words(of: phrase))
    }

    /// Columns behind the caret; 0 where there is none.
    private func room(_ stage: Stage) -> Int { stage.screen.frame().cursor.map { Self.columns - $0.column } ?? 0 }

    @Test func `one row or one column less is too small`() {
        for (columns, rows, isTooSmall) in [(20, 6, false), (19, 6, true), (20, 5, true), (300, 100, false)] {
            let stage = Stage(.sample, columns: columns, rows: rows)
            #expect(stage.text.contains("Window too") == isTooSmall, "\(columns)×\(rows)")
        }
    }

    // MARK: The door

    @Test(arguments: DiaryLanguage.allCases)
    func `the door says what it asks for, and leaves room for dots`(language: DiaryLanguage) {
        var world = DiaryWorld.sample
        world.isDeviceLocked = true
        var stage = Self.shut(language, world)
        #expect(shows(stage, ScreenPhrase.deviceIsLocked.text(in: language)))
        #expect(shows(stage, ScreenPhrase.passcode.text(in: language) + ":") && room(stage) >= 6)
        stage = Self.shut(language)
        #expect(shows(stage, DiaryPhrase.locked.text(in: language)))
        #expect(shows(stage, DiaryPhrase.password.text(in: language) + ":") && room(stage) >= 6)
        stage.world.isPasswordRight = false
        stage.world.retryAfter = 60
        stage.feed(.secretEntered)
        #expect(shows(stage, DiaryPhrase.signInFailed.text(in: language)) && room(stage) >= 6)
        #expect(shows(stage, ScreenPhrase.wait(60, in: language)))
        world = DiaryWorld()
        world.isRegistered = false
        stage = Self.shut(language, world)
        #expect(shows(stage, DiaryPhrase.registerTitle.text(in: language)) && room(stage) >= 6)
        stage.feed(.secretEntered)
        #expect(shows(stage, DiaryPhrase.repeatPassword.text(in: language) + ":") && room(stage) >= 6)
    }

    @Test(arguments: DiaryLanguage.allCases)
    func `the recovery key has two rows, and is called by its name`(language: DiaryLanguage) throws {
        var world = DiaryWorld()
        world.isRegistered = false
        var stage = Self.shut(language, world)
        stage.feed(.secretEntered)
        stage.feed(.secretEntered)
        let place = try #require(stage.screen.secretPlace)
        let lines = stage.screen.frame().lines.map(\.text)
        // 28 digits and six hyphens, at most 20 of them beside each other.
        #expect(place.column == 0 && place.first == 20 && place.row + 1 < lines.count)
        #expect(lines[place.row].isEmpty && lines[place.row + 1].isEmpty)
        let name = lines.joined().filter { !$0.isWhitespace }
        #expect(name.contains(ScreenPhrase.recoveryKey.text(in: language).filter { !$0.isWhitespace }))
        #expect(shows(stage, ScreenPhrase.recoveryBrief.text(in: language)))
        stage.feed(.resized(columns: 80, rows: 24))
        #expect(stage.screen.secretPlace?.first == 34)
    }

    // MARK: Questions

    @Test(arguments: DiaryLanguage.allCases)
    func `every question is whole`(language: DiaryLanguage) {
        var stage = Self.open(language)
        stage.press(.text("d"))
        #expect(shows(stage, ScreenPhrase.askDeletion.text(in: language)))
        stage.press(.text(ScreenPhrase.yesKey.text(in: language)), .text("T"), .text("d"))
        #expect(shows(stage, ScreenPhrase.askRemoval.text(in: language)))
        stage.press(.text("n"), .text("t"), .text("n"))
        stage.type("words")
        stage.press(.control("c"))
        #expect(shows(stage, ScreenPhrase.askDiscarding.text(in: language)))
        stage.press(.text("n"))
        stage.world.isFull = true
        stage.press(.control("l"))
        stage.feed(.secretCancelled)
        stage.press(.text("q"))
        #expect(shows(stage, ScreenPhrase.askLosing.text(in: language)), "at the door")
        stage.press(.text("n"), .enter)
        stage.feed(.secretEntered)
        stage.press(.text("q"))
        #expect(shows(stage, ScreenPhrase.askLosing.text(in: language)), "inside")
        stage.press(.text("n"), .control("b"))
        #expect(shows(stage, ScreenPhrase.askDiscardingHeld.text(in: language)))
    }

    @Test func `words that are not kept are told of beside the prompt`() {
        var stage = Self.open()
        stage.press(.text("n"))
        stage.type("precious words")
        stage.world.isFull = true
        stage.press(.control("l"))
        #expect(shows(stage, "Your last words are NOT kept: the disk") && shows(stage, "Password:"))
        #expect(shows(stage, "Esc ^B discards"), "\(stage.text)")
        #expect(room(stage) >= 6, "\(stage.text)")
    }

    // MARK: Inside

    @Test func `the list shows the selected entry, and the entry shows its text`() {
        var stage = Self.open()
        #expect(stage.text.contains(" > 21:10  Soup"))
        stage.press(.text("j"))
        #expect(stage.text.contains(" > 08:30  First"))
        for _ in 1...4 { stage.press(.text("j")) }
        #expect(stage.text.contains(" > 07:05"))
        stage.press(.home, .enter)
        #expect(shows(stage, "Soup, and a long letter to Mari."), "though it has files")
        stage.press(.escape, .text("j"), .enter)
        #expect(shows(stage, "First snow. We walked") && !shows(stage, "quiet."))
        for _ in 1...3 { stage.press(.text("j")) }
        #expect(shows(stage, "quiet."))
    }

    @Test func `the editor shows what is typed, in the text and in each field`() throws {
        var stage = Self.open()
        stage.press(.text("n"))
        stage.type("one\ntwo\nthree\nfour")
        #expect(stage.text.contains("three") && stage.text.contains("four"))
        let caret = try #require(stage.screen.frame().cursor)
        #expect(stage.screen.frame().lines[caret.row].text == "four" && caret.column == 4)
        for _ in EntryEditor.Field.allCases.dropLast() {
            stage.press(.tab)
            let row = try #require(stage.screen.frame().cursor?.row)
            #expect(stage.screen.frame().lines[row].text.hasPrefix(">"), "the field that has the keys")
        }
        stage.press(.tab, .control("s"))
        #expect(stage.world.entries.last?.text == "one\ntwo\nthree\nfour")
    }

    @Test func `a search, a path and the help can be used`() {
        var stage = Self.open()
        stage.press(.text("/"))
        stage.type("Soup")
        #expect(stage.text.contains("Soup") && room(stage) > 1)
        stage.press(.enter)
        #expect(stage.text.contains(" > 21:10  Soup"))
        stage.press(.enter, .text("f"), .text("x"))
        stage.type("z")
        #expect(stage.screen.frame().cursor?.row == 5 && stage.text.contains("z"))
        stage.press(.escape, .escape, .escape, .text("?"))
        for _ in 1...200 { stage.press(.down) }
        let last = Help.lines(.english).last { !$0.allSatisfy { $0 == " " } } ?? []
        #expect(shows(stage, String(String(last).split(separator: " ").last ?? "")))
    }

    @Test func `the day of the calendar and the setting that are selected are seen`() {
        var stage = Self.open()
        stage.press(.text("c"))
        #expect(stage.text.contains("Sunday, 22"))
        stage.press(.left)
        #expect(stage.text.contains("Saturday, 21"))
        stage.press(.text("S"))
        for _ in SettingsPane.Setting.allCases {
            #expect(stage.text.contains(" > "))
            stage.press(.text("j"))
        }
    }
}
