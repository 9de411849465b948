import DiaryClient
import Foundation
import Glibc
import Linux
import ResidentClient
import Secrets
import Testing
import Thoroughness
import Wire

extension LiveDevice {
    /// A connection of the test's own; the command starts the program, as it alone has this device's environment.
    func diaryConnection() throws -> DiaryConnection {
        try diary("status")
        return try DiaryConnection(home: home)
    }
}

/// What time does to the diary, through programs whose clock is a file.
@Suite(
    .serialized,
    .enabled(
        if: FileManager.default.fileExists(atPath: LiveDevice.programs + "/clock/tresor-diary"),
        "make test stages the diary with a test clock"))
struct DiaryClockStories {
    private let device: LiveDevice
    private let clock: TestClockFile

    init() throws {
        device = try LiveDevice(programs: LiveDevice.programs + "/clock")
        clock = try TestClockFile(device)
    }

    private func pass(minutes: UInt64, seconds: UInt64 = 0) throws {
        try clock.advance(milliseconds: minutes * 60_000 + seconds * 1000)
    }

    @Test func `wrong passwords are delayed by the documented table, also after a lock`() throws {
        try device.openDiary()
        try device.diary("lock")
        for _ in 0..<4 { #expect(try device.diary("sign-in", input: "wrong\n").code == 6) }
        let early = try device.diary("sign-in", input: "a blue door\n")
        #expect(early.code == 6 && early.errors.contains("possible in"), "the fifth waits a minute: \(early.errors)")
        try device.diary("lock")
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 6, "a fresh program remembers the count")
        try pass(minutes: 1, seconds: 1)
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        try device.diary("lock")
        #expect(try device.diary("sign-in", input: "wrong\n").code == 6)
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0, "a right one set the count to none")
        try device.diary("lock")
        for _ in 0..<4 { #expect(try device.diary("sign-in", input: "wrong\n").code == 6) }
        try pass(minutes: 1, seconds: 1)
        try device.diary("lock")
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0, "a lock does not begin the wait anew")
    }

    @Test func `it locks after minutes without input, and after the machine slept`() throws {
        try device.openDiary()
        let id = try device.newEntry("Here.")
        try pass(minutes: 4)
        #expect(try device.diary("show", id).code == 0, "that was input")
        try pass(minutes: 4)
        #expect(try device.diary("list").code == 0)
        try pass(minutes: 1, seconds: 1)
        usleep(1_500_000)
        #expect(try device.diary("list").code == 5, "a list is none, and five minutes have passed")
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        #expect(try device.diary("settings", "--lock-after", "0").text.contains("never locks by itself"))
        try pass(minutes: 60)
        usleep(1_500_000)
        #expect(try device.diary("list").code == 0)
        try clock.advance(milliseconds: 30_000, inSuspension: true)
        #expect(try device.diary("list").code == 5, "the machine slept")
        #expect(try device.diary("settings", "--lock-after", "1441").code == 5)
        try device.diary("sign-in", input: "a blue door\n")
        #expect(try device.diary("settings", "--lock-after", "1441").code == 64)
    }
}

