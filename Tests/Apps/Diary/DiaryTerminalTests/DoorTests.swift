import DiaryClient
import DiaryViews
import ShippedCatalogues
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// The door, and what is left when it shuts.
@Suite struct DoorTests {
    init() throws { try ShippedCatalogue.keepAll() }

    private static let words = ["Soup", "letter", "First snow", "soup.jpg", "winter", "Drøbak", "2026-11-15"]

    /// Whether anything of the sample diary stands on the screen, in what was shown, or in the state.
    private func remembers(_ stage: Stage) -> Bool {
        Self.words.contains { word in
            stage.remembers(word) || stage.text.contains(word) || stage.shown.contains { $0.contains(word) }
        }
    }

    @Test func `a first start asks for a password twice, registers, and does not sign in`() {
        var world = DiaryWorld()
        world.isRegistered = false
        var stage = Stage(world)
        #expect(stage.screen.wantsSecret)
        stage.forgetEffects()
        stage.feed(.secretEntered)
        #expect(stage.effects == [.keepSecret] && stage.screen.wantsSecret)
        stage.feed(.secretEntered)
        #expect(stage.asks.last == Ask(.register(allowsPasscode: false), hasSecret: true))
        #expect(stage.screen.secretPlace != nil && !stage.screen.wantsSecret)
        stage.press(.enter)
        #expect(stage.screen.secretPlace == nil && stage.screen.wantsSecret && stage.screen.diary == nil)
        #expect(stage.effects.suffix(2) == [.forgetSecrets, .clear])
        #expect(!stage.requests.contains(.signIn) && stage.text.contains(DiaryPhrase.registered.text(in: .english)))
    }

    @Test func `two passwords that differ, or none, are wiped and asked for again`() {
        for (comparison, words) in [
            (SecretComparison.different, DiaryPhrase.passwordsDiffer.text(in: .german)),
            (.empty, ScreenPhrase.emptyPassword.text(in: .german)),
        ] {
            var world = DiaryWorld()
            world.isRegistered = false
            var stage = Stage(world, .german)
            stage.comparison = comparison
            stage.feed(.secretEntered)
            stage.feed(.secretEntered)
            #expect(stage.text.contains(words) && stage.screen.door == .registering(isRepeated: false))
            #expect(stage.effects.last == .forgetSecrets && !stage.world.isRegistered)
        }
    }

    @Test func `a start asks for the password although somebody is signed in already`() {
        var world = DiaryWorld.sample
        world.isSignedIn = true
        var stage = Stage(world)
        #expect(stage.screen.diary == nil && stage.screen.wantsSecret)
        stage.world.isPasswordRight = false
        stage.feed(.secretEntered)
        #expect(stage.screen.diary == nil && stage.world.isSignedIn, "other windows stay open")
        #expect(stage.text.contains(DiaryPhrase.signInFailed.text(in: .english)))
        #expect(stage.asks.last == Ask(.signIn, hasSecret: true))
    }

    @Test func `the first page is drawn before everything is read for what is damaged`() throws {
        var stage = Stage(.sample)
        stage.forgetEffects()
        stage.feed(.secretEntered)
        let drawn = try #require(stage.effects.lastIndex(of: .show))
        #expect(stage.shown.last?.contains("Soup") == true)
        #expect(try drawn < #require(stage.effects.lastIndex(of: .ask(Ask(.status)))))
    }

    @Test func `a wrong password says no more than that, and a wait takes no password`() {
        var stage = Stage(.sample, .german)
        stage.world.isPasswordRight = false
        stage.world.retryAfter = 60
        stage.feed(.secretEntered)
        #expect(stage.text.contains("Anmeldung fehlgeschlagen · Nächster Versuch in 1:00"))
        stage.forgetEffects()
        stage.feed(.secretEntered)
        #expect(stage.effects == [.forgetSecrets])
        stage.world.isPasswordRight = true
        stage.pass(milliseconds: 60_000)
        stage.feed(.secretEntered)
        #expect(stage.screen.diary != nil)
    }

