import ArgumentParser
import DiaryClient
import Linux
import Localization
import NotesClient
import ResidentClient
import Secrets
import Tresor
import Wire

struct Tour: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: localized("Play the idea in a minute, on a throw-away device. Your own items are not touched."))

    func run() async throws {
        let device = try TourDevice()
        do {
            try await device.start()
            for chapter in TourChapter.all {
                try Output.line("\n\(chapter.title)")
                try await chapter.play(device)
            }
            try await device.stop()
        } catch {
            try? await device.stop()
            throw error
        }
        try Output.words(localized("\nThe device of this tour is gone. Yours starts with 'tresor up'."))
    }
}

/// One part of the tour; what comes to Tresor later adds its own.
struct TourChapter: Sendable {
    let title: String
    let play: @Sendable (TourDevice) async throws -> Void

    static let all = [keychain, onDisk, notes, notesOnDisk, diary, widgets]
}

/// A device in a folder of its own, removed with everything in it.
final class TourDevice: Sendable {
    let folder: String
    let home: Home

    init() throws {
        let folder = "/tmp/tresor-tour-\(Identifier.makeRandom().description.prefix(12))"
        self.folder = folder
        home = try Home(environment: { $0 == "TRESOR_HOME" ? folder : nil }, user: CurrentProcess.user)
        CurrentProcess.setEnvironment("TRESOR_HOME", folder)
    }

    func start() async throws {
        try FileSystem.makeDirectories(folder)
        let log = try FileDescriptor.open(home.log, FileFlags.append)
        let program = try CurrentProcess.executableDirectory() + "/tresord"
        let daemon = try ChildProcess(detached: program, arguments: [], output: log)
        for _ in 0..<1000 {
            if isReady { return }
            if daemon.end() != nil { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Failure(
            Wire.ExitCode.unavailable, localized("the tour's daemon did not start"), hint: localized("see \(home.log)"))
    }

    /// Whether the daemon runs and knows the tour, which holds nothing but what it shows: who hid before there was a
    /// daemon shows itself once more.
    private var isReady: Bool { (try? Sandbox.showing { Introduction.introduce(home) }) != nil }

    /// Ends the daemon as a power cut would end the machine: nothing stays in memory.
    func restart() async throws {
        try await end()
        try await start()
    }

    func stop() async throws {
        try? await end()
        try FileSystem.removeTree(folder)
    }

    /// Ends the programs; what they stored stays.
    func end() async throws {
        let keychain = try Keychain()
        let process = try await keychain.status().daemon.daemonProcess
        try await keychain.stopDaemon()
        for _ in 0..<1000 where ChildProcess.isRunning(Int32(process)) || hasResidents {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Whether a resident program, which ends with its daemon, still holds its lock.
    private var hasResidents: Bool {
        [ResidentProgram.notes(home), .diary(home)].contains { program in
            guard let lock = try? FileDescriptor.open(program.lock, FileFlags.readWrite) else { return false }
            return (try? lock.lockExclusively()) == false
        }
    }
}