/// What a review found, and must not come back.
@Suite(.serialized) struct DiaryReviewStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private func secret(_ text: String) throws -> SecretBytes { try SecretBytes(text: text) }

    @Test func `an edit without a text keeps the text`() throws {
        try device.openDiary()
        let path = device.folder + "/sound.ogg"
        try Data("sound".utf8).write(to: URL(fileURLWithPath: path))
        let id = try device.newEntry("My precious words.", "--audio", path)
        #expect(try device.diary("edit", id, "--starred", input: "").code == 0)
        #expect(try device.diary("edit", id, "--tag", "sea").code == 0)
        #expect(try device.diary("show", id).text == "My precious words.\n")
        #expect(try device.diary("edit", id, input: "").code == 64, "nothing is to be changed")
        #expect(try device.diary("edit", id, "--empty-text").code == 0)
        #expect(try device.diary("show", id).text == "\n")
    }

    @Test func `a diary whose mark is lost is not registered over`() throws {
        try device.openDiary()
        let id = try device.newEntry("Kept.")
        try device.diary("lock")
        try FileManager.default.removeItem(atPath: device.home.diaryMark)
        #expect(try device.diary("register", input: "new\nnew\n").code == 8)
        #expect(FileManager.default.createFile(atPath: device.home.diaryMark, contents: nil))
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        #expect(try device.diary("show", id).text == "Kept.\n")
    }

    @Test func `a reset that is refused, or killed, leaves the way back in`() throws {
        let key = try device.openDiary()
        let id = try device.newEntry("Kept.")
        try device.diary("lock")
        let connection = try device.diaryConnection()
        do {
            _ = try connection.askForSecret(
                .resetByRecoveryKey, secrets: MessageSecrets(try secret(key), try secret("")))
            Issue.record("an empty password was taken")
        } catch let error as DiaryError { #expect(error.code == .invalid) }
        for wait in [60_000, 150_000, 250_000, 320_000, 420_000] as [UInt32] {
            let connection = try device.diaryConnection()
            guard case .status(let status) = try connection.ask(.status).reply else { return }
            let killed = DispatchSemaphore(value: 0)
            Thread {
                usleep(wait)
                Glibc.kill(status.process, SIGKILL)
                killed.signal()
            }.start()
            let secrets = MessageSecrets(try secret(key), try secret("fresh"))
            let next = try? connection.askForSecret(.resetByRecoveryKey, secrets: secrets)
            killed.wait()
            for _ in 0..<1000 where ChildProcess.isRunning(status.process) { usleep(1000) }
            switch next {
            case .some: break
            case .none:
                let opensNew = try device.diary("sign-in", input: "fresh\n").code == 0
                if !opensNew {
                    #expect(try device.diary("sign-in", input: "a blue door\n").code == 0, "after \(wait) µs")
                }
                #expect(try device.diary("show", id).text == "Kept.\n")
                try device.diary("lock")
                continue
            }
            return
        }
    }

    @Test func `a new recovery key takes the place of the old one`() throws {
        let old = try device.openDiary()
        #expect(try device.diary("password", "recovery-key", input: "wrong\n").code == 6)
        let made = try device.diary("password", "recovery-key", input: "a blue door\n")
        let new = made.text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(made.code == 0 && new.split(separator: "-").count == 7 && new != old)
        #expect(try device.diary("password", "reset", input: "\(old)\nx\nx\n").code == 6)
        #expect(try device.diary("password", "reset", input: "\(new)\nx\nx\n").code == 0)
    }

    @Test func `a damaged store can be erased, and nothing is made in the place of a missing one`() throws {
        try device.openDiary()
        try device.diary("lock")
        try device.diary("status")
        let connection = try device.diaryConnection()
        try connection.ask(.stop)
        connection.waitForEnd()
        try Data((0..<60_000).map { _ in UInt8.random(in: 0...255) })
            .write(to: URL(fileURLWithPath: device.home.diaryDatabase))
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 8)
        #expect(try device.diary("status").code == 0)
        #expect(try device.diary("password", "reset", "--erase", input: "erase my diary\n").code == 0)
        try device.openDiary("another")
    }

    @Test func `what was staged for an entry that was refused is nobody's`() throws {
        try device.openDiary()
        let id = try device.newEntry("Mine.")
        let connection = try device.diaryConnection()
        let head = EntryHead(date: 1, timeZone: "UTC")
        try connection.ask(
            .stage(NewMedia(kind: .audio, name: "private", mediaType: "")), body: Array("private".utf8))
        #expect(throws: DiaryError.self) {
            try connection.ask(.edit(id: "ffffffff", base: 1, head: head, media: [], isDraft: false))
        }
        let edited = try connection.ask(.edit(id: id, base: 1, head: head, media: [], isDraft: false)).reply
        guard case .entry(let entry) = edited else { return }
        #expect(entry.media.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: device.folder + "/diary/assets") == [])
    }

    @Test func `the first page after a sign-in is the timeline as it was, and as it is`() throws {
        try device.openDiary()
        let connection = try device.diaryConnection()
        for number in 0..<1100 {
            let head = EntryHead(date: Int64(number) * 1_000_000, timeZone: "UTC")
            let imported = ImportedHead(source: "test:\(number)", head: head)
            try connection.ask(.importEntry(imported), body: Array("entry \(number)".utf8))
        }
        let before = try device.diary("list", "--limit", "30").text
        #expect(before.contains("entry 1099"))
        try device.diary("lock")
        try device.diary("sign-in", input: "a blue door\n")
        #expect(try device.diary("list", "--limit", "30").text == before)
        #expect(try device.diary("list", "--json").text.components(separatedBy: "\"id\"").count > 1100)
        // A kill leaves a snapshot that is not of the present any more.
        let id = try device.newEntry("The newest.")
        let again = try device.diaryConnection()
        guard case .status(let status) = try again.ask(.status).reply else { return }
        Glibc.kill(status.process, SIGKILL)
        for _ in 0..<1000 where ChildProcess.isRunning(status.process) { usleep(1000) }
        try device.diary("sign-in", input: "a blue door\n")
        #expect(try device.diary("list", "--limit", "1").text.hasPrefix(id.prefix(8)))
    }

    @Test func `who gives the device's passcode up is told that the diary goes with it`() throws {
        try device.setPasscode()
        #expect(try !device.run("passcode", "reset", input: Data("no\n".utf8)).text.contains("diary"))
        try device.openDiary()
        let told = try device.run("passcode", "reset", input: Data("no\n".utf8))
        #expect(told.code != 0 && told.text.contains("the diary, also for whoever knows its password"))
        #expect(try device.diary("list").code == 0, "nothing was changed")
    }

    @Test func `a text of one endless word is taken at once`() throws {
        try device.openDiary()
        let text = String(repeating: "é", count: 1_000_000) + String(repeating: " bb", count: 200_000)
        let began = ContinuousClock.now
        _ = try device.newEntry(text)
        #expect(ContinuousClock.now - began < .seconds(60))
    }

    @Test func `a diary that backups are to leave out says so to them`() throws {
        try device.openDiary()
        func mark() throws -> [UInt8]? {
            try FileDescriptor.open(device.folder + "/diary", FileFlags.ask).attribute("user.xdg.robots.backup")
        }
        #expect(try mark() == nil)
        try #require(try device.diary("settings", "--exclude-from-backup").code == 0)
        #expect(try mark() == Array("false".utf8))
        #expect(try device.diary("settings", "--no-exclude-from-backup").code == 0)
        #expect(try mark() == nil)
    }
}