    @Test func `locking drops everything before the lock screen is drawn, and that before tresor-diary is asked`() {
        let ways: [(name: String, lock: (inout Stage) -> Void)] = [
            ("Ctrl+L", { $0.press(.control("l")) }),
            ("Ctrl+Z", { $0.press(.control("z")) }),
            ("a signal to stop", { $0.feed(.lifecycle(.suspended)) }),
            ("the terminal's end", { $0.feed(.lifecycle(.hungUp)) }),
            ("a signal to end", { $0.feed(.lifecycle(.terminated)) }),
            ("q", { $0.press(.text("q")) }),
            ("tresor-diary's word", { $0.feed(.event(.locked)) }),
            ("a lost connection", { $0.feed(.connectionLost) }),
            ("tresord's end", { $0.feed(.daemonEnded) }),
        ]
        for way in ways {
            var stage = Stage.open(drawsPictures: true)
            stage.press(.enter)
            #expect(remembers(stage), "\(way.name)")
            stage.forgetEffects()
            way.lock(&stage)
            #expect(!remembers(stage), "\(way.name)")
            #expect(stage.screen.diary == nil, "\(way.name)")
            #expect(stage.screen.wantsSecret != (way.name == "tresord's end"), "\(way.name)")
            let drawn = stage.effects.firstIndex(of: .show)
            let cleared = stage.effects.firstIndex(of: .clear)
            #expect(drawn != nil && cleared != nil && cleared ?? 0 < drawn ?? 0, "\(way.name)")
            let later = stage.effects.suffix(from: drawn ?? 0)
            let before = stage.effects.prefix(drawn ?? 0)
            #expect(!before.contains(.ask(Ask(.lock))), "\(way.name)")
            #expect(later.contains(.endClearing), "\(way.name)")
        }
    }

