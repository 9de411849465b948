import DiaryClient
import Foundation
import Glibc
import Linux
import ResidentClient
import Secrets
import Testing
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

/// The power fails at any moment: nothing that was acknowledged is lost, and nothing is half there.
///
/// `TRESOR_KILLS` asks for more rounds.
@Suite(.serialized) struct DiaryKillStory {
    private static let rounds = Int(ProcessInfo.processInfo.environment["TRESOR_KILLS"] ?? "") ?? 15

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
        #expect(
            status.damaged.isEmpty && (acknowledged.count...acknowledged.count + Self.rounds).contains(status.entries))
        let files = try FileManager.default.contentsOfDirectory(atPath: device.folder + "/diary/assets")
        #expect(files.count == status.entries, "files of no entry are gone")
    }

    @Test func `a password that was being changed is the old or the new one, and opens everything`() throws {
        let device = try LiveDevice()
        try device.openDiary("p0")
        let id = try device.newEntry("Kept.")
        var password = "p0"
        for round in 1...5 {
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
