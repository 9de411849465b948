import DesktopBus
import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Wire

/// `doctor --data` opens everything, says what does not open and what it could not look at, and goes on where it was.
@Suite(.serialized) struct DoctorDataStories {
    private let device: LiveDevice

    init() throws {
        device = try LiveDevice()
        try device.setPasscode()
        for name in ["a", "b", "c"] { try device.run("keychain", "add", "--service", name, input: Data(name.utf8)) }
    }

    private func change(_ sql: String) throws { try StoppedDatabase(path: device.home.database).rows(sql) }

    private func makeAll() throws {
        _ = try device.newNote("# Open\n\nwords\n")
        try device.openDiary()
        _ = try device.newEntry("An entry")
    }

    @Test func `where all can be read that is said, and plain doctor says when it was looked at`() throws {
        try makeAll()
        let before = try device.run("doctor")
        #expect(before.text.contains("never looked at"), "\(before.text)")
        let look = try device.run("doctor", "--data")
        #expect(look.code == 0 && look.text.contains(": 0 damaged"), "\(look.text)\(look.errors)")
        let after = try device.run("doctor")
        #expect(after.text.contains("all could be read"), "\(after.text)")
        // Nothing of a user's stands in what is kept of it.
        let kept = String(decoding: try FileSystem.read(device.home.data + "/doctor.json"), as: UTF8.self)
        #expect(!kept.contains("Open") && !kept.contains("entry"))
        #expect(try FileSystem.status(device.home.data + "/doctor.json")?.mode == 0o600)
    }

    @Test func `an item whose row has gone is missed, and so is a former text`() throws {
        try device.stop()
        try change("DELETE FROM item WHERE id = (SELECT max(id) FROM item)")
        try device.start()
        try device.unlock()
        #expect(try device.run("keychain", "get", "--service", "c").code == 3)
        let list = try device.run("keychain", "list")
        #expect(list.code == 8 && list.errors.contains("1 item"), "\(list.text)\(list.errors)")
        #expect(try device.run("keychain", "export", device.folder + "/items.csv").code == 8)
        let look = try device.run("doctor", "--data")
        #expect(look.code == 8 && look.text.contains("of the keychain's database"), "\(look.text)\(look.errors)")
        try device.run("keychain", "add", "--service", "c", input: Data("c".utf8))

        let note = try device.newNote("# Note\n\none\n")
        #expect(try device.notes("edit", note, input: "# Note\n\ntwo\n").code == 0)
        #expect(try device.notes("show", note, "--at", "1").text.contains("one"))
        try device.stop()
        try StoppedDatabase(path: device.home.notesDatabase).rows("DELETE FROM record WHERE type = 6")
        try device.start()
        try device.unlock()
        #expect(try device.notes("show", note).text.contains("two"))
        let again = try device.run("doctor", "--data")
        #expect(again.code == 8 && again.text.contains("damaged      version"), "\(again.text)\(again.errors)")
    }

    @Test(arguments: ["secret", "row_key", "metadata", "metadata_key"])
    func `an item that is damaged in any part is named, and found by plain doctor from then on`(column: String) throws {
        try device.stop()
        try change(
            "UPDATE item SET \(column) = randomblob(length(\(column))) WHERE id = (SELECT max(id) FROM item) - 1")
        try device.start()
        try device.unlock()
        let look = try device.run("doctor", "--data")
        #expect(look.code == 8 && look.text.contains("damaged      item "), "\(look.text)\(look.errors)")
        if column.hasPrefix("metadata") {
            let list = try device.run("keychain", "list", "--json")
            #expect(list.code == 8 && list.text.contains("\"damage\"") && list.text.contains("\"reference\""))
        }
        #expect(look.text.contains(": 1 damaged"))
        let json = try device.run("doctor", "--data", "--json")
        #expect(json.code == 8 && json.text.contains("\"kind\" : \"item\""), "\(json.text)")
        let plain = try device.run("doctor")
        #expect(plain.code == 8 && plain.text.contains("1 damaged; 'tresor doctor --data'"), "\(plain.text)")
        let reference = try #require(look.text.split(separator: " ").first { $0.hasPrefix("67656e70") })
        #expect(try device.run("keychain", "delete", "--reference", String(reference).trimmingColon).code == 0)
        let mended = try device.run("doctor", "--data")
        #expect(mended.code == 0, "\(mended.text)")
    }