    @Test func `a stop locks and clears first, within a deadline that does not run while the program is stopped`() {
        var stage = Stage.open()
        stage.press(.text("x"))
        stage.forgetEffects()
        stage.feed(.lifecycle(.suspended))
        #expect(
            stage.effects.prefix(7) == [
                .beginClearing, .forgetSecrets, .clear, .show, .ask(Ask(.lock)), .endClearing, .suspend,
            ])
        #expect(!stage.world.isSignedIn)
    }

    @Test func `the loss of the focus locks where that was chosen, and only there`() {
        var stage = Stage.open()
        stage.feed(.lifecycle(.focusLost))
        #expect(stage.screen.diary != nil && stage.world.isSignedIn)
        var world = DiaryWorld.sample
        world.locksOnResign = true
        stage = Stage.open(world)
        stage.forgetEffects()
        stage.feed(.lifecycle(.focusLost))
        #expect(stage.screen.diary == nil && !stage.world.isSignedIn && !remembers(stage))
        // No report of the focus is heard while a password is typed.
        stage.feed(.secretEntered)
        #expect(stage.screen.diary != nil)
        stage.feed(.lifecycle(.focusLost))
        #expect(stage.screen.diary == nil)
    }

    @Test func `a choice that was made elsewhere counts from the next key on`() {
        var stage = Stage.open()
        stage.world.locksOnResign = true
        stage.pass(milliseconds: 2000)
        stage.press(.text("j"))
        stage.feed(.lifecycle(.focusLost))
        #expect(stage.screen.diary == nil)
    }

    @Test func `what is in the editor goes to a draft before the diary is locked, and after the screen is covered`() {
        var stage = Stage.open()
        stage.press(.text("n"))
        stage.type("half a thought")
        stage.forgetEffects()
        stage.press(.control("l"))
        let drawn = stage.effects.firstIndex(of: .show) ?? .max
        let drafted = stage.effects.firstIndex { if case .ask(let ask) = $0 { !ask.body.isEmpty } else { false } }
        let locked = stage.effects.firstIndex(of: .ask(Ask(.lock)))
        #expect(drawn < drafted ?? 0 && drafted ?? .max < locked ?? 0)
        #expect(stage.world.entries.last?.text == "half a thought" && stage.world.entries.last?.summary.isDraft == true)
        #expect(!stage.remembers("half a thought") && !stage.text.contains("thought"))
    }

    @Test func `an answer that comes after the lock is dropped`() {
        var stage = Stage.open()
        let late = Ask(.show(id: "entry-1"))
        stage.feed(.event(.locked))
        stage.feed(.answer(.entry(stage.world.entries[0].summary), Array("First snow".utf8), to: late))
        stage.feed(.answer(.list(EntryList(entries: [stage.world.entries[0].summary], total: 1)), [], to: late))
        let text = stage.text
        stage.feed(.refusal(DiaryError(.notFound, "there is no such entry"), to: late))
        #expect(!remembers(stage) && stage.text == text)
    }

    @Test func `a registration that is refused begins anew`() {
        var world = DiaryWorld()
        world.isRegistered = false
        var stage = Stage(world)
        stage.feed(.secretEntered)
        stage.feed(
            .refusal(DiaryError(.deviceLocked, "the device is locked"), to: Ask(.register(allowsPasscode: false))))
        #expect(stage.screen.door == .deviceLocked(isAsking: true) && stage.text.contains("The device is locked."))
        #expect(stage.effects.suffix(2) == [.forgetSecrets, .clear])
    }

    @Test func `a refusal because nobody is signed in any more locks too`() {
        var stage = Stage.open()
        stage.world.isSignedIn = false
        stage.press(.text("g"))
        #expect(stage.screen.diary == nil && !remembers(stage))
        stage = Stage.open()
        stage.world.isDeviceLocked = true
        stage.press(.text("g"))
        #expect(stage.screen.diary == nil && stage.text.contains("The device is locked."))
    }

    @Test func `a locked device comes first, and is unlocked right there, before the diary's password`() {
        var world = DiaryWorld.sample
        world.isDeviceLocked = true
        var stage = Stage(world)
        #expect(stage.screen.door == .deviceLocked(isAsking: true) && stage.screen.wantsSecret)
        #expect(stage.text.contains("The device’s passcode:") && !stage.text.contains("The diary is locked."))
        stage.world.isPasscodeRight = false
        stage.world.retryAfter = 60
        stage.feed(.secretEntered)
        #expect(stage.text.contains("The passcode is wrong. · Next try in 1:00"))
        stage.forgetEffects()
        stage.feed(.secretEntered)
        #expect(stage.effects == [.forgetSecrets], "no try before its time")
        (stage.world.isPasscodeRight, stage.world.retryAfter) = (true, nil)
        stage.pass(milliseconds: 60_000)
        stage.feed(.secretEntered)
        #expect(stage.screen.door == .locked(isAsking: true) && stage.screen.wantsSecret)
        #expect(stage.effects.contains(.unlockDevice) && stage.requests.contains(.signIn) == false)
        stage.feed(.secretEntered)
        #expect(stage.screen.diary != nil)
    }

    @Test func `where a passcode is typed no letter is a command, and what was typed goes with its field`() {
        var world = DiaryWorld.sample
        world.isDeviceLocked = true
        var stage = Stage(world)
        stage.forgetEffects()
        // Somebody unlocks elsewhere while half a passcode is there.
        stage.feed(.deviceLooked(isLocked: false))
        #expect(stage.effects.prefix(2) == [.forgetSecrets, .clear] && stage.screen.door == .locked(isAsking: true))
        stage.forgetEffects()
        stage.feed(.deviceLooked(isLocked: true))
        #expect(stage.effects == [.forgetSecrets, .clear] && stage.screen.wantsSecret)
        stage.feed(.secretCancelled)
        #expect(!stage.screen.wantsSecret && stage.text.contains("The device is locked."))
        stage.press(.text("n"), .text("d"), .click(row: 1, column: 1), .wheel(1))
        #expect(stage.screen.door == .deviceLocked(isAsking: false) && stage.requests.isEmpty && !stage.hasQuit)
        stage.press(.enter)
        #expect(stage.screen.wantsSecret)
    }

    @Test func `a lock of the device shows the device's lock, and the diary's behind it`() {
        var stage = Stage.open()
        stage.world.isDeviceLocked = true
        stage.feed(.lockSeen)
        stage.feed(.deviceLooked(isLocked: true))
        #expect(stage.screen.diary == nil && stage.text.contains("The device is locked.") && !remembers(stage))
        stage.world.isSignedIn = false
        stage.feed(.secretEntered)
        #expect(stage.text.contains("The diary is locked.") && stage.screen.diary == nil)
    }

    @Test func `keys touch at most once a second, and nothing else does`() {
        var stage = Stage.open()
        stage.press(.text("j"), .text("k"), .text("j"))
        #expect(stage.requests.count { $0 == .touch } == 1)
        stage.pass(milliseconds: 999)
        stage.press(.text("j"))
        #expect(stage.requests.count { $0 == .touch } == 1)
        stage.pass(milliseconds: 1)
        stage.press(.text("j"))
        #expect(stage.requests.count { $0 == .touch } == 2)
        stage.forgetEffects()
        stage.feed(.event(.changed))
        for _ in 1...5 { stage.pass(milliseconds: 1000) }
        #expect(stage.requests == [.list(DiaryFilter())])
    }

    @Test func `the last half minute is announced, and its end asks tresor-diary`() {
        var stage = Stage.open()
        stage.pass(milliseconds: 269_000)
        #expect(!stage.text.contains("Locks in"))
        stage.pass(milliseconds: 2000)
        #expect(stage.text.contains("Locks in 29 s"))
        stage.world.isSignedIn = false
        stage.pass(milliseconds: 29_000)
        #expect(stage.screen.diary == nil && !remembers(stage))
    }
}
