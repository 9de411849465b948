import NotesClient
import Secrets
import Testing
import TextIndex

@testable import Notes

@Suite struct NotebookSessionTests {
    /// Events in turn, each with whether the session is open after it.
    struct Story: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let minutes: UInt8
        let steps: [(event: SecureSession.Event, isOpen: Bool)]

        init(_ description: String, minutes: UInt8 = 8, _ steps: [(event: SecureSession.Event, isOpen: Bool)]) {
            testDescription = description
            self.minutes = minutes
            self.steps = steps
        }
    }

    /// Milliseconds after the start by the boot clock, and by the wall clock where it goes another way.
    private static func at(_ boot: Int64, wall: Int64? = nil) -> SecureSession.Instant {
        SecureSession.Instant(
            boot: UInt64(86_400_000 + boot), wall: 1_700_000_000_000_000 + (wall ?? boot) * 1000)
    }

    private static let closed: [Story] = [
        Story(
            "whoever never had the passphrase keeps it open for eight times as long and no longer",
            [(.accepted(at: at(0)), true)]
                + (1...9).map { (.touched(at: at($0 * 400_000), isProven: false), true) }
                + [
                    (.time(at(3_839_999)), true), (.touched(at: at(3_839_999), isProven: false), true),
                    (.time(at(3_840_000)), false),
                ]),
        Story(
            "whoever had it keeps it open by his touches",
            [(.accepted(at: at(0)), true)]
                + (1...30).map { (.touched(at: at($0 * 400_000)), true) } + [(.time(at(12_400_000)), true)]),
        Story(
            "what is closed stays closed",
            [
                (.touched(at: at(0)), false), (.time(at(1)), false), (.lockNow, false), (.deviceLocked, false),
                (.suspended, false), (.touched(at: at(2)), false),
            ]),
        Story("Lock Now ends it once", [(.accepted(at: at(0)), true), (.lockNow, false), (.lockNow, false)]),
        Story("the device's lock ends it", [(.accepted(at: at(0)), true), (.deviceLocked, false)]),
        Story("a suspension ends it", [(.accepted(at: at(0)), true), (.suspended, false)]),
        Story(
            "a passphrase opens what was closed",
            [
                (.accepted(at: at(0)), true), (.lockNow, false), (.touched(at: at(1)), false),
                (.accepted(at: at(2)), true),
                (.time(at(480_001)), true), (.time(at(480_002)), false),
            ]),
    ]

    private static let timed: [Story] = [
        Story(
            "three minutes", minutes: 3,
            [
                (.accepted(at: at(0)), true), (.time(at(179_999)), true), (.time(at(180_000)), false),
            ]),
        Story(
            "eight minutes",
            [
                (.accepted(at: at(0)), true), (.time(at(479_999)), true), (.time(at(480_000)), false),
            ]),
        Story(
            "a touch begins the time anew", minutes: 3,
            [
                (.accepted(at: at(0)), true), (.touched(at: at(179_999)), true), (.time(at(359_998)), true),
                (.time(at(359_999)), false),
            ]),
        Story(
            "a touch that comes too late ends it", minutes: 3,
            [
                (.accepted(at: at(0)), true), (.touched(at: at(180_000)), false), (.touched(at: at(180_001)), false),
            ]),
        Story(
            "looking at the clock is no touch", minutes: 3,
            [
                (.accepted(at: at(0)), true), (.time(at(100_000)), true), (.time(at(179_000)), true),
                (.time(at(181_000)), false),
            ]),
        Story(
            "the passphrase again begins the time anew", minutes: 3,
            [
                (.accepted(at: at(0)), true), (.accepted(at: at(100_000)), true), (.time(at(279_999)), true),
                (.time(at(280_000)), false),
            ]),
    ]

    private static let clocks: [Story] = [
        Story(
            "the wall clock set ahead ends it early",
            [
                (.accepted(at: at(0)), true), (.time(at(10, wall: 480_000)), false),
            ]),
        Story(
            "the wall clock set back does not prolong it",
            [
                (.accepted(at: at(0)), true), (.time(at(479_999, wall: -3_600_000)), true),
                (.time(at(480_000, wall: -3_600_000)), false),
            ]),
        Story(
            "the wall clock set back and touched counts from the touch", minutes: 3,
            [
                (.accepted(at: at(0)), true), (.touched(at: at(1000, wall: -3_600_000)), true),
                (.time(at(2000, wall: -3_420_001)), true), (.time(at(2000, wall: -3_420_000)), false),
            ]),
        Story(
            "time that only the boot clock has seen counts, as after a sleep",
            [
                (.accepted(at: at(0)), true), (.time(at(480_000, wall: 5)), false),
            ]),
        Story(
            "time that only the wall clock has seen counts",
            [
                (.accepted(at: at(0)), true), (.touched(at: at(5, wall: 480_000)), false),
            ]),
        Story(
            "both clocks set back end nothing",
            [
                (.accepted(at: at(0)), true), (.time(at(-1000)), true), (.time(at(480_000)), false),
            ]),
    ]

    @Test(arguments: closed + timed + clocks) func `a session ends`(_ story: Story) {
        var session = SecureSession(minutes: story.minutes)
        for (event, isOpen) in story.steps {
            let wasOpen = session.isOpen
            let hasEnded = session.handle(event)
            #expect(session.isOpen == isOpen && hasEnded == (wasOpen && !isOpen), "after \(event)")
        }
    }

    @Test func `what remains is the shorter of two clocks' times`() {
        var session = SecureSession(minutes: 3)
        #expect(session.remaining(at: Self.at(0)) == nil)
        _ = session.handle(.accepted(at: Self.at(0)))
        #expect(session.remaining(at: Self.at(0)) == 180_000)
        #expect(session.remaining(at: Self.at(1000, wall: 3000)) == 177_000)
        #expect(session.remaining(at: Self.at(3000, wall: 1000)) == 177_000)
        #expect(session.remaining(at: Self.at(-1, wall: -1)) == 180_000)
        #expect(session.remaining(at: Self.at(1_000_000)) == 0)
    }

    // MARK: The notebook's sessions

    @Test func `a session lasts as long as it is touched, and takes what it had opened along`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("# Diary\n\nwords\n", isLocked: true)
        test.clock.advance(seconds: 400)
        #expect(!test.notebook.handle(.touched(at: test.clock.instant)))
        test.clock.advance(seconds: 479)
        #expect(!test.notebook.handle(.time(test.clock.instant)) && test.notebook.session.endsIn == 1)
        #expect(try test.text(note) == "# Diary\n\nwords\n" && isInMemory("words", test))
        test.clock.advance(seconds: 1)
        #expect(test.notebook.handle(.time(test.clock.instant)))
        #expect(!test.notebook.session.isOpen && test.notebook.session.endsIn == nil && test.vault.count == 0)
        #expect(try refusal { try test.text(note) } == .noteLocked && !isInMemory("words", test))
    }

    /// Whether the index has a word, whoever may see it.
    private func isInMemory(_ word: String, _ test: TestNotebook) throws -> Bool {
        try !test.notebook.search.find(SearchQuery(word), limit: 10).isEmpty
    }

    @Test func `sessions last three minutes where the owner says so, and no other time but eight`() throws {
        let test = try TestNotebook(suite: .tresor256)
        #expect(refusal { try test.notebook.settings.change(NotesSettings(sessionMinutes: 60)) } == .invalid)
        #expect(test.notebook.settings.shown.sessionMinutes == 8)
        try test.notebook.settings.change(NotesSettings(sessionMinutes: 3))
        try test.reopen()
        try test.openSession()
        #expect(test.notebook.session.endsIn == 180)
        test.clock.advance(seconds: 180)
        #expect(test.notebook.handle(.time(test.clock.instant)))
    }

    @Test func `a shorter time for sessions holds for the open one at once, and at the vault`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        #expect(Array(test.vault.lifetimes.values) == [.seconds(485)])
        test.clock.advance(seconds: 60)
        try test.notebook.settings.change(NotesSettings(sessionMinutes: 3))
        #expect(test.notebook.session.endsIn == 120)
        #expect(Array(test.vault.lifetimes.values) == [.seconds(125)])
        #expect(!test.notebook.handle(.touched(at: test.clock.instant)))
        #expect(test.notebook.session.endsIn == 180)
        #expect(Array(test.vault.lifetimes.values) == [.seconds(185)])
        // A longer one holds for the next: whoever asks for it need not have opened this one.
        try test.notebook.settings.change(NotesSettings(sessionMinutes: 8))
        #expect(test.notebook.session.endsIn == 180)
        test.clock.advance(seconds: 200)
        #expect(test.notebook.handle(.time(test.clock.instant)) && test.vault.count == 0)
        try test.openSession()
        #expect(test.notebook.session.endsIn == 480)
        // What is over by a shorter one ends.
        test.clock.advance(seconds: 200)
        try test.notebook.settings.change(NotesSettings(sessionMinutes: 3))
        #expect(test.notebook.sessionRemaining == 0)
        #expect(test.notebook.handle(.time(test.clock.instant)) && test.vault.count == 0)
    }

    @Test(arguments: [SecureSession.Event.lockNow, .deviceLocked, .suspended])
    func `an end closes the session at the vault`(_ event: SecureSession.Event) throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        #expect(test.vault.count == 1 && test.notebook.hasOpenSession)
        #expect(test.notebook.handle(event) && !test.notebook.handle(event))
        #expect(test.vault.count == 0 && !test.notebook.hasOpenSession && test.notebook.sessionRemaining == nil)
    }

    @Test func `a session that the vault has forgotten is over`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("# Diary\n\nwords\n", isLocked: true)
        test.vault.forgetSessions()
        #expect(refusal { try test.text(note) } == .noteLocked)
        #expect(!test.notebook.session.isOpen)
        #expect(
            try test.found("words").isEmpty && refusal { try test.notebook.texts.versions(of: note) } == .noteLocked)
        try test.openSession()
        #expect(try test.text(note) == "# Diary\n\nwords\n" && test.found("words") == ["Diary"])
    }

    @Test func `the words of locked notes leave memory with a session that the vault has forgotten`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("# Diary\n\nwords\n", isLocked: true)
        test.vault.forgetSessions()
        #expect(try refusal { try test.text(note) } == .noteLocked && !isInMemory("words", test))
    }

    @Test func `nothing is locked under a session that the vault has forgotten`() throws {
        let test = try TestNotebook(suite: .tresor256)
        try test.openSession()
        let note = try test.create("text\n")
        test.vault.forgetSessions()
        #expect(refusal { try test.notebook.locks.lock(note) } == .noteLocked)
        #expect(!test.notebook.session.isOpen)
        #expect(try test.text(note) == "text\n" && test.sealed(RecordType.lock).isEmpty)
    }
}