    @Test func `a file that fsck has named comes back with its name`() throws {
        let note = try device.newNote("# Open\n\nwords\n")
        let path = device.folder + "/a.bin"
        try Data("the file's bytes".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try device.notes("attach", note, path).code == 0)
        let folder = device.home.notesFolder + "/assets/"
        for (number, name) in try FileSystem.names(in: folder).enumerated() where Identifier(name) != nil {
            try FileSystem.rename(folder + name, to: folder + "#13107\(number)")
        }
        #expect(try device.notes("extract", note, "a.bin").code == 8)
        let look = try device.run("doctor", "--data")
        #expect(look.code == 0 && look.text.contains("came back    note \(note)"), "\(look.text)\(look.errors)")
        #expect(try device.notes("extract", note, "a.bin").output == Data("the file's bytes".utf8))
        #expect(try !device.run("doctor", "--data").text.contains("came back"))
    }

    @Test func `what is locked is counted, and not taken for damage`() throws {
        try makeAll()
        try device.run("lock")
        let look = try device.run("doctor", "--data")
        #expect(look.code == 0 && look.text.contains(": 0 damaged"), "\(look.text)\(look.errors)")
        // Three items of the owner's, and more of our programs; notes and diary as a whole.
        #expect(look.text.contains("not seen"), "\(look.text)")
        let plain = try device.run("doctor")
        #expect(plain.text.contains("were locked, and not looked at"), "\(plain.text)")
    }

    @Test func `a secret that demands its owner is not called well`() throws {
        try makeAll()
        let added = try device.run(
            "keychain", "add", "--service", "guarded", "--access", "userPresence", input: Data("s".utf8))
        #expect(added.code == 0, "\(added.errors)")
        let look = try device.run("doctor", "--data")
        #expect(look.code == 0 && look.text.contains("not opened   the secrets of 1 items"), "\(look.text)")
    }

    @Test(arguments: ["notes", "diary"])
    func `a store that is gone is damage, and the copy of before an update stays`(_ store: String) throws {
        try makeAll()
        #expect(try device.down() == 0)
        let folder = "\(device.home.data)/\(store)"
        let kept = "\(folder)/\(store).sqlite.before-0.1.0"
        try Data("as it was".utf8).write(to: URL(fileURLWithPath: kept))
        try FileSystem.remove("\(folder)/\(store).sqlite")
        #expect(try device.start() == nil)
        try device.unlock()
        let look = try device.run("doctor", "--data")
        #expect(look.code == 8 && look.text.contains("damaged      store: of the \(store)"), "\(look.text)")
        #expect(look.text.contains("kept         \(kept)") && FileManager.default.fileExists(atPath: kept))
    }

