import DiaryClient
import DiaryViews
import Localization
import ScreenPlaces
import ShippedCatalogues
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// Without tresord nobody can unlock the device, and no password opens the diary: that is said, and none asked for.
@Suite struct DaemonGoneTests {
    init() throws { try ShippedCatalogue.keepAll() }

    /// The diary, open, when tresord ends: tresor-diary ends with it, and one of them is heard first.
    private static func stage(
        tellsFirst: Bool = false, _ language: DiaryLanguage = .english, columns: Int = 80, rows: Int = 24
    ) -> Stage {
        var stage = Stage.open(.sample, language, columns: columns, rows: rows)
        (stage.world.isGone, stage.world.isSignedIn, stage.world.isDeviceLocked) = (true, false, true)
        if tellsFirst { stage.feed(.event(.locked)) }
        stage.feed(.daemonEnded)
        if !tellsFirst { stage.feed(.event(.locked)) }
        stage.feed(.connectionLost)
        return stage
    }

    private static func comeBack(_ stage: inout Stage, isLocked: Bool) {
        (stage.world.isGone, stage.world.isDeviceLocked) = (false, isLocked)
        stage.feed(.deviceLooked(isLocked: isLocked))
    }

    @Test(arguments: [false, true])
    func `the screen says that tresord does not run and how to go on, and asks for nothing`(tellsFirst: Bool) {
        let stage = Self.stage(tellsFirst: tellsFirst)
        #expect(stage.text.contains("tresord does not run.") && stage.text.contains("tresor up"))
        #expect(stage.text.contains("Then this screen goes on by itself.") && stage.text.contains("Esc, twice, quits."))
        #expect(!stage.text.contains("locked") && !stage.text.contains("tresor-diary"))
        #expect(!stage.screen.wantsSecret && stage.screen.diary == nil && !stage.remembers("Soup"))
        // Nothing else was drawn on the way there.
        #expect(tellsFirst || stage.shown.allSatisfy { $0.contains("tresor up") } && !stage.shown.isEmpty)
    }

    @Test func `at every door, too, and what was half typed there is wiped`() {
        var unregistered = DiaryWorld()
        unregistered.isRegistered = false
        var locked = DiaryWorld.sample
        locked.isDeviceLocked = true
        for world in [.sample, unregistered, locked] {
            var stage = Stage(world)
            #expect(stage.screen.wantsSecret)
            stage.forgetEffects()
            stage.feed(.daemonEnded)
            #expect(stage.text.contains("tresor up") && !stage.screen.wantsSecret)
            #expect(stage.effects == [.forgetSecrets, .clear])
        }
    }

    @Test func `when it runs again the passcode is asked for, then the password, and the diary opens`() {
        var stage = Self.stage()
        Self.comeBack(&stage, isLocked: true)
        #expect(stage.screen.door == .deviceLocked(isAsking: true) && stage.screen.wantsSecret)
        #expect(!stage.text.contains("does not answer") && !stage.text.contains("tresor up"))
        stage.feed(.secretEntered)
        #expect(stage.screen.door == .locked(isAsking: true))
        stage.feed(.secretEntered)
        #expect(stage.text.contains("Soup"))
    }

    @Test func `a device that is unlocked when tresord runs again leads to the password at once`() {
        var stage = Self.stage(tellsFirst: true)
        Self.comeBack(&stage, isLocked: false)
        #expect(stage.screen.door == .locked(isAsking: true) && stage.screen.wantsSecret)
        #expect(stage.text.contains("The diary is locked.") && !stage.text.contains("does not answer"))
    }

    @Test func `what tresor-diary still says, or refuses, asks for nothing either`() throws {
        var stage = Self.stage()
        let text = stage.text
        stage.world.isDeviceLocked = false
        let status = try stage.world.reply(to: Ask(.status)).0
        stage.feed(.answer(status, [], to: Ask(.status)))
        stage.feed(.answer(status, [], to: Ask(.signIn)))
        stage.feed(.refusal(DiaryError(.deviceLocked, "the device is locked"), to: Ask(.status)))
        stage.feed(.refusal(DiaryError(.notRegistered, "no password is registered"), to: Ask(.signIn)))
        #expect(stage.text == text && !stage.screen.wantsSecret && stage.screen.diary == nil)
    }

    @Test func `it is left by a key that is pressed twice, and by no letter`() {
        var stage = Self.stage()
        stage.type("q12n\n")
        #expect(!stage.hasQuit && !stage.screen.wantsSecret && stage.text.contains("tresor up"))
        stage.press(.escape)
        #expect(
            !stage.hasQuit && stage.text.contains("Press it once more to quit.") && stage.text.contains("tresor up"))
        stage.press(.text("q"), .escape)
        #expect(!stage.hasQuit, "a letter in between was no second time")
        stage.press(.control("c"))
        #expect(stage.hasQuit)
    }

    @Test func `what was typed is held, said, and gone on with when the diary opens again`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("precious words")
        (stage.world.isGone, stage.world.isSignedIn) = (true, false)
        stage.feed(.daemonEnded)
        #expect(stage.heldCount == 1 && !stage.remembers("precious") && stage.text.contains("tresor up"))
        #expect(stage.text.contains("NOT kept"))
        stage.press(.escape, .escape)
        #expect(!stage.hasQuit && stage.text.contains("lost if you quit"))
        stage.press(.text("n"))
        Self.comeBack(&stage, isLocked: false)
        stage.feed(.secretEntered)
        #expect(stage.heldCount == 0 && stage.text.contains("precious words"))
    }

    @Test func `a recovery key is seen until its owner goes on, for it is shown only once`() {
        var world = DiaryWorld()
        world.isRegistered = false
        var stage = Stage(world)
        stage.feed(.secretEntered)
        stage.feed(.secretEntered)
        #expect(stage.screen.secretPlace != nil)
        stage.feed(.daemonEnded)
        #expect(stage.screen.secretPlace != nil)
        stage.press(.enter)
        #expect(stage.screen.secretPlace == nil && stage.text.contains("tresor up") && !stage.screen.wantsSecret)
    }

    @Test(arguments: DiaryLanguage.allCases, [(40, 8), (20, 6)])
    func `how to go on fits a narrow terminal`(language: DiaryLanguage, size: (columns: Int, rows: Int)) {
        let stage = Self.stage(language, columns: size.columns, rows: size.rows)
        let wanted = ScreenPlace.words(of: language.speaking { DaemonAbsence.lines[1] })
        #expect(ScreenPlace.words(of: stage.text).contains(wanted) && wanted.hasSuffix("tresor up"), "\(stage.text)")
    }

    @Test func `it is said in the diary's own language`() {
        let stage = Self.stage(.german)
        #expect(stage.text.contains("tresord läuft nicht.") && stage.text.contains("Esc, zweimal, beendet."))
    }
}
