import CTestSupport
import DesktopBus
import Foundation
import Glibc
import Linux
import Protection
import Secrets
import Testing
import Tresor
import Wire

/// Why a device locks, as a desktop, a person or an accident does it.
enum Cause: String, CaseIterable, CustomTestStringConvertible {
    case command, idle, sessionLock, lockedHint, switchedAway, screenSaver, sleep, lastKeychain, enclaveEnds, down
    case terminated, killed

    var testDescription: String { rawValue }

    /// Whether a `tresord` runs afterwards.
    var leavesDaemon: Bool { ![.down, .terminated, .killed].contains(self) }

    /// What may be seen again.
    ///
    /// A keychain that is shut takes along all that is held, and locks no device: what needs the unlocked device alone
    /// is read anew after it.
    var spared: Set<String> { self == .lastKeychain ? ["note", "noteEditor", "plainNote", "title"] : [] }
}

/// A device with everything open on it that shows or holds what a lock must take away: each with a word of its own.
final class OpenDevice {
    static let password = "a blue door"

    let desktop: DesktopService
    let device: LiveDevice
    /// What each place shows or holds, by its name.
    let words: [String: String]
    let screens: [String: TmuxScreen]
    /// Conversations in plain lines: what they have printed is the terminal's, what they hold is not.
    private let plain: [TmuxScreen]
    private let bar: WidgetHost
    private let holder: Process

    init() throws {
        desktop = try DesktopService(hasScreenSaver: true)
        device = try LiveDevice(
            programs: LiveDevice.programs + "/clock",
            environment: [
                "TRESOR_TEST_BUS": desktop.address, "TRESOR_TEST_SESSION_BUS": desktop.sessionAddress,
                "TRESOR_TEST_FINGERS": desktop.folder,
            ])
        let device = device
        var words: [String: String] = [:]
        for name in Self.places { words[name] = name + Identifier.makeRandom().description.prefix(10) }
        words["holder"] = "secret of \(words["holder"] ?? "")"
        func word(_ name: String) -> String { words[name] ?? "" }
        try device.setPasscode()
        _ = try device.newNote("# \(word("title"))\n\n\(word("note"))\n")
        try device.openDiary(Self.password)
        _ = try device.newEntry(word("entry") + "\n")
        let kept = try device.run(
            ["keychain", "add", "--service", "browsed", "--account", "anna"], input: Data(word("item").utf8))
        #expect(kept.code == 0, "\(kept.errors)")
        let keychain = try device.run(
            ["keychain", "keychains", "create", "Work", "--own-passcode"], input: Data("pass\npass\n".utf8))
        #expect(keychain.code == 0, "\(keychain.errors)")

        bar = try WidgetHost(device, ["--host", "waybar", "notes.recent"])
        #expect(try bar.line(with: word("title")) != nil)

        var screens: [String: TmuxScreen] = [:]
        let note = try TmuxScreen(device, command: "notes")
        #expect(try note.waits(for: word("note")))
        screens["note"] = note
        let noteEditor = try TmuxScreen(device, command: "notes")
        #expect(try noteEditor.waits(for: word("title")))
        try noteEditor.press("n")
        usleep(300_000)
        try noteEditor.type(word("noteEditor"))
        #expect(try noteEditor.waits(for: word("noteEditor")))
        screens["noteEditor"] = noteEditor
        let browser = try TmuxScreen(device, command: "keychain browse")
        #expect(try browser.waits(for: "browsed"))
        screens["item"] = browser
        let entry = try TmuxScreen(device, command: "diary")
        try Self.signIn(entry)
        #expect(try entry.waits(for: word("entry")))
        screens["entry"] = entry
        let entryEditor = try TmuxScreen(device, command: "diary")
        try Self.signIn(entryEditor)
        #expect(try entryEditor.waits(for: word("entry")))
        try entryEditor.press("n")
        #expect(try entryEditor.waits(for: "New entry"))
        try entryEditor.type(word("entryEditor"))
        #expect(try entryEditor.waits(for: word("entryEditor")))
        screens["entryEditor"] = entryEditor
        self.screens = screens
        plain = try Self.plainLines(device, word("plainNote"), word("plainEntry"))

        let cast = try Cast(device, from: LiveDevice.programs)
        let program = try cast.make("holder")
        let held = String(word("holder").dropFirst("secret of ".count))
        let added = try cast.run(program, "add", held)
        #expect(added == "0")
        holder = Process()
        holder.executableURL = URL(fileURLWithPath: program)
        holder.arguments = ["hold", held]
        holder.environment = [
            "TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
        ]
        let input = Pipe()
        holder.standardInput = input
        holder.standardOutput = holderOutput
        try holder.run()
        let said = String(decoding: holderOutput.fileHandleForReading.availableData, as: UTF8.self)
        #expect(said.contains("holds \(word("holder").utf8.count)"), "\(said)")
        holderInput = input
        self.words = words
    }