/// The power fails at any moment: nothing that was acknowledged is lost, and nothing is half there.
///
/// `TRESOR_KILLS` asks for another number of rounds.
@Suite(.serialized) struct DiaryKillStory {
    private static let rounds = Thoroughness.count(5, soak: 15, orBy: "TRESOR_KILLS")

    private func send(_ number: Int, _ photo: [UInt8], over connection: DiaryConnection) throws -> String {
        let media = NewMedia(kind: .audio, name: "sound.ogg", mediaType: "audio/ogg")
        try connection.ask(.stage(media), body: photo)
        let head = EntryHead(date: Int64(number) * 1_000_000, timeZone: "UTC")
        let new = NewEntry(head: head, mediaCount: 1)
        guard case .entry(let entry) = try connection.ask(.create(new), body: Array("entry \(number)".utf8)).reply
        else { throw DiaryError(.unavailable, "no entry") }
        return entry.id
    }

    @Test func `entries and files survive a kill at any moment`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        var random = SystemRandomNumberGenerator()
        var acknowledged: [String: Int] = [:]
        let file = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var number = 0
        for round in 0..<Self.rounds {
            let connection = try device.diaryConnection()
            guard case .status(let status) = try connection.ask(.status).reply else { return }
            let wait = UInt32.random(in: 0...30_000, using: &random)
            let killed = DispatchSemaphore(value: 0)
            Thread {
                usleep(wait)
                Glibc.kill(status.process, SIGKILL)
                killed.signal()
            }.start()
            do {
                while true {
                    number += 1
                    acknowledged[try send(number, file, over: connection)] = number
                }
            } catch let error as DiaryError { #expect(error.code == .unavailable, "round \(round): \(error)") }
            killed.wait()
            for _ in 0..<1000 where ChildProcess.isRunning(status.process) { usleep(1000) }
            #expect(try device.diary("sign-in", input: "a blue door\n").code == 0, "round \(round)")
        }
        let connection = try device.diaryConnection()
        for (id, number) in acknowledged {
            #expect(String(decoding: try connection.ask(.show(id: id)).body, as: UTF8.self) == "entry \(number)")
            #expect(try connection.ask(.media(id: id, media: "0", size: .original)).body == file)
        }
        guard case .status(let status) = try connection.ask(.status).reply else { return }
        // What was written and not acknowledged may be there, one a round at most.
        let entries = try #require(status.entries)
        #expect(status.damaged.isEmpty && (acknowledged.count...acknowledged.count + Self.rounds).contains(entries))
        let files = try FileManager.default.contentsOfDirectory(atPath: device.folder + "/diary/assets")
        #expect(files.count { $0 != "unnamed" } == entries, "files of no entry are put aside")
    }