    @Test func `a copy of before an update stays where part of its store was locked`() throws {
        try makeAll()
        let kept = ["keychain", "notes", "diary"].map { "\(device.home.data)/\($0)/\($0).sqlite.before-0.1.0" }
        for path in kept { try Data("as it was".utf8).write(to: URL(fileURLWithPath: path)) }
        try device.run("lock")
        let look = try device.run("doctor", "--data")
        #expect(look.code == 0 && look.text.contains("not all of that store was opened"), "\(look.text)")
        for path in kept { #expect(FileManager.default.fileExists(atPath: path), "\(path)") }
        try device.unlock()
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        let whole = try device.run("doctor", "--data")
        #expect(whole.code == 0 && !whole.text.contains("kept"), "\(whole.text)")
        for path in kept { #expect(!FileManager.default.fileExists(atPath: path), "\(path)") }
    }

    @Test func `a look that was stopped goes on where it was`() throws {
        try makeAll()
        let state = """
            {"begun":1,"done":["keychain"],"item":0,"records":1000,"bytes":0,"shut":0,
             "damage":[{"kind":"item","id":"ab","part":"item"}]}
            """
        try Data(state.utf8).write(to: URL(fileURLWithPath: device.home.data + "/doctor.json"))
        #expect(try device.run("doctor").text.contains("was stopped"))
        let look = try device.run("doctor", "--data")
        #expect(look.code == 8 && look.errors.contains("goes on"), "\(look.text)\(look.errors)")
        #expect(look.text.contains("damaged      item ab"))
        // The next one begins anew.
        #expect(try device.run("doctor", "--data").code == 0)
        try Data("no JSON".utf8).write(to: URL(fileURLWithPath: device.home.data + "/doctor.json"))
        #expect(try device.run("doctor", "--data").code == 0)
    }

    @Test func `each part of a look that was stopped goes on where it was`() throws {
        try makeAll()
        func lookedAt() throws -> Int? {
            let outcome = try device.run("doctor", "--data", "--json")
            #expect(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
            return outcome.text.firstMatch(of: #/"records" : ([0-9]+)/#).flatMap { Int($0.output.1) }
        }
        let all = try #require(try lookedAt())
        // Behind the first row of each store.
        let state = """
            {"begun":1,"done":[],"item":1,"place":{"record":1,"chunk":0},"diaryPlace":{"record":1,"chunk":0},
             "records":1000,"bytes":0,"shut":0,"damage":[]}
            """
        try Data(state.utf8).write(to: URL(fileURLWithPath: device.home.data + "/doctor.json"))
        #expect(try lookedAt() == 1000 + all - 3)
        #expect(try lookedAt() == all)
    }

    @Test func `a part that fails ends the look and says why, and the next look sees everything`() throws {
        try makeAll()
        let all = try device.run("doctor", "--data")
        let line = try #require(all.text.split(separator: "\n").first { $0.contains("records") })
        try device.stop()
        let database = device.home.notesDatabase
        try FileSystem.rename(database, to: database + ".away")
        try FileSystem.makeDirectories(database)
        try device.start()
        try device.unlock()
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        let look = try device.run("doctor", "--data")
        #expect(
            ![0, 8].contains(look.code) && look.errors.contains("notes"), "\(look.code) \(look.text)\(look.errors)")
        #expect(!look.text.contains("records"), "\(look.text)")
        try device.stop()
        try FileSystem.removeTree(database)
        try FileSystem.rename(database + ".away", to: database)
        try device.start()
        try device.unlock()
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        let next = try device.run("doctor", "--data")
        #expect(next.code == 0 && next.text.contains(line), "\(next.text)\(next.errors), not \(line)")
    }

    private func setFinished(daysAgo days: Int64, begun: Bool = true) throws {
        let finished = SystemClock.wallMicroseconds() - days * 86_400 * 1_000_000
        let state = """
            {"begun":1,"finished":\(finished),"done":["keychain","notes","diary"],"item":0,"records":1,"bytes":0,
             "shut":0,"damage":[]}
            """
        try Data(state.utf8).write(to: URL(fileURLWithPath: device.home.data + "/doctor.json"))
    }

    private func look(scheduledFrom bus: String? = nil) throws -> LiveDevice.Outcome {
        try device.run(
            ["doctor", "--data", "--scheduled"],
            environment: bus.map { ["DBUS_SESSION_BUS_ADDRESS": $0] } ?? [:])
    }

    @Test(.enabled(if: DesktopService.missing.isEmpty, "needs dbus-daemon and python3-dbusmock"))
    func `the timer's look waits for a month and an unlocked device, and tells the desktop what is damaged`() throws {
        let desktop = try DesktopService(hasLogind: false, hasNotifications: true)
        try device.stop()
        try change("UPDATE item SET secret = randomblob(length(secret)) WHERE id = (SELECT max(id) FROM item) - 1")
        // Nobody is there to be asked, and nothing is started.
        #expect(try look().code == 0)
        try device.start()
        #expect(try look().code == 0)
        #expect(try device.run("doctor").text.contains("never looked at"))
        try device.unlock()
        try setFinished(daysAgo: 29)
        #expect(try look(scheduledFrom: desktop.sessionAddress).code == 0)
        #expect(try device.run("status").code == 0 && desktop.notifications().isEmpty)
        try setFinished(daysAgo: 31)
        let found = try look(scheduledFrom: desktop.sessionAddress)
        #expect(found.code == 8, "\(found)")
        let shown = try desktop.notifications()
        #expect(shown.count == 1 && shown[0].hasPrefix("1 object that Tresor keeps is damaged"), "\(shown)")
        let status = try device.run("status")
        #expect(status.code == 8 && status.text.contains("data        1 damaged"), "\(status.text)")
        #expect(try device.run("status", "--json").text.contains("\"damagedData\" : 1"))
        // Once a month.
        #expect(try look(scheduledFrom: desktop.sessionAddress).code == 0 && desktop.notifications().count == 1)
    }
}

extension String {
    fileprivate var trimmingColon: String { hasSuffix(":") ? String(dropLast()) : self }
}
