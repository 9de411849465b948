import ArgumentParser
import Linux
import Tresor
import Wire

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start the daemon and its enclave for this user.",
        discussion: "Stays until Ctrl-C, unless --detach leaves it in the background.")

    @Flag(help: "Leave the daemon running in the background.")
    var detach = false

    func run() async throws {
        let signals = try SignalDescriptor()
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        if let running = try? Keychain(), let status = try? await running.status() {
            try Output.line("tresord runs already (process \(status.daemon.daemonProcess)), \(status.lockState.name).")
            return
        }
        let daemon = try start(home)
        let status = try await waitForStart(daemon, home)
        try Output.line(StatusText.welcome(status, home))
        guard !detach else { return }
        try Output.line("Ctrl-C ends it.")
        try await stay(daemon, signals)
    }

    private func start(_ home: Home) throws -> ChildProcess {
        let program = try CurrentProcess.executableDirectory() + "/tresord"
        guard try FileSystem.status(program) != nil else {
            throw Failure(ExitCode.unavailable, "\(program) is missing", hint: "build it with 'make run'")
        }
        try FileSystem.makeDirectories(home.data)
        let log = try FileDescriptor.open(home.log, FileFlags.append)
        return try ChildProcess(detached: program, arguments: [], output: log)
    }

    private func waitForStart(_ daemon: ChildProcess, _ home: Home) async throws -> DeviceStatus {
        for _ in 0..<1000 {
            if let end = daemon.end() {
                let code = if case .exited(let code) = end { code } else { ExitCode.unavailable }
                throw Failure(code, "tresord did not start: \(lastLogLine(home))")
            }
            if let keychain = try? Keychain(), let status = try? await keychain.status() { return status }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Failure(ExitCode.unavailable, "tresord did not answer within five seconds", hint: "see \(home.log)")
    }

    private func lastLogLine(_ home: Home) -> String {
        guard let bytes = try? FileSystem.read(home.log) else { return "see \(home.log)" }
        let last = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
        return last.split(separator: "] ", maxSplits: 1).last.map(String.init) ?? last
    }

    private func stay(_ daemon: ChildProcess, _ signals: borrowing SignalDescriptor) async throws {
        var poll = Poll()
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        while true {
            try poll.wait(milliseconds: nil)
            while let signal = signals.next() {
                switch signal {
                case .end:
                    // It is our child: no number can be another's. By its socket it would not know us, who hid before
                    // it ran.
                    daemon.askToEnd()
                    _ = daemon.waitForEnd()
                    try Output.line("tresord has ended.")
                    return
                case .childEnded:
                    if daemon.end() != nil { throw Failure(ExitCode.unavailable, "tresord has ended by itself") }
                case .other: break
                }
            }
        }
    }
}

struct Down: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "End the daemon and its enclave. Every key leaves memory.")

    func run() async throws {
        let keychain = try Keychain()
        let process = Int32(try await keychain.status().daemon.daemonProcess)
        // By its descriptor: the number may be another's afterwards, and stays in use until its parent has looked.
        let daemon = try PeerProcess(number: process, startTime: PeerProcess.startTime(of: process))
        try await keychain.stopDaemon()
        if daemon.waitForEnd(milliseconds: 5000) { return try Output.line("tresord has ended.") }
        throw Failure(ExitCode.unavailable, "tresord (process \(process)) did not end within five seconds")
    }
}