    @Test func `a registration that is cut short is none, or a whole one`() throws {
        let device = try LiveDevice()
        var outcomes = (none: 0, whole: 0)
        for round in 0..<Thoroughness.count(5, soak: 10) {
            let connection = try device.diaryConnection()
            guard case .status(let status) = try connection.ask(.status).reply else { return }
            let wait = UInt32.random(in: 0...600_000)
            let killed = DispatchSemaphore(value: 0)
            Thread {
                usleep(wait)
                Glibc.kill(status.process, SIGKILL)
                killed.signal()
            }.start()
            let secrets = MessageSecrets(try SecretBytes(text: "p\(round)"))
            _ = try? connection.ask(.register(allowsPasscode: false), secrets: secrets)
            killed.wait()
            for _ in 0..<1000 where ChildProcess.isRunning(status.process) { usleep(1000) }
            let isRegistered = try device.diary("status", "--json").text.contains("\"isRegistered\" : true")
            let code = try device.diary("sign-in", input: "p\(round)\n").code
            #expect(code == (isRegistered ? 0 : 7), "round \(round), killed after \(wait) microseconds")
            if isRegistered { outcomes.whole += 1 } else { outcomes.none += 1 }
            guard isRegistered else { continue }
            #expect(try device.diary("password", "reset", "--erase", input: "erase my diary\n").code == 0)
        }
        print("registrations cut short: \(outcomes)")
        #expect(try device.diary("register", input: "last\nlast\n").code == 0)
    }

    @Test func `a password that was being changed is the old or the new one, and opens everything`() throws {
        let device = try LiveDevice()
        try device.openDiary("p0")
        let id = try device.newEntry("Kept.")
        var password = "p0"
        for round in 1...Thoroughness.count(3, soak: 5) {
            let connection = try device.diaryConnection()
            guard case .status(let status) = try connection.ask(.status).reply else { return }
            let wait = UInt32.random(in: 0...900_000)
            let killed = DispatchSemaphore(value: 0)
            Thread {
                usleep(wait)
                Glibc.kill(status.process, SIGKILL)
                killed.signal()
            }.start()
            let next = "p\(round)"
            let secrets = MessageSecrets(try SecretBytes(text: password), try SecretBytes(text: next))
            let isDone = (try? connection.ask(.changePassword, secrets: secrets)) != nil
            killed.wait()
            for _ in 0..<1000 where ChildProcess.isRunning(status.process) { usleep(1000) }
            let opensNew = try device.diary("sign-in", input: next + "\n").code == 0
            if opensNew { password = next }
            if !opensNew {
                #expect(!isDone)
                #expect(try device.diary("sign-in", input: password + "\n").code == 0, "round \(round)")
            }
            #expect(try device.diary("show", id).text == "Kept.\n")
        }
    }
}
