import Foundation
import Glibc
import Linux
import NotesClient
import Secrets
import Testing
import Wire

/// A copy is restored over the home of a running device, or its files are removed: nothing is acknowledged any more
/// that would go into files without a name.
@Suite(.serialized) struct ReplacedFilesStories {
    private let device: LiveDevice

    init() throws {
        device = try LiveDevice()
        try device.setPasscode()
    }

    /// Puts another file of the same content in the place of one, as a restored copy does.
    private func replace(_ path: String) throws {
        let copy = path + ".restored"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        #expect(rename(copy, path) == 0)
    }

    private func expectRefusal(_ outcome: LiveDevice.Outcome, _ place: String) {
        #expect(outcome.code == 74, "\(place): \(outcome.text) \(outcome.errors)")
        #expect(outcome.errors.contains("were replaced or removed"), "\(place): \(outcome.errors)")
    }

    enum Place: String, CaseIterable {
        case database = "keychain/keychain.sqlite"
        case log = "keychain/keychain.sqlite-wal"
        case tries = "enclave/device/tries"
        case keybag = "enclave/device/keybag"
        case rootKey = "enclave/device/root.key"
        case spareTries = "enclave/spare/tries"
        case spareKeybag = "enclave/spare/keybag"
        case spareRootKey = "enclave/spare/root.key"
    }

    private func path(_ place: Place) -> String {
        switch place {
        case .database: device.home.database
        case .log: device.home.database + "-wal"
        default: device.folder + "/" + place.rawValue
        }
    }

    @Test(arguments: Place.allCases)
    func `the next request is refused, the device locks, and a start goes on with what is there`(place: Place) throws {
        for isRemoved in [true, false] { try expectRefusals(place, isRemoved, isRemoved ? "removed" : "replaced") }
    }

    private func expectRefusals(_ place: Place, _ isRemoved: Bool, _ how: String) throws {
        let name = "\(place.rawValue) \(how)"
        let (kept, lost, new) = ("kept \(how)", "lost \(how)", "new \(how)")
        try device.run("keychain", "add", "--service", kept, input: Data("x".utf8))
        let path = path(place)
        #expect(FileManager.default.fileExists(atPath: path))
        // Of a restored copy, the log is empty or another's.
        try device.run("keychain", "list")
        if isRemoved { #expect(rename(path, path + ".gone") == 0) } else { try replace(path) }
        expectRefusal(try device.run("keychain", "add", "--service", lost, input: Data("x".utf8)), name)
        let status = try device.run("status", "--json")
        #expect(!status.text.contains("\"unlocked\""), "\(status.text)")
        expectRefusal(try device.run("unlock", input: Data("1234\n".utf8)), name)
        expectRefusal(try device.run("passcode", "change", input: Data("1234\n1\n1\n".utf8)), name)
        if isRemoved { try FileManager.default.moveItem(atPath: path + ".gone", toPath: path) }
        try device.restart()
        try device.unlock()
        #expect(try device.run("keychain", "get", "--service", lost).code == 3, "\(name)")
        #expect(try device.run("keychain", "get", "--service", kept).output == Data("x".utf8), "\(name)")
        #expect(try device.run("keychain", "add", "--service", new, input: Data("x".utf8)).code == 0, "\(name)")
    }

    @Test(arguments: ["notes.sqlite", "notes.sqlite-wal", "assets"])
    func `notes that were replaced are shut, and opened anew as they lie there`(name: String) throws {
        let kept = try device.newNote("kept\n")
        let path = device.home.notesFolder + "/" + name
        if name == "assets" {
            try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
            try FileManager.default.copyItem(atPath: path + ".old", toPath: path)
        } else {
            try replace(path)
        }
        expectRefusal(try device.notes("new", input: "lost\n"), name)
        try waitForLock()
        #expect(try device.notes("list").code == 5)
        try device.unlock()
        #expect(try device.notes("show", kept).text == "kept\n")
        #expect(try !device.notes("list").text.contains("lost"))
        #expect(try device.notes("new", input: "new\n").code == 0)
    }

    // Where the database was replaced as well, SQLite itself sees that it has moved.
    @Test(arguments: [["/notes.sqlite", "/notes.sqlite-wal"], ["/notes.sqlite-wal"]])
    func `a log that came with a restored copy is not removed by the program that lost its place`(
        replaced: [String]
    ) throws {
        let first = try device.newNote("first\n")
        let folder = device.home.notesFolder
        let copy = folder + ".copy"
        // A copy of a running device: its last notes are in the log alone.
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        _ = try device.newNote("after the copy\n")
        for name in replaced { #expect(rename(copy + name, folder + name) == 0) }
        let size = try FileSystem.status(folder + "/notes.sqlite-wal")?.byteCount
        #expect(size ?? 0 > 0, "the control: something is in it")
        #expect(try device.notes("new", input: "lost\n").code == 74)
        try waitForLock()
        try device.unlock()
        #expect(try device.notes("show", first).text == "first\n")
        #expect(try device.notes("list").text.split(separator: "\n").count == 1)
    }

    @Test func `a diary that was replaced is shut, and opened anew as it lies there`() throws {
        try device.openDiary()
        let kept = try device.newEntry("kept\n")
        try replace(device.home.diaryDatabase)
        expectRefusal(try device.diary("add", input: "lost\n"), "diary")
        try waitForLock()
        try device.unlock()
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        #expect(try device.diary("show", kept).text.contains("kept"))
        #expect(try !device.diary("list").text.contains("lost"))
    }

    private func waitForLock() throws {
        for _ in 0..<200 {
            if try device.status().enclave.lock == .locked { return }
            usleep(10_000)
        }
        Issue.record("the device has not locked")
    }
}