    private static let places = [
        "note", "noteEditor", "entry", "entryEditor", "item", "title", "holder", "plainNote", "plainEntry",
    ]

    /// A new note and a new entry, each with a line that was typed and is not sent.
    private static func plainLines(_ device: LiveDevice, _ note: String, _ entry: String) throws -> [TmuxScreen] {
        let notes = try TmuxScreen(device, command: "notes browse --plain")
        let diary = try TmuxScreen(device, command: "diary browse --plain")
        #expect(try notes.waits(for: "Command, or help:") && diary.waits(for: "Password"))
        for (screen, lines, answer) in [
            (notes, ["new"], "Text, or .help:"), (diary, [password, "n"], "Text; a period"),
        ] {
            for line in lines {
                try screen.type(line)
                try screen.press("Enter")
                usleep(500_000)
            }
            #expect(try screen.waits(for: answer))
        }
        for (screen, word) in [(notes, note), (diary, entry)] {
            try screen.type(word)
            try screen.press("Enter")
        }
        usleep(300_000)
        return [notes, diary]
    }

    private let holderInput: Pipe
    private let holderOutput = Pipe()

    /// What the program of somebody's said last.
    func holderSays() throws -> String {
        String(decoding: holderOutput.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit { try? holderInput.fileHandleForWriting.close() }

    /// Shows the item's secret in the browser, which hides it after a while.
    func reveal() throws {
        let (browser, word) = (try #require(screens["item"]), try #require(words["item"]))
        try browser.press("Enter", "r")
        #expect(try browser.waits(for: word))
    }

    static func signIn(_ screen: TmuxScreen) throws {
        #expect(try screen.waits(for: "Password:"))
        try screen.type(password)
        try screen.press("Enter")
    }

    func happen(_ cause: Cause) throws {
        switch cause {
        case .command: #expect(try device.run("lock").code == 0)
        case .idle: break
        case .sessionLock: try desktop.lock("own")
        case .lockedHint: try desktop.setHint("own", true)
        case .switchedAway:
            try desktop.setActive("auto", false)
            try desktop.setActive("own", false)
        case .screenSaver: try desktop.screenSaver(true)
        case .sleep: try desktop.sleep(true)
        case .lastKeychain: #expect(try device.run("keychain", "keychains", "lock", "Work").code == 0)
        case .enclaveEnds: kill(Int32(try device.status().enclaveProcess), SIGKILL)
        case .down: #expect(try device.down() == 0)
        case .terminated: kill(device.daemon, SIGTERM)
        case .killed: kill(device.daemon, SIGKILL)
        }
    }

    /// Every word that stands on a screen or in the bar, as `screen shows word`.
    func shown(but spared: Set<String> = []) throws -> [String] {
        var texts = try screens.mapValues { try $0.everything() }
        texts["bar"] = try bar.lastLine()
        return texts.flatMap { name, text in
            words.filter { text.contains($0.value) && !spared.contains($0.key) }.map { "\(name) shows \($0.key)" }
        }.sorted()
    }

    /// Every word that is in the memory of a process of this home, also of one that started a moment ago.
    func held(but spared: Set<String> = []) throws -> [String] {
        var names = [bar.id: "bar", holder.processIdentifier: "holder"]
        for (name, screen) in screens { if let id = try screen.program() { names[id] = "screen " + name } }
        for (name, screen) in zip(["plain notes", "plain diary"], plain) {
            if let id = try screen.program() { names[id] = name }
        }
        return device.processesOfThisHome().flatMap { id, program in
            words.filter { !spared.contains($0.key) && count($0.value, in: id) > 0 }
                .map { "\(names[id] ?? program) holds \($0.key)" }
        }.sorted()
    }

    private func count(_ word: String, in process: Int32) -> Int {
        var unreadable = 0
        let bytes = Array(word.utf8)
        return ct_count(process, bytes, bytes.count, &unreadable)
    }
}

extension LiveDevice {
    /// The process of tresor-diary.
    func diaryProcess() throws -> Int32 {
        guard case .status(let status) = try diaryConnection().ask(.status).reply else { return 0 }
        return status.process
    }
}
